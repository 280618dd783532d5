"""The local listener: pronunciation and fluency as experts would score them, heard on one core without a network."""
