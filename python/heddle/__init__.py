"""Heddle's face to people: the command line, the reports, and the readers of the files that the native parts write.

Importing this package costs nothing: the compiler wrapper starts through it for every file of a build.
"""

__version__ = "0.1.0"
