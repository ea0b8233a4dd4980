"""Colour and width of plain text output.

Colour only marks what the words already say, so that a report reads the same in a file, in a log and with NO_COLOR.
"""

import os
import shutil
from typing import TextIO

_CODES = {"bold": "1", "dim": "2", "red": "31", "green": "32", "yellow": "33", "cyan": "36"}


class Palette:
    def __init__(self, enabled: bool) -> None:
        self.enabled = enabled

    def __call__(self, style: str, text: str) -> str:
        return f"\x1b[{_CODES[style]}m{text}\x1b[0m" if self.enabled else text


PLAIN = Palette(enabled=False)


def palette(stream: TextIO) -> Palette:
    return Palette(stream.isatty() and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb")


def width() -> int:
    """Columns for a report: what the terminal has, within what can be read; 100 where there is no terminal."""
    return max(80, min(120, shutil.get_terminal_size((100, 24)).columns))
