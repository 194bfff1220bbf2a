"""``python -m flexura`` is the command line."""

import sys

from flexura.cli.main import main

if __name__ == "__main__":
    sys.exit(main())
