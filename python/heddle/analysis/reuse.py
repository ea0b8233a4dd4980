"""Takes the result of the last analysis where a new one would find the same.

The last analysis of each program is kept in the user's cache, with the bitcode that it read. Its result still holds,
but for line numbers and the build id, if the analyser and its specs are the same, and every module is either the same
or, compiled again, looks the same to the analyser (`elyze compare`). In every other case the program is analysed anew:
unification makes one solution of all functions, so a changed access may change any part of it. A cache that is damaged
or cannot be written costs time, never a result.
"""

import contextlib
import json
import subprocess
import tempfile
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from heddle.analysis.moving import Lines, move
from heddle.analysis.target import Target
from heddle.documents import schemas
from heddle.documents.schemas import Document
from heddle.errors import BadInputError
from heddle.system import kept

_MANY = 40  # changed modules: comparing more would take as long as analysing
_DOCUMENT, _NUMBERS, _KEY = "document.json", "numbers.json", "key.json"


class DifferentError(Exception):
    """The program differs in more than the last result can be adapted to, or that cannot be told."""


@dataclass(frozen=True)
class Found:
    document: Document
    text: bytes | None = None  # the document as the cache has it, if nothing in it had to be changed


class Cache:
    """The last analysis of one program.

    What decides what an analysis says: the analyser, `parts`, which are specs, and the `options` it is given.
    """

    def __init__(self, target: Target, analyser: Path, parts: Sequence[Path], options: Sequence[str] = ()) -> None:
        self._file = kept.place("analyses", target.default_output, ".zip")
        self._target = target
        self._analyser = analyser
        self._digests = [target.digests.get(module) or kept.digest_of(module) for module in target.modules]
        names = [module.name for module in target.modules]
        decides = kept.digest("".join([*(kept.digest_of(part) for part in (analyser, *parts)), *options]).encode())
        self._key = {"analyser": decides, "program": target.name, "modules": names}

    def find(self, scratch: Path) -> Found | None:
        """The document that a new analysis would write, if that can be told from the last one."""
        if self._file is None:
            return None
        try:
            with zipfile.ZipFile(self._file) as last:
                key = json.loads(last.read(_KEY))
                if {name: key.get(name) for name in self._key} != self._key:
                    return None
                document, numbers = last.read(_DOCUMENT), last.read(_NUMBERS)
                if [kept.digest(document), kept.digest(numbers)] != key["results"]:
                    return None
                changed = self._changed(last, key["digests"], scratch)
            found = Found(schemas.parse(document, "constraints", "what is kept"), document)
            if changed and "scratch" in found.document:
                return None  # what is scratch depends on any number in the program
            if changed:
                (scratch / _NUMBERS).write_bytes(numbers)
                move(found.document, *self._moved(changed, scratch / _NUMBERS))
            program = found.document["program"]
            if changed or program["build_id"] != self._target.build_id:
                program["build_id"] = self._target.build_id
                found = Found(found.document)
            self._file.touch()
        except (OSError, ValueError, TypeError, KeyError, AttributeError, zipfile.BadZipFile):
            return None
        except (BadInputError, DifferentError):
            return None
        return found

    def keep(self, document: bytes, numbers: bytes) -> None:
        """`numbers`: what the analyser wrote with --numbers-read."""
        if self._file is None:
            return
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
        """Module that differs from what is kept -> a file with the kept module."""
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

    def _moved(self, changed: dict[Path, Path], numbers: Path) -> tuple[Lines, dict[str, str]]:
        """Where the lines now are that the changed modules name, and the new names of what is named after its line."""
        builds = [str(file) for now, before in changed.items() for file in (before, now)]
        command = [str(self._analyser), "compare", "--numbers-read", str(numbers), *builds]
        done = subprocess.run(command, capture_output=True, check=False)
        found = json.loads(done.stdout) if done.returncode == 0 else {}
        if found.get("same") is not True:
            raise DifferentError
        lines = {file: dict(moved) for file, moved in found["lines"].items()}
        # A module that was not compiled again still names the old lines of these files.
        stale = [name.rpartition("/")[2].encode() for name in (*lines, *found["names"])]
        for module in self._target.modules if stale else ():
            if module in changed:
                continue
            content = module.read_bytes()
            if any(name in content for name in stale):
                raise DifferentError
        return lines, found["names"]


def _member(number: int) -> str:
    return f"modules/{number:05}.bc"
