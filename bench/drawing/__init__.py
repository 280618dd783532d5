"""What `bench/pictures.py` draws with: a canvas of plain SVG, the material, and the pictures by subject."""
