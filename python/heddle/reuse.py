"""What an earlier analysis found, for a program that does the same as it did then.

The last analysis of each program is kept in the user's cache, with the bitcode it was of. If the analyser and its
specs are the same and the bitcode is too, or differs only in where its lines are (heddle.moved_lines), then so is the
result, but for its line numbers and the build id. In every other case the program is analysed anew: unification makes
one solution of all functions, and a changed access may change any part of it. A cache that is damaged or cannot be
written costs time, never a result.
"""

import contextlib
import hashlib
import json
import os
import re
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from heddle import moved_lines
from heddle.moved_lines import DifferentError, Lines

if TYPE_CHECKING:
    from heddle.analysis import Target

_KEPT = 16  # programs
_MANY = 40  # changed modules: comparing more would take as long as analysing
_BUILD_ID = re.compile(rb'(?<="build_id": ")[^"]*')


class Cache:
    """The last analysis of one program. `parts` are the files that decide what an analysis says: analyser and specs."""

    def __init__(self, target: "Target", parts: Sequence[Path]) -> None:
        base = os.environ.get("XDG_CACHE_HOME")
        self._folder = (Path(base) if base else Path.home() / ".cache") / "heddle" / "analyses"
        place = str(target.default_output.resolve()).encode()
        self._file = self._folder / f"{hashlib.sha256(place).hexdigest()[:32]}.zip"
        self._target = target
        digest = hashlib.sha256()
        for part in parts:
            digest.update(hashlib.sha256(part.read_bytes()).digest())
        names = [module.name for module in target.modules]
        self._key = {"analyser": digest.hexdigest(), "program": target.name, "modules": names}

    def find(self, scratch: Path) -> bytes | None:
        """The document of the program, if it follows from the last one."""
        try:
            with zipfile.ZipFile(self._file) as kept:
                if json.loads(kept.read("key.json")) != self._key:
                    return None
                document = _move(kept.read("document.json"), _moved(kept, self._target.modules, scratch))
            self._file.touch()
        except (OSError, ValueError, KeyError, zipfile.BadZipFile, DifferentError):
            return None
        return _BUILD_ID.sub(self._target.build_id.encode(), document, count=1)

    def keep(self, document: bytes) -> None:
        with contextlib.suppress(OSError):
            self._folder.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._folder, suffix=".new", delete=False) as file:
                try:
                    with zipfile.ZipFile(file, "w") as kept:
                        kept.writestr("key.json", json.dumps(self._key))
                        kept.writestr("document.json", document)
                        for number, module in enumerate(self._target.modules):
                            kept.write(module, _member(number))
                    Path(file.name).replace(self._file)
                except BaseException:
                    Path(file.name).unlink(missing_ok=True)
                    raise
            self._forget_oldest()

    def _forget_oldest(self) -> None:
        kept = sorted(self._folder.glob("*.zip"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in kept[_KEPT:]:
            file.unlink(missing_ok=True)


def _member(number: int) -> str:
    return f"modules/{number:05}.bc"


def _moved(kept: zipfile.ZipFile, modules: Sequence[Path], scratch: Path) -> Lines:
    same, changed = [], []
    for number, module in enumerate(modules):
        before, now = kept.read(_member(number)), module.read_bytes()
        if before == now:
            same.append(now)
        else:
            changed.append((before, module))
    if len(changed) > _MANY:
        raise DifferentError
    lines: Lines = {}
    for before, module in changed:
        old = scratch / "before.bc"
        old.write_bytes(before)
        moved_lines.merge(lines, moved_lines.between(old, module))
    for file, moved in lines.items():
        # A module that was not compiled again still speaks of the lines as they were.
        if any(old != new for old, new in moved.items()):
            name = file.rpartition("/")[2].encode()
            if any(name in module for module in same):
                raise DifferentError
    return lines


def _move(document: bytes, lines: Lines) -> bytes:
    """Puts the new lines in; raises KeyError if one is not known."""
    for file, moved in lines.items():
        if all(old == new for old, new in moved.items()):
            continue
        now = {b"%d" % old: b"%d" % new for old, new in moved.items()} | {b"0": b"0"}

        def put(found: re.Match[bytes], now: dict[bytes, bytes] = now) -> bytes:
            return found[1] + now[found[2]]

        name = re.escape(json.dumps(file, ensure_ascii=False).encode())
        document = re.sub(rb'("file": ' + name + rb',\s*"line": )(\d+)', put, document)
        # The name of a block of memory says where it is from.
        document = re.sub(rb'("name": "[^"\n]* at ' + name[1:-1] + rb":)(\d+)", put, document)
    return document
