"""What an earlier analysis found, for a program that does the same as it did then.

The last analysis of each program is kept in the user's cache, with the bitcode it was of. If the analyser and its
specs are the same and the modules are too, or the analyser finds that those which were compiled again look the same to
it (`elyze compare`), then so is the result, but for its line numbers and the build id. In every other case the program
is analysed anew: unification makes one solution of all functions, and a changed access may change any part of it. A
cache that is damaged or cannot be written costs time, never a result.
"""

import contextlib
import json
import re
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from heddle import kept

if TYPE_CHECKING:
    from heddle.analysis import Target

_MANY = 40  # changed modules: comparing more would take as long as analysing
_IN_A_NAME = re.compile(rb"[\w.]")
_BUILD_ID = re.compile(rb'(?<="build_id": ")[^"]*')
_DOCUMENT, _NUMBERS, _KEY = "document.json", "numbers.json", "key.json"


class DifferentError(Exception):
    """The program is not what it was, or nothing can be said about it."""


class Cache:
    """The last analysis of one program. `parts` are the files that decide what an analysis says: analyser and specs."""

    def __init__(self, target: "Target", analyser: Path, parts: Sequence[Path]) -> None:
        self._file = kept.place("analyses", target.default_output, ".zip")
        self._target = target
        self._analyser = analyser
        self._digests = [target.digests.get(module) or kept.digest_of(module) for module in target.modules]
        names = [module.name for module in target.modules]
        decides = kept.digest("".join(kept.digest_of(part) for part in (analyser, *parts)).encode())
        self._key = {"analyser": decides, "program": target.name, "modules": names}

    def find(self, scratch: Path) -> bytes | None:
        """The document of the program, if it follows from the last one."""
        try:
            with zipfile.ZipFile(self._file) as last:
                key = json.loads(last.read(_KEY))
                if {name: key.get(name) for name in self._key} != self._key:
                    return None
                document, numbers = last.read(_DOCUMENT), last.read(_NUMBERS)
                if [kept.digest(document), kept.digest(numbers)] != key["results"]:
                    return None
                changed = self._changed(last, key["digests"], scratch)
            if changed:
                (scratch / _NUMBERS).write_bytes(numbers)
                document = _move(document, *self._moved(changed, scratch / _NUMBERS))
            self._file.touch()
        except (OSError, ValueError, TypeError, KeyError, AttributeError, zipfile.BadZipFile, DifferentError):
            return None
        return _BUILD_ID.sub(self._target.build_id.encode(), document, count=1)

    def keep(self, document: bytes, numbers: bytes) -> None:
        """`numbers`: what the analyser wrote with --numbers-read."""
        key = self._key | {"digests": self._digests, "results": [kept.digest(document), kept.digest(numbers)]}
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            with tempfile.NamedTemporaryFile(dir=self._file.parent, suffix=".new", delete=False) as file:
                try:
                    with zipfile.ZipFile(file, "w") as new:
                        new.writestr(_KEY, json.dumps(key))
                        new.writestr(_DOCUMENT, document)
                        new.writestr(_NUMBERS, numbers)
                        for number, module in enumerate(self._target.modules):
                            new.write(module, _member(number))
                    Path(file.name).replace(self._file)
                except BaseException:
                    Path(file.name).unlink(missing_ok=True)
                    raise
            kept.forget_oldest(self._file)

    def _changed(self, last: zipfile.ZipFile, digests: Sequence[str], scratch: Path) -> dict[Path, Path]:
        """The modules that were compiled again -> a file with what they were."""
        modules = self._target.modules
        which = [i for i, (was, now) in enumerate(zip(digests, self._digests, strict=True)) if was != now]
        if len(which) > _MANY:
            raise DifferentError
        changed = {}
        for number in which:
            before = scratch / f"before-{number}.bc"
            before.write_bytes(last.read(_member(number)))
            if kept.digest_of(before) != digests[number]:
                raise DifferentError
            changed[modules[number]] = before
        return changed

    def _moved(self, changed: dict[Path, Path], numbers: Path) -> tuple["Lines", dict[str, str]]:
        """Where the lines of the files are that the changed modules speak of, and what is named after its line."""
        builds = [str(file) for now, before in changed.items() for file in (before, now)]
        command = [str(self._analyser), "compare", "--numbers-read", str(numbers), *builds]
        done = subprocess.run(command, capture_output=True, check=False)
        found = json.loads(done.stdout) if done.returncode == 0 else {}
        if found.get("same") is not True:
            raise DifferentError
        lines = {file: dict(moved) for file, moved in found["lines"].items()}
        # A module that was not compiled again still speaks of the lines as they were.
        stale = [name.rpartition("/")[2].encode() for name in (*lines, *found["names"])]
        for module in self._target.modules if stale else ():
            if module in changed:
                continue
            content = module.read_bytes()
            if any(name in content for name in stale):
                raise DifferentError
        return lines, found["names"]


Lines = dict[str, dict[int, int]]  # per source file, as elyze names it: line before -> line now


def _member(number: int) -> str:
    return f"modules/{number:05}.bc"


def _move(document: bytes, lines: Lines, names: dict[str, str]) -> bytes:
    """Puts the new lines in, and the new names; raises KeyError if a line is not known."""
    for file, moved in lines.items():
        now = {b"%d" % old: b"%d" % new for old, new in moved.items()} | {b"0": b"0"}

        def put(found: re.Match[bytes], now: dict[bytes, bytes] = now) -> bytes:
            return found[1] + now[found[2]]

        name = re.escape(json.dumps(file, ensure_ascii=False).encode())
        document = re.sub(rb'("file": ' + name + rb',\s*"line": )(\d+)', put, document)
        # The name of a block of memory, or of an open file, says where it is from, wherever it is used.
        document = re.sub(rb"( at " + name[1:-1] + rb':)(\d+)(?=")', put, document)
    if names:
        # Begins with what all names begin with, which is found much sooner than the end of another word.
        any_name = rb"(?:" + b"|".join(re.escape(name.encode()) for name in names) + rb")(?!\w)"

        def rename(found: re.Match[bytes]) -> bytes:
            before = found.string[found.start() - 1 : found.start()]
            return found[0] if _IN_A_NAME.match(before) else names[found[0].decode()].encode()

        document = re.sub(any_name, rename, document)
    return document
