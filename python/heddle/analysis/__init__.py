"""`heddle analyze`: from a program that carries bitcode, or from C files, to a constraints document."""
