"""`python -m vivavoce`."""

import sys

from vivavoce.cli.main import main

sys.exit(main())
