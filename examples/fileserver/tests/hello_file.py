"""The file that most tests ask for."""

HELLO = b"Hello from a file.\n"
MODIFIED = 1_000_000_000  # Sun, 09 Sep 2001 01:46:40 GMT
