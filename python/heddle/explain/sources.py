"""Lines of the program's source for reports, found where the program was built or where the user says.

A document names files as the compiler was told: relative to the folder of the build. They are looked for in the folders
given with --sources, beside the program, and where the user stands. A line that cannot be found is left out; nothing
depends on it.
"""

from collections.abc import Iterable
from functools import cached_property
from pathlib import Path

_LARGEST = 8 << 20  # bytes; no source file that a person reads is larger


class Sources:
    def __init__(self, folders: Iterable[Path], made: float | None = None) -> None:
        """`made`: when the program was. A file that was changed since then has other lines now, and is left out."""
        self._folders = list(folders)
        self._made = made
        self._files: dict[str, list[str]] = {}
        self.changed: list[str] = []

    def line(self, file: str, number: int) -> str:
        """Without its indentation; empty if there is no such line."""
        lines = self._lines(file)
        return lines[number - 1].strip() if 0 < number <= len(lines) else ""

    def around(self, file: str, number: int, margin: int) -> dict[int, str]:
        lines = self._lines(file)
        if not 0 < number <= len(lines):
            return {}
        first, last = max(1, number - margin), min(len(lines), number + margin)
        return {n: lines[n - 1].rstrip() for n in range(first, last + 1)}

    @cached_property
    def _roots(self) -> list[Path]:
        return [folder for folder in self._folders if folder.is_dir()]

    def _lines(self, file: str) -> list[str]:
        if file not in self._files:
            self._files[file] = self._read(file)
        return self._files[file]

    def _read(self, file: str) -> list[str]:
        for root in self._roots:
            path = root / file
            try:
                if not path.is_file() or path.stat().st_size > _LARGEST:
                    continue
                if self._made is not None and path.stat().st_mtime > self._made:
                    self.changed.append(file)
                    return []
                return path.read_text(errors="replace").expandtabs(4).splitlines()
            except OSError:
                continue
        return []
