"""The handler x handler matrix, in the manner of the 2011 paper's Table 3.1.

`-` never, `s` only within one session, `A` always. The upper triangle is the whole truth, for verdicts are symmetric.
Columns are numbers, so that thirty handlers fit a line; more are shown in blocks of columns.
"""

from heddle.documents.constraints import Constraints
from heddle.output.terminal import Palette

_MARKS = {"never": "-", "session": "s", "always": "A"}
_STYLES = {"never": "green", "session": "yellow", "always": "red"}


def matrix(constraints: Constraints, width: int, colour: Palette) -> list[str]:
    size = len(constraints.handlers)
    labels = [constraints.label(h) for h in range(size)]
    number_width = len(str(size))
    # A long name must leave room for a few columns; it stands in full in the list of handlers.
    label_width = min(max(map(len, labels), default=0), width // 2)
    cell = number_width + 1
    head = "  " + " " * (number_width + 1 + label_width + 1)
    per_block = max(1, (width - len(head)) // cell)
    lines: list[str] = []
    for start in range(0, size, per_block):
        block = range(start, min(size, start + per_block))
        if lines:
            lines.append("")
        lines.append((head + "".join(str(b + 1).rjust(cell) for b in block)).rstrip())
        for a in range(min(size, block.stop)):
            row = f"  {str(a + 1).rjust(number_width)} {labels[a][:label_width].ljust(label_width)} "
            for b in block:
                verdict = constraints.pair(a, b).verdict if b >= a else None
                mark = _MARKS[verdict] if verdict else ""
                row += " " * (cell - len(mark)) + (colour(_STYLES[verdict], mark) if verdict else "")
            lines.append(row.rstrip())
    return lines
