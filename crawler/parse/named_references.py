"""Writes the HTML standard's named character references (section 13.5) as a C++ table, from Python's copy of it.

Usage: named_references.py FILE. Sorted by name, the semicolon a part of it, for a binary search.
"""

import html.entities
import pathlib
import sys


def table() -> str:
    lines = []
    for name, text in sorted(html.entities.html5.items()):
        first, second = (*map(ord, text), 0)[:2]
        lines.append(f'{{"{name}", {first:#x}, {second:#x}}},\n')
    return "".join(lines)


if __name__ == "__main__":
    pathlib.Path(sys.argv[1]).write_text(table(), encoding="ascii")
