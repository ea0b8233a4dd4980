"""Conflicts by cause: one variable, one function that reaches into other sessions, one thing that is not known.

A server has hundreds of conflicts and few causes: a handler that closes idle connections touches every field of every
session, and so conflicts with all handlers on all fields, for one reason. Each `always` conflict is given to one cause:

- hidden state of a library, or state of the process goes by its name, and so does what is not known, with unknown
  functions that the same handlers reach taken together;
- a part of a variable, and what is reached only through it, goes by the variable;
- a session's memory that a handler touches without it being its own session goes by how it got there: the function
  that took the pointer in, or the links (`client->next`) that lead from one session to the next;
- memory that sessions share goes by its type.

Where either of two ways could be blamed, the one that explains more conflicts is, so that there are few causes.
"""

import heapq
import re
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal

from heddle.documents.constraints import Access, Conflict, Constraints, Handler, Pair, SharedObject

Kind = Literal["variable", "function", "links", "shared", "hidden state", "process", "unknown"]


_HIDDEN = "hidden state of "
_STREAMS = {"descriptor 0": "stream stdin", "descriptor 1": "stream stdout", "descriptor 2": "stream stderr"}
UNKNOWN_EXTERNAL = "unknown external "
GIVEN_FUNCTION = "function that unknown code gave"


@dataclass(frozen=True)
class Key:
    kind: Kind
    name: str
    file: str = ""

    def __str__(self) -> str:
        return f"{self.kind} {self.name}"


@dataclass
class Cause:
    key: Key
    place: str = ""
    conflicts: list[tuple[Pair, Conflict]] = field(default_factory=list)
    objects: list[SharedObject] = field(default_factory=list)  # most often met first
    pairs: list[Pair] = field(default_factory=list)  # that it keeps apart, whatever else does
    only: int = 0  # pairs that nothing else keeps apart
    so_far: int = 0  # pairs that are free once this cause and those listed before it are removed

    @property
    def name(self) -> str:
        return self.key.name


def causes(constraints: Constraints) -> list[Cause]:
    """All causes of `always`, in the order in which removing them frees most pairs soonest."""
    return _in_order(_grouped(constraints))


def foreign(access: Access) -> bool:
    """Not proven to be in the handler's own session."""
    return access.root != "session"


def is_of_lock(access: Access) -> bool:
    """It takes a lock, gives it back, makes one, waits with one: what POSIX has for that."""
    return access.by.startswith(("pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "pthread_cond_", "sem_"))


def link_of(handler: Handler, access: Access) -> str:
    """The field of the handler's session through which it left that session, such as 'client->next'."""
    if access.alias_root != "argument" or len(access.alias) < 2:
        return ""
    known = {link.field for link in handler.links}
    return next((place for place in access.alias[1:] if place in known), "")


def _grouped(constraints: Constraints) -> list[Cause]:
    variables = {o.variable.name: o.variable.file for o in constraints.objects if o.variable}
    chooser = _Chooser(constraints, variables)
    candidates = [(pair, conflict, chooser.keys(conflict)) for pair, conflict in constraints.conflicts("always")]
    weight = Counter(key for _, _, keys in candidates for key in keys)
    found: dict[Key, Cause] = {}
    for pair, conflict, keys in candidates:
        key = max(keys, key=lambda key: (weight[key], key.kind, key.name))
        cause = found.setdefault(key, Cause(key))
        cause.conflicts.append((pair, conflict))
        if not cause.pairs or cause.pairs[-1] is not pair:
            cause.pairs.append(pair)
    for cause in found.values():
        met = Counter(conflict.object for _, conflict in cause.conflicts)
        cause.objects = [constraints.objects[item] for item, _ in met.most_common()]
        cause.place = _place(constraints, cause)
    return list(found.values())


class _Chooser:
    def __init__(self, constraints: Constraints, variables: dict[str, str]) -> None:
        self._constraints = constraints
        self._variables = variables
        self._of_objects: dict[int, list[Key]] = {}
        self._unknown = _unknown_groups(constraints)
        self._by_stream = _calls_on_streams(constraints)
        self._session_types = {h.session_type for h in constraints.handlers if h.session_kind == "object"} - {""}

    def keys(self, conflict: Conflict) -> list[Key]:
        item = self._constraints.objects[conflict.object]
        if conflict.object not in self._of_objects:
            self._of_objects[conflict.object] = self._of_object(item)
        known = self._of_objects[conflict.object]
        sides = self._constraints.sides(conflict)
        stream = _STREAMS.get(item.name, "")
        if stream and all(access.by in self._by_stream.get(stream, ()) for access in sides):
            return [Key("process", stream)]
        if known:
            return known
        if self._in_a_session(item):
            keys = [key for access in sides if foreign(access) for key in self._intrusion(access)]
            if keys:
                return keys
        names = [item.name] if not item.type else []
        names += [access.alias[0] for access in sides if access.alias_root == "global"]
        roots = [self._root_variable(name) for name in names]
        known = [Key("variable", name, self._variables[name]) for name in roots if name in self._variables]
        return known or [Key("shared", item.type or item.name, item.file)]

    def _of_object(self, item: SharedObject) -> list[Key]:
        """The causes that follow from the object alone, whichever handler gets hold of it; empty if there are none."""
        if item.kind == "unknown" and not item.type and not item.variable:
            return [Key("unknown", self._unknown.get(item.name, item.name))]
        if item.kind == "libc":
            hidden = item.name.startswith(_HIDDEN)
            return [Key("hidden state" if hidden else "process", item.name.removeprefix(_HIDDEN))]
        if item.kind == "os" and not item.place:
            return [Key("process", item.name)]
        if item.variable:
            return [Key("variable", item.variable.name, item.variable.file)]
        return []

    def _in_a_session(self, item: SharedObject) -> bool:
        """Whether the object is (a part of) the session of some handler, or is reached through one."""
        if item.type:
            return item.type in self._session_types
        return _words(item.name)[0] in self._session_types

    def _intrusion(self, access: Access) -> list[Key]:
        handler = self._constraints.handlers[access.handler]
        if access.by == "event loop":
            return []
        if link_of(handler, access):
            return [Key("links", handler.session_type or handler.name)]
        if access.alias_root == "argument" and len(access.alias) > 1:
            return []  # reached through the handler's own session: blamed on what sessions share
        return [Key("function", access.taken_in or handler.name, "" if access.taken_in else handler.file)]

    def _root_variable(self, place: str) -> str:
        """The variable that a place is in: the longest known one, for `f.x` may be a static local of f."""
        pieces = _words(place)
        for end in range(len(pieces), 0, -2):
            name = "".join(pieces[:end])
            if name in self._variables:
                return name
        return pieces[0]


def _calls_on_streams(constraints: Constraints) -> dict[str, set[str]]:
    """What is done to a stream is done to its descriptor as well: one cause, not two."""
    found: dict[str, set[str]] = {}
    for access in constraints.accesses:
        name = constraints.objects[access.object].name
        if access.by and name in _STREAMS.values():
            found.setdefault(name, set()).add(access.by)
    return found


def _unknown_groups(constraints: Constraints) -> dict[str, str]:
    """Unknown functions that the same handlers reach are one cause: a library that nothing is known of."""
    first: dict[tuple[int, ...], str] = {}
    groups: dict[str, str] = {}
    for assumption in sorted(constraints.assumptions, key=lambda assumption: assumption.name):
        if assumption.kind == "unknown_external" and assumption.name.isidentifier():
            name = f"{UNKNOWN_EXTERNAL}{assumption.name}"
            groups[name] = first.setdefault(assumption.handlers, name)
    return groups


def _words(place: str) -> list[str]:
    """`*client->body.data` as `client`, `->`, `body`, `.`, `data`."""
    return re.split(r"(->|\.|\[)", place.removeprefix("file of ").lstrip("*"))


def _place(constraints: Constraints, cause: Cause) -> str:
    """Where a reader should look first."""
    if cause.key.kind == "variable":
        return next((o.variable.place for o in cause.objects if o.variable and o.variable.name == cause.name), "")
    if cause.key.kind == "function":
        for _, conflict in cause.conflicts:
            for access in constraints.sides(conflict):
                for frame in access.path:
                    if frame.function == cause.name and foreign(access):
                        return frame.place
    if cause.key.kind in ("shared", "links"):
        return cause.objects[0].place
    return ""


_UNLISTED = -1


def _in_order(found: Iterable[Cause]) -> list[Cause]:
    """Greedy: next comes the cause that frees most pairs at once, then the one that most still wait for."""
    left = sorted(found, key=lambda cause: (-len(cause.pairs), str(cause.key), cause.key.file))
    waiting: dict[tuple[int, int], set[int]] = {}
    for number, cause in enumerate(left):
        for pair in cause.pairs:
            # Conflicts that the document leaves out keep a pair apart, whatever is removed.
            waiting.setdefault((pair.a, pair.b), {_UNLISTED} if pair.unlisted else set()).add(number)
    for number, cause in enumerate(left):
        cause.only = sum(waiting[pair.a, pair.b] == {number} for pair in cause.pairs)
    gain = [cause.only for cause in left]
    # A heap of gains. A gain only grows; when it does, a new entry is pushed, and the stale one is skipped when popped.
    waiting_list = [(-gain[number], number) for number in range(len(left))]
    heapq.heapify(waiting_list)
    ordered: list[Cause] = []
    told: set[int] = set()
    freed = 0
    while waiting_list:
        least, best = heapq.heappop(waiting_list)
        if best in told or -least != gain[best]:
            continue
        told.add(best)
        freed += gain[best]
        left[best].so_far = freed
        ordered.append(left[best])
        for pair in left[best].pairs:
            others = waiting[pair.a, pair.b]
            others.discard(best)
            if len(others) == 1 and _UNLISTED not in others:
                last = next(iter(others))
                gain[last] += 1
                heapq.heappush(waiting_list, (-gain[last], last))
    return ordered


def witness(constraints: Constraints, cause: Cause) -> tuple[Pair, Conflict]:
    """The conflict that shows a cause best: of different handlers, the writing side known by a path of its own."""

    def clearness(entry: tuple[Pair, Conflict]) -> tuple[bool, bool, bool, int]:
        pair, conflict = entry
        first, second = constraints.sides(conflict)
        loop = "event loop" in (first.by, second.by)
        intruder = cause.key.kind == "function" and any(
            access.mode != "read" and foreign(access) and cause.name == (access.taken_in or cause.name)
            for access in (first, second)
        )
        return (intruder, pair.a != pair.b, not loop, -len(first.path) - len(second.path))

    return max(cause.conflicts, key=clearness)
