"""The few shapes that all reports are made of: wrapped lists, columns, and call paths."""

import textwrap
from collections.abc import Iterable, Sequence

from heddle.documents.constraints import Frame


def wrapped(text: str, indent: str, width: int, hanging: str | None = None) -> list[str]:
    return textwrap.wrap(
        text,
        width,
        initial_indent=indent,
        subsequent_indent=indent if hanging is None else hanging,
        break_long_words=False,
        break_on_hyphens=False,
    )


def path(frames: Iterable[Frame], indent: str, width: int) -> list[str]:
    """A call path, outermost function first. Lines break between frames only; later lines are indented."""
    lines: list[str] = []
    line = ""
    for number, frame in enumerate(frames):
        piece = str(frame) if number == 0 else f"> {frame}"
        if line and len(line) + 1 + len(piece) > width:
            lines.append(line)
            # A frame that would not fit behind the full indentation gets less of it: the terminal would cut it off.
            line = " " * min(len(indent) + 2, max(2, width - len(piece))) + piece
        else:
            line = f"{line} {piece}" if line else f"{indent}{piece}"
    return [*lines, line]


def columns(rows: Sequence[Sequence[str]], indent: str, gap: int = 2) -> list[str]:
    """Left-aligned columns as wide as their longest cell; the last one is not padded."""
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))] if rows else []
    return [
        (indent + (" " * gap).join(cell.ljust(size) for cell, size in zip(row, widths, strict=True))).rstrip()
        for row in rows
    ]


def some(items: Sequence[str], limit: int) -> str:
    """The first few of a list, and how many more there are."""
    shown = ", ".join(items[:limit])
    return shown if len(items) <= limit else f"{shown} and {len(items) - limit} more"


def plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def clipped(line: str, width: int) -> str:
    """For lines that show source, which cannot be broken."""
    return line if len(line) <= width else line[: width - 3].rstrip() + "..."
