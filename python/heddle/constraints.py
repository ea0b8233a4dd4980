"""A constraints document as objects, and the questions that reports ask of it.

The document says: handlers, the objects they touch, how (accesses), and per pair of handlers a verdict with the
conflicts behind it. Invariant taken from the schema: a pair that is not listed is `always`.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from heddle.schemas import Document

Verdict = Literal["never", "session", "always"]


@dataclass(frozen=True)
class Frame:
    function: str
    file: str
    line: int

    def __str__(self) -> str:
        return f"{self.function} {self.place}"

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Handler:
    id: int
    name: str
    file: str
    line: int
    kind: str
    session_kind: str
    session_offset: int
    session_type: str
    registered: tuple[Frame, ...]
    dispatch: tuple[str, ...]

    @property
    def session(self) -> str:
        """What tells two invocations apart, in words."""
        if self.session_kind == "object":
            name = self.session_type or "object"
            return f"{name} + {self.session_offset}" if self.session_offset else name
        return "none (null)" if self.session_kind == "null" else "not known"


@dataclass(frozen=True)
class SharedObject:
    id: int
    name: str
    kind: str
    place: str


@dataclass(frozen=True)
class Access:
    handler: int
    object: int
    mode: str
    root: str
    alias: tuple[str, ...]
    path: tuple[Frame, ...]

    @property
    def last(self) -> Frame:
        return self.path[-1]


@dataclass(frozen=True)
class Conflict:
    object: int
    verdict: Verdict
    a_access: int
    b_access: int


@dataclass(frozen=True)
class Pair:
    a: int
    b: int
    verdict: Verdict
    conflicts: tuple[Conflict, ...]


@dataclass(frozen=True)
class Assumption:
    kind: str
    name: str
    count: int
    effect: str
    handlers: tuple[int, ...]
    place: str


@dataclass(frozen=True)
class Cause:
    """One object that keeps handlers apart, whatever the session: all `always` conflicts on it."""

    object: SharedObject
    pairs: tuple[Pair, ...]
    only: int  # pairs that nothing else keeps apart


class Constraints:
    def __init__(self, document: Document) -> None:
        self.program: str = document["program"]["name"]
        self.build_id: str = document["program"]["build_id"]
        self.handlers = [_handler(h) for h in document["handlers"]]
        self.objects = [SharedObject(o["id"], o["name"], o["kind"], _place(o)) for o in document["objects"]]
        self.accesses = [
            Access(a["handler"], a["object"], a["mode"], a["root"], tuple(a.get("alias", ())), _frames(a["path"]))
            for a in document["accesses"]
        ]
        self.pairs = [
            Pair(
                p["a"],
                p["b"],
                p["verdict"],
                tuple(Conflict(c["object"], c["verdict"], c["a_access"], c["b_access"]) for c in p["conflicts"]),
            )
            for p in document["pairs"]
        ]
        self.assumptions = [
            Assumption(a["kind"], a["name"], a["count"], a.get("effect", ""), tuple(a.get("handlers", ())), _place(a))
            for a in document["assumptions"]
        ]

    @cached_property
    def _by_ids(self) -> dict[tuple[int, int], Pair]:
        return {(pair.a, pair.b): pair for pair in self.pairs}

    def pair(self, a: int, b: int) -> Pair:
        low, high = min(a, b), max(a, b)
        return self._by_ids.get((low, high)) or Pair(low, high, "always", ())

    def named(self, name: str) -> list[Handler]:
        """Handlers called `name`, or `FILE:name` where several files have one of that name."""
        file, _, function = name.rpartition(":")
        return [h for h in self.handlers if h.name == function and (not file or h.file.endswith(file))]

    def label(self, handler: int) -> str:
        """The handler's name, with its file where the name alone is not enough."""
        found = self.handlers[handler]
        return found.name if len(self.named(found.name)) == 1 else f"{found.file}:{found.name}"

    def count(self, verdict: Verdict) -> int:
        size = len(self.handlers)
        return sum(self.pair(a, b).verdict == verdict for a in range(size) for b in range(a, size))

    def causes(self) -> list[Cause]:
        """Objects behind `always` verdicts; first the one whose removal would free most pairs."""
        blocked: dict[int, list[Pair]] = {}
        for pair in self.pairs:
            for item in _objects(c for c in pair.conflicts if c.verdict == "always"):
                blocked.setdefault(item, []).append(pair)
        causes = [
            Cause(
                self.objects[item],
                tuple(pairs),
                sum(len(_objects(c for c in pair.conflicts if c.verdict == "always")) == 1 for pair in pairs),
            )
            for item, pairs in blocked.items()
        ]
        return sorted(causes, key=lambda cause: (-cause.only, -len(cause.pairs), cause.object.name))

    def session_objects(self) -> list[SharedObject]:
        """Objects that order invocations of one session and nothing else."""
        always = {c.object for pair in self.pairs for c in pair.conflicts if c.verdict == "always"}
        session = {c.object for pair in self.pairs for c in pair.conflicts if c.verdict == "session"}
        return sorted((self.objects[i] for i in session - always), key=lambda item: item.name)

    def unexplained(self) -> list[Pair]:
        """Pairs kept apart without a conflict to show: their handlers reach something that is not known."""
        size = len(self.handlers)
        pairs = (self.pair(a, b) for a in range(size) for b in range(a, size))
        return [p for p in pairs if p.verdict == "always" and not any(c.verdict == "always" for c in p.conflicts)]

    def witnesses(self, cause: Cause) -> tuple[Access, Access]:
        """One writing access to the object and one that meets it, of different handlers where there are any."""
        best: tuple[Access, Access] | None = None
        for pair in cause.pairs:
            for conflict in pair.conflicts:
                if conflict.object != cause.object.id or conflict.verdict != "always":
                    continue
                first, second = self.accesses[conflict.a_access], self.accesses[conflict.b_access]
                if first.mode != "write":
                    first, second = second, first
                if best is None or (best[0].handler == best[1].handler and first.handler != second.handler):
                    best = first, second
        assert best is not None, "a cause has a conflict"
        return best


def _objects(conflicts: Iterable[Conflict]) -> set[int]:
    return {conflict.object for conflict in conflicts}


def _handler(h: Document) -> Handler:
    session = h["session"]
    registrations = h["registrations"]
    return Handler(
        h["id"],
        h["name"],
        h["file"],
        h["line"],
        h["kind"],
        session["kind"],
        session["offset"],
        session.get("type", ""),
        _frames(registrations[0]["path"]) if registrations else (),
        tuple(h.get("dispatch", ())),
    )


def _frames(path: list[Document]) -> tuple[Frame, ...]:
    return tuple(Frame(f["function"], f["file"], f["line"]) for f in path)


def _place(item: Document) -> str:
    return f"{item['file']}:{item['line']}" if item.get("file") and item.get("line") else item.get("file", "")
