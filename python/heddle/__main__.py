"""`python -m heddle`."""

import sys

from heddle.cli.app import main

if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
