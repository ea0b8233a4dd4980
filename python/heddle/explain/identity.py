"""Names for conflicts that survive edits of the program: no line numbers, no numbers of a document.

A conflict is known by its two handlers and its object. A handler is known by its function (and file, where several
files have one of that name), an object by its name and kind, and by its file where the name is not unique. Whatever
still has the same name gets a number, in the order of the document.

A pair that is `always` without a conflict to show for it counts as one conflict on what is not known.
"""

import hashlib
import re
from collections import Counter, defaultdict
from dataclasses import dataclass
from pathlib import PurePosixPath

from heddle.documents.constraints import Access, Conflict, Constraints, Pair, SharedObject, Verdict

NOT_SAID = "what is not known"


@dataclass(frozen=True, order=True)
class Identity:
    first: str
    second: str
    object: str

    @property
    def fingerprint(self) -> str:
        return hashlib.sha256("\0".join((self.first, self.second, self.object)).encode()).hexdigest()[:32]

    def __str__(self) -> str:
        return f"{self.first} x {self.second} on {self.object}"


@dataclass(frozen=True)
class Known:
    """A conflict with its name; `conflict` is missing where nothing is said about the pair."""

    identity: Identity
    verdict: Verdict
    pair: Pair
    conflict: Conflict | None

    @property
    def object_id(self) -> int | None:
        return None if self.conflict is None else self.conflict.object


def conflicts(constraints: Constraints) -> list[Known]:
    handlers = _handler_names(constraints)
    objects = _object_names(constraints)

    def named(pair: Pair, item: str) -> Identity:
        first, second = sorted((handlers[pair.a], handlers[pair.b]))
        return Identity(first, second, item)

    found: list[Known] = []
    for pair in constraints.pairs:
        for conflict in pair.conflicts:
            found.append(Known(named(pair, objects[conflict.object]), conflict.verdict, pair, conflict))
    for pair in constraints.unexplained():
        found.append(Known(named(pair, NOT_SAID), "always", pair, None))
    return found


def path_of(access: Access) -> tuple[str, ...]:
    """The functions on the way to an access."""
    return tuple(frame.function for frame in access.path)


def _handler_names(constraints: Constraints) -> list[str]:
    count = Counter(handler.name for handler in constraints.handlers)
    return [h.name if count[h.name] == 1 else f"{PurePosixPath(h.file).name}:{h.name}" for h in constraints.handlers]


def _object_names(constraints: Constraints) -> list[str]:
    by_name: dict[str, list[SharedObject]] = defaultdict(list)
    for item in constraints.objects:
        by_name[_named(item)].append(item)
    names = [""] * len(constraints.objects)
    for name, items in by_name.items():
        for number, item in enumerate(sorted(items, key=lambda item: (item.line, item.id)), 1):
            names[item.id] = name if len(items) == 1 else f"{name} #{number}"
    return names


def _named(item: SharedObject) -> str:
    """`stats.requests (global)`; a static variable and a block need their file to be told from others."""
    file = f", {PurePosixPath(item.file).name}" if item.file and item.kind in ("global", "heap") else ""
    return f"{without_lines(item.name)} ({item.kind}{file})"


def without_lines(name: str) -> str:
    """`block from strdup at src/a.c:193` as `block from strdup at src/a.c`."""
    return re.sub(r"(\.\w+):\d+\b", r"\1", name)
