"""Which files are long enough to be asked what their second subject is."""

from __future__ import annotations

from project_files import CPP, ROOT, TYPESCRIPT, C, files_with

MANY_LINES = 500


def long_files(many: int = MANY_LINES) -> list[str]:
    said = []
    for path in files_with(*C, *CPP, *TYPESCRIPT, ".py"):
        lines = len((ROOT / path).read_text().splitlines())
        if lines > many:
            said.append(f"{path} has {lines} lines: if there is a second subject in it, give that a file of its own")
    return said
