"""A constraints document as objects, and the questions that reports ask of it.

The document says: handlers, the objects they touch, how (accesses), and per pair of handlers a verdict with the
conflicts behind it. Invariant taken from the schema: a pair that is not listed is `always`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from heddle.documents import contracts, schemas
from heddle.documents.schemas import Document
from heddle.errors import BadInputError

Verdict = contracts.Verdict
_STRENGTH: dict[Verdict, int] = {verdict: strength for strength, verdict in enumerate(contracts.VERDICTS)}


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
class Link:
    """A field of a session object that leads to sessions: neighbours in a list, a peer."""

    field: str
    type: str


@dataclass(frozen=True)
class SecondLevel:
    """A function that the session keeps, which the handler calls for it."""

    function: str
    argument: str  # what it is given of the session; empty for anything else

    def __str__(self) -> str:
        return f"{self.function} ({self.argument})" if self.argument else self.function


@dataclass(frozen=True)
class Pin:
    """A place by which only the thread that entered the loop may run a handler."""

    by: str
    state: contracts.ThreadState
    path: tuple[Frame, ...]
    tie: int | None  # pinned only because of it


@dataclass(frozen=True)
class Tie:
    """Who may change state of a thread that other handlers depend on."""

    by: str
    state: contracts.ThreadState
    path: tuple[Frame, ...]
    handler: int | None


@dataclass(frozen=True)
class Handler:
    id: int
    name: str
    file: str
    line: int
    kind: contracts.HandlerKind
    session_kind: contracts.SessionKind
    session_offset: int
    session_type: str
    links: tuple[Link, ...]
    registered: tuple[Frame, ...]
    dispatch: tuple[SecondLevel, ...]
    pinned: tuple[Pin, ...]

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"

    @property
    def session(self) -> str:
        """What tells two invocations apart, in words."""
        if self.session_kind == "object":
            name = self.session_type or "object"
            return f"{name} + {self.session_offset}" if self.session_offset else name
        return "none (null)" if self.session_kind == "null" else "not known"


@dataclass(frozen=True)
class Variable:
    name: str
    file: str
    line: int
    function: str  # of a static variable in a function

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}"


@dataclass(frozen=True)
class Value:
    kind: contracts.ValueKind
    type: str
    bytes: int


@dataclass(frozen=True)
class Use:
    """What the instructions of handlers do with an object; the schema says what each figure counts."""

    complete: bool
    reads: int
    adds: int
    sets: int
    constants: int
    calls: int
    atomics: int
    tested: bool
    first_use: bool
    before_loop: bool
    functions: tuple[str, ...]


@dataclass(frozen=True)
class SharedObject:
    id: int
    name: str
    kind: contracts.ObjectKind
    type: str
    file: str
    line: int
    variable: Variable | None
    value: Value | None
    use: Use | None

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.file and self.line else self.file


@dataclass(frozen=True)
class Access:
    id: int
    handler: int
    object: int
    mode: contracts.AccessMode
    root: contracts.AccessRoot
    alias: tuple[str, ...]
    alias_root: contracts.AliasRoot | None  # None where there is no alias
    alias_exact: bool
    taken_in: str
    by: str
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
    unlisted: int = 0  # further objects that they conflict on, which a large document leaves out
    # The verdict by which a (or b) may start while the other one runs, where it is weaker than `verdict`: the objects
    # that make the difference are touched behind late points only, and the runtime stops the handler there.
    a_starts: Verdict | None = None
    b_starts: Verdict | None = None

    def starts(self, handler: int) -> Verdict:
        """The verdict by which `handler`, one of the two, may start while the other one runs."""
        found = self.a_starts if handler == self.a else self.b_starts
        return found or self.verdict

    @property
    def together(self) -> Verdict:
        """The verdict by which the two overlap at all, whichever of them starts first."""
        return max(self.starts(self.a), self.starts(self.b), key=_STRENGTH.__getitem__)


@dataclass(frozen=True)
class LatePoint:
    """A place at which a rarely taken path is entered (heddle build --late); `objects` are touched behind it only."""

    function: str
    place: str
    handlers: tuple[int, ...]
    objects: tuple[int, ...]


@dataclass(frozen=True)
class Assumption:
    kind: contracts.AssumptionKind
    name: str
    count: int
    effect: str
    handlers: tuple[int, ...]
    place: str


class Constraints:
    def __init__(self, document: Document) -> None:
        self.document = document
        self.program: str = document["program"]["name"]
        self.names: dict[str, str] = document.get("names", {})
        self.build_id: str = document["program"]["build_id"]
        self.handlers = [_handler(h) for h in document["handlers"]]
        self.objects = [_object(o) for o in document["objects"]]
        self.accesses = [_access(a) for a in document["accesses"]]
        self.pairs = [
            Pair(
                p["a"],
                p["b"],
                p["verdict"],
                tuple(Conflict(c["object"], c["verdict"], c["a_access"], c["b_access"]) for c in p["conflicts"]),
                p.get("unlisted", 0),
                p.get("starts", {}).get("a"),
                p.get("starts", {}).get("b"),
            )
            for p in document["pairs"]
        ]
        self.late_points = [
            LatePoint(point["function"], _place(point), tuple(point["handlers"]), tuple(point["objects"]))
            for point in document.get("late_points", ())
        ]
        self.ties = [
            Tie(tie["by"], tie["state"], _frames(tie["path"]), tie.get("handler")) for tie in document.get("ties", ())
        ]
        self.assumptions = [
            Assumption(a["kind"], a["name"], a["count"], a.get("effect", ""), tuple(a.get("handlers", ())), _place(a))
            for a in document["assumptions"]
        ]

    @cached_property
    def for_people(self) -> "Constraints":
        """The same document with C++ functions called as in the source. Handlers and objects keep their numbers."""
        return Constraints(_renamed(self.document, self.names)) if self.names else self

    @cached_property
    def _symbols(self) -> dict[str, str]:
        return {shown: symbol for symbol, shown in self.names.items()}

    def symbol(self, name: str) -> str:
        """What the ELF symbol table calls it."""
        return self._symbols.get(name, name)

    def called(self, name: str) -> str:
        """What people call it."""
        return self.names.get(name, name)

    @cached_property
    def _by_ids(self) -> dict[tuple[int, int], Pair]:
        return {(pair.a, pair.b): pair for pair in self.pairs}

    def pair(self, a: int, b: int) -> Pair:
        low, high = min(a, b), max(a, b)
        return self._by_ids.get((low, high)) or Pair(low, high, "always", ())

    def named(self, name: str) -> list[Handler]:
        """Handlers called `name`, or `FILE:name` where several files have one of that name."""
        found = [h for h in self.handlers if name in self._names_of(h)]
        if found:
            return found
        file, _, function = name.rpartition(":")
        return [h for h in self.handlers if function in self._names_of(h) and h.file.endswith(file)]

    def _names_of(self, handler: Handler) -> tuple[str, str, str]:
        """As the symbol table has it, as the source has it, and that without parameters."""
        shown = self.called(handler.name)
        return self.symbol(handler.name), shown, shown.removesuffix(" const").partition("(")[0]

    def label(self, handler: int) -> str:
        """The handler's name, with its file where the name alone is not enough."""
        found = self.handlers[handler]
        return found.name if len(self.named(found.name)) == 1 else f"{found.file}:{found.name}"

    def count(self, verdict: Verdict) -> int:
        size = len(self.handlers)
        return sum(self.pair(a, b).verdict == verdict for a in range(size) for b in range(a, size))

    def conflicts(self, verdict: Verdict) -> Iterator[tuple[Pair, Conflict]]:
        for pair in self.pairs:
            for conflict in pair.conflicts:
                if conflict.verdict == verdict:
                    yield pair, conflict

    def sides(self, conflict: Conflict) -> tuple[Access, Access]:
        return self.accesses[conflict.a_access], self.accesses[conflict.b_access]

    def session_objects(self) -> list[SharedObject]:
        """Objects that order invocations of one session and nothing else."""
        always = {conflict.object for _, conflict in self.conflicts("always")}
        session = {conflict.object for _, conflict in self.conflicts("session")}
        return sorted((self.objects[i] for i in session - always), key=lambda item: item.name)

    def unexplained(self) -> list[Pair]:
        """Pairs kept apart without a conflict to show: their handlers reach something that is not known."""
        size = len(self.handlers)
        pairs = (self.pair(a, b) for a in range(size) for b in range(a, size))
        return [p for p in pairs if p.verdict == "always" and not any(c.verdict == "always" for c in p.conflicts)]


def load(path: Path) -> Constraints:
    """A document from a file; it keeps to the schema, and its numbers lead to entries that are there."""
    document = schemas.load(path, "constraints")
    schemas.check(document, "constraints", str(path))
    check_references(document, str(path))
    return Constraints(document)


def check_references(document: Document, source: str) -> None:
    """What the schema cannot say: numbers that stand for entries of the document lead to one."""
    sizes = {name: len(document[name]) for name in ("handlers", "objects", "accesses")}
    for name in sizes:
        for number, entry in enumerate(document[name]):
            if entry["id"] != number:
                raise _damaged(source, f"{name}[{number}] has the id {entry['id']}")

    def known(name: str, number: int, where: str) -> None:
        if number >= sizes[name]:
            raise _damaged(source, f"{where} names {name}[{number}], which is not there")

    for number, access in enumerate(document["accesses"]):
        known("handlers", access["handler"], f"accesses[{number}]")
        known("objects", access["object"], f"accesses[{number}]")
    seen: set[tuple[int, int]] = set()
    for number, pair in enumerate(document["pairs"]):
        where = f"pairs[{number}]"
        known("handlers", pair["b"], where)
        if pair["a"] > pair["b"] or (pair["a"], pair["b"]) in seen:
            raise _damaged(source, f"{where} is out of order or there twice")
        seen.add((pair["a"], pair["b"]))
        for conflict in pair["conflicts"]:
            known("objects", conflict["object"], where)
            for side in ("a", "b"):
                known("accesses", conflict[f"{side}_access"], where)
                if document["accesses"][conflict[f"{side}_access"]]["handler"] != pair[side]:
                    raise _damaged(source, f"{where} names an access of another handler")
        starts = pair.get("starts", {})
        if any(_STRENGTH[verdict] > _STRENGTH[pair["verdict"]] for verdict in starts.values()):
            raise _damaged(source, f"{where} has a 'starts' that is stronger than its verdict")
        if any(verdict != pair["verdict"] for verdict in starts.values()) and not document.get("late_points"):
            raise _damaged(source, f"{where} has a 'starts', and there are no late points")
        if "apart" in pair and _STRENGTH[pair["apart"]] > _STRENGTH[pair["verdict"]]:
            raise _damaged(source, f"{where} has an 'apart' that is stronger than its verdict")
        if "apart" in pair and not document.get("scratch"):
            raise _damaged(source, f"{where} has an 'apart', and there are no scratch objects")
    for number, point in enumerate(document.get("late_points", ())):
        for name in ("handlers", "objects"):
            for entry in point[name]:
                known(name, entry, f"late_points[{number}]")
    for number, assumption in enumerate(document["assumptions"]):
        for handler in assumption.get("handlers", ()):
            known("handlers", handler, f"assumptions[{number}]")
    ties = document.get("ties", ())
    for number, tie in enumerate(ties):
        if "handler" in tie:
            known("handlers", tie["handler"], f"ties[{number}]")
    for number, handler in enumerate(document["handlers"]):
        for pin in handler.get("pinned", ()):
            if pin.get("tie", -1) >= len(ties):
                raise _damaged(source, f"handlers[{number}] names ties[{pin['tie']}], which is not there")


def call_of(function: str) -> str:
    """`serve()`; what C++ functions are called has its parameters."""
    return function if function.endswith((")", "const")) else f"{function}()"


def _damaged(source: str, what: str) -> BadInputError:
    return BadInputError(f"{source} contradicts itself ({what})", "make it again: heddle analyze PROGRAM")


def _renamed(document: Document, names: dict[str, str]) -> Document:
    """The document, but for `names` itself, with each text that is one of them replaced."""

    def renamed(part: Any) -> Any:  # noqa: ANN401 - whatever JSON can hold
        if isinstance(part, str):
            return names.get(part, part)
        if isinstance(part, list):
            return [renamed(item) for item in part]
        if isinstance(part, dict):
            return {key: item if key == "names" else renamed(item) for key, item in part.items()}
        return part

    result: Document = renamed(document)
    return result


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
        tuple(Link(link["field"], link["type"]) for link in session.get("links", ())),
        _frames(registrations[0]["path"]) if registrations else (),
        tuple(SecondLevel(d["function"], d["argument"]) for d in h.get("dispatch", ())),
        tuple(Pin(p["by"], p["state"], _frames(p["path"]), p.get("tie")) for p in h.get("pinned", ())),
    )


def _object(o: Document) -> SharedObject:
    variable, value, use = o.get("variable"), o.get("value"), o.get("use")
    return SharedObject(
        o["id"],
        o["name"],
        o["kind"],
        o.get("type", ""),
        o.get("file", ""),
        o.get("line", 0),
        Variable(variable["name"], variable["file"], variable["line"], variable.get("function", ""))
        if variable
        else None,
        Value(value["kind"], value["type"], value["bytes"]) if value else None,
        Use(**(use | {"functions": tuple(use["functions"])})) if use else None,
    )


def _access(a: Document) -> Access:
    return Access(
        a["id"],
        a["handler"],
        a["object"],
        a["mode"],
        a["root"],
        tuple(a.get("alias", ())),
        a.get("alias_root") if a.get("alias") else None,
        a.get("alias_exact", False),
        a.get("taken_in", ""),
        a.get("by", ""),
        _frames(a["path"]),
    )


def _frames(path: list[Document]) -> tuple[Frame, ...]:
    return tuple(Frame(f["function"], f["file"], f["line"]) for f in path)


def _place(item: Document) -> str:
    return f"{item['file']}:{item['line']}" if item.get("file") and item.get("line") else item.get("file", "")
