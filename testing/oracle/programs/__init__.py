"""Random programs with what real programs use; each part says in C what it adds to a program.

In all texts `@` becomes the prefix of the program and `#` the number of the part, so that no two meet by name.
"""
