"""A program file: found as a shell would, its ELF tables, the libraries that it loads, the bitcode that it carries."""
