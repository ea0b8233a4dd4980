"""What one run of a scenario recorded: the document `lab`, checked, with its fields as types.

Beyond the schema a record has to make sense, because predictions and timelines are made from it: commands follow
commands that exist, parts lie in order, and nothing waits for itself.

The record counts a server that the scenario started among foreign programs; whoever started it knows better, and says
so with `served`.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from heddle.documents import schemas
from heddle.errors import BadInputError

_AGAIN = "run it again: heddle lab run SCENARIO --json FILE"


@dataclass(frozen=True)
class Model:
    name: str
    workers: int
    busy: bool
    connections: int | None

    @property
    def label(self) -> str:
        words = [self.name]
        if self.workers > 1 or self.name not in ("threads", "cooperative"):
            words.append(str(self.workers))
        if self.busy:
            words.append("busy")
        return " ".join(words)


@dataclass(frozen=True)
class Thread:
    id: int
    name: str
    cpu_seconds: float
    run_queue_seconds: float
    switches_voluntary: int
    switches_involuntary: int
    migrations: int
    faults: int


@dataclass(frozen=True)
class Part:
    """What a command did in one go; `then` says what it did next."""

    start: float
    end: float
    cpu: float
    thread: int
    then: str
    waits_for: str | None

    @property
    def seconds(self) -> float:
        return self.end - self.start


@dataclass(frozen=True)
class Command:
    id: int
    name: str
    kind: str
    thread: int
    spawned_by: int | None
    after: tuple[int, ...]
    reads: frozenset[str]
    writes: frozenset[str]
    start: float
    end: float
    parts: tuple[Part, ...]
    error: str | None


@dataclass(frozen=True)
class Run:
    scenario: str
    model: Model
    machine: Mapping[str, Any]
    seconds: float
    cpu_seconds: float
    foreign_cpu: float
    canvas: str | None
    results: Mapping[str, Any]
    threads: tuple[Thread, ...]
    commands: tuple[Command, ...]

    server_cpu_seconds: float = 0.0  # what the scenario's own server computed on the same machine meanwhile

    @property
    def errors(self) -> list[tuple[str, str]]:
        return [(command.name, command.error) for command in self.commands if command.error]

    def served(self, server_cpu_seconds: float) -> "Run":
        """The same, with a server of ours taken out of what is foreign."""
        capacity = self.seconds * int(self.machine["cores"])
        share = server_cpu_seconds / capacity if capacity else 0.0
        return replace(self, server_cpu_seconds=server_cpu_seconds, foreign_cpu=max(0.0, self.foreign_cpu - share))


def load(path: Path) -> Run:
    return read(schemas.load(path, "lab"), str(path))


def read(document: Mapping[str, Any], source: str) -> Run:
    schemas.check(dict(document), "lab", source)
    commands = tuple(_command(item) for item in document["commands"])
    _must_make_sense(commands, len(document["threads"]), {item["id"] for item in document["threads"]}, source)
    return Run(
        document["scenario"],
        Model(**{name: document["model"][name] for name in ("name", "workers", "busy", "connections")}),
        document["machine"],
        document["seconds"],
        document["cpu_seconds"],
        document["foreign_cpu"],
        document["canvas"],
        document["results"],
        tuple(Thread(**{name: item[name] for name in Thread.__dataclass_fields__}) for item in document["threads"]),
        commands,
    )


def _command(item: Mapping[str, Any]) -> Command:
    parts = tuple(Part(**{name: part[name] for name in Part.__dataclass_fields__}) for part in item["parts"])
    as_read: dict[str, Callable[[Any], Any]] = {"after": tuple, "reads": frozenset, "writes": frozenset}
    fields = {name: item[name] for name in Command.__dataclass_fields__ if name != "parts"}
    return Command(
        **{name: as_read.get(name, lambda value: value)(value) for name, value in fields.items()}, parts=parts
    )


def _must_make_sense(commands: tuple[Command, ...], threads: int, known: set[int], source: str) -> None:
    ids = {command.id for command in commands}
    if len(ids) != len(commands) or len(known) != threads:
        raise BadInputError(f"{source} has two commands or threads of one number", _AGAIN)
    for command in commands:
        before = {*command.after, *([] if command.spawned_by is None else [command.spawned_by])}
        if not before <= ids - {command.id}:
            raise BadInputError(f"{source}: command {command.id} follows one that is not there", _AGAIN)
        if not {part.thread for part in command.parts} | {command.thread} <= known:
            raise BadInputError(f"{source}: command {command.id} ran on a thread that is not there", _AGAIN)
        times = [time for part in command.parts for time in (part.start, part.end)]
        if times != sorted(times):
            raise BadInputError(f"{source}: the parts of command {command.id} are not in order", _AGAIN)
    if (in_circle := _in_a_circle(commands)) is not None:
        raise BadInputError(f"{source}: command {in_circle} waits for itself", _AGAIN)


def _in_a_circle(commands: tuple[Command, ...]) -> int | None:
    """A command that, by those it follows, follows itself; found by taking away what follows nothing (Kahn, 1962)."""
    left = {c.id: {*c.after, *([] if c.spawned_by is None else [c.spawned_by])} for c in commands}
    followers: dict[int, list[int]] = {}
    for identity, before in left.items():
        for other in before:
            followers.setdefault(other, []).append(identity)
    free = [identity for identity, before in left.items() if not before]
    while free:
        done = free.pop()
        left.pop(done)
        for follower in followers.get(done, ()):
            left[follower].discard(done)
            if not left[follower]:
                free.append(follower)
    return min(left, default=None)
