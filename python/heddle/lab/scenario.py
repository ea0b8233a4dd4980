"""What a scenario consists of: data, commands that read and write them, and where the commands are spawned.

Nothing is done here but to write it down, so a scenario can be run any number of times; `runner` hands it to the native
code. Which command is behind which follows from the data. A command may work on what another one has made so far.
"""

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from heddle.errors import BadInputError
from heddle.lab.call import FunctionSteps

if TYPE_CHECKING:
    from heddle.lab._native import At, Run

MOST_BYTES = 1 << 28
TIMEOUT = 30.0


@dataclass(frozen=True, eq=False)
class Data:
    """A piece of data. One command writes it, any number may read it."""

    name: str


@dataclass(frozen=True, eq=False)
class Memory(Data):
    data: bytes | None = None
    """What is in it from the beginning; None: a command fills it."""


@dataclass(frozen=True, eq=False)
class File(Data):
    """A file that a command writes; its path is its name."""


@dataclass(frozen=True, eq=False)
class Image(Data):
    pass


@dataclass(frozen=True, eq=False)
class Tree(Data):
    pass


@dataclass(frozen=True, eq=False)
class Canvas(Data):
    """What is painted on. Several commands may."""

    width: int
    height: int


@dataclass(frozen=True, eq=False)
class Cells(Data):
    """Numbers, all 0 at first, that any number of commands add to."""

    count: int


AnyData = TypeVar("AnyData", bound=Data)
Natives = dict[Data, Any]
Declare = Callable[["Run", "At", Natives], int]


@dataclass(frozen=True, eq=False)
class Command:
    """A command of a scenario. Its id is its place in the record, too."""

    id: int
    name: str
    kind: str
    group: int
    after: tuple[int, ...]
    declare: Declare = field(repr=False)


class Scenario:
    def __init__(self, name: str) -> None:
        self.name = name
        self.data: list[Data] = []
        self.commands: list[Command] = []
        self.groups: list[str] = []
        self._group: int | None = None
        self._names: set[str] = set()  # of data and commands: both are among a record's results
        self._sharing: list[Command] = []  # paint the canvas, and leave it to us where

    # --- Data ---

    def memory(self, name: str | None = None, data: bytes | None = None) -> Memory:
        return self._keep(Memory(self._name(name, "memory"), data))

    def file(self, path: str | Path) -> File:
        return self._keep(File(str(path)))

    def image(self, name: str | None = None) -> Image:
        return self._keep(Image(self._name(name, "image")))

    def tree(self, name: str | None = None) -> Tree:
        return self._keep(Tree(self._name(name, "tree")))

    def canvas(self, name: str, width: int, height: int) -> Canvas:
        if any(isinstance(data, Canvas) for data in self.data):
            raise BadInputError("a scenario has one canvas", "paint all on that")
        if not (0 < width < 32768 and 0 < height < 32768):
            raise BadInputError(f"a canvas cannot be {width}x{height}", "choose sides from 1 to 32767")
        return self._keep(Canvas(name, width, height))

    def cells(self, name: str | None = None, count: int = 1) -> Cells:
        return self._keep(Cells(self._name(name, "cells"), count))

    # --- Where commands are spawned ---

    @contextmanager
    def group(self, name: str | None = None) -> Iterator[None]:
        """What is declared inside belongs together: a thread runs it where the model has a thread for each group."""
        outer = self._group
        self._group = self.new_group(name)
        try:
            yield
        finally:
            self._group = outer

    def new_group(self, name: str | None = None) -> int:
        self.groups.append(name or f"group {len(self.groups)}")
        return len(self.groups) - 1

    # --- Commands ---

    def load_url(
        self,
        url: str,
        into: Memory | File,
        *,
        timeout: float = TIMEOUT,
        most: int = MOST_BYTES,
        name: str | None = None,
        after: Iterable[Command] = (),
    ) -> Command:
        """Loads a URL; at most `timeout` seconds, from when it has a connection, and `most` bytes."""

        def declare(run: "Run", at: "At", natives: Natives) -> int:
            return run.load_url(at, url, natives[into], timeout, most)

        return self._add("load_url", declare, name, after)

    def load_file(
        self, path: str | Path, into: Memory, *, name: str | None = None, after: Iterable[Command] = ()
    ) -> Command:
        def declare(run: "Run", at: "At", natives: Natives) -> int:
            return run.load_file(at, str(path), natives[into])

        return self._add("load_file", declare, name, after)

    def parse_html(
        self, memory: Memory, tree: Tree, *, name: str | None = None, after: Iterable[Command] = ()
    ) -> Command:
        def declare(run: "Run", at: "At", natives: Natives) -> int:
            return run.parse_html(at, natives[memory], natives[tree])

        return self._add("parse_html", declare, name, after)

    def parse_xml(
        self, memory: Memory, tree: Tree, *, name: str | None = None, after: Iterable[Command] = ()
    ) -> Command:
        def declare(run: "Run", at: "At", natives: Natives) -> int:
            return run.parse_xml(at, natives[memory], natives[tree])

        return self._add("parse_xml", declare, name, after)

    def decode_jpeg(
        self, memory: Memory, image: Image, *, name: str | None = None, after: Iterable[Command] = ()
    ) -> Command:
        def declare(run: "Run", at: "At", natives: Natives) -> int:
            return run.decode_jpeg(at, natives[memory], natives[image])

        return self._add("decode_jpeg", declare, name, after)

    def paint_image(
        self,
        image: Image,
        canvas: Canvas,
        x: int,
        y: int,
        width: int | None = None,
        height: int | None = None,
        *,
        name: str | None = None,
        after: Iterable[Command] = (),
    ) -> Command:
        """Paints as it is, or fitted into `width` x `height`. Where two paint one place, the later one is on top."""

        def declare(run: "Run", at: "At", natives: Natives) -> int:
            return run.paint_image(at, natives[image], natives[canvas], x, y, width, height)

        return self._add("paint_image", declare, name, after)

    def paint_all_images(
        self,
        tree: Tree,
        canvas: Canvas,
        url: str,
        region: tuple[int, int, int, int] | None = None,
        *,
        timeout: float = TIMEOUT,
        name: str | None = None,
        after: Iterable[Command] = (),
    ) -> Command:
        """Loads, decodes and paints every image of the page that was loaded from `url`: three commands for each.

        `region` is (x, y, width, height); without it, the canvas is divided among all that have none.
        """

        def declare(run: "Run", at: "At", natives: Natives) -> int:
            return run.paint_all_images(
                at, natives[tree], natives[canvas], url, *(region or self._share_of(command, canvas)), timeout
            )

        command = self._add("paint_all_images", declare, name, after)
        if region is None:
            self._sharing.append(command)
        return command

    def call(
        self,
        function: Callable[..., object],
        reads: Iterable[Memory] = (),
        into: Memory | None = None,
        *,
        name: str | None = None,
        after: Iterable[Command] = (),
    ) -> Command:
        """Calls a function of yours with the bytes of each memory area that it reads, when these are complete.

        What it returns is its result, if that is a number; with `into` it returns bytes. A generator does a part of its
        work until it yields: None, seconds to wait, something with a fileno() to wait until that can be read, or bytes
        for `into`. Under most models several threads call functions, so what these share needs a lock.
        """
        inputs = list(reads)

        def declare(run: "Run", at: "At", natives: Natives) -> int:
            step = FunctionSteps(function, to_bytes=into is not None)
            return run.call(at, step, [natives[data] for data in inputs], natives[into] if into else None)

        return self._add("call", declare, name, after)

    def sleep(self, seconds: float, *, name: str | None = None, after: Iterable[Command] = ()) -> Command:
        def declare(run: "Run", at: "At", _natives: Natives) -> int:
            return run.sleep(at, seconds)

        return self._add("sleep", declare, name, after)

    def compute(
        self, first: int, last: int, *, batch: int = 1000, name: str | None = None, after: Iterable[Command] = ()
    ) -> Command:
        """Counts the primes from `first` to before `last`, `batch` numbers a part."""

        def declare(run: "Run", at: "At", _natives: Natives) -> int:
            return run.compute(at, first, last, batch)

        return self._add("compute", declare, name, after)

    def touch(
        self,
        cells: Cells,
        first: int = 0,
        count: int = 1,
        rounds: int = 1,
        *,
        batch: int = 1,
        name: str | None = None,
        after: Iterable[Command] = (),
    ) -> Command:
        """Adds 1 to each of `count` cells, `rounds` times, each under a lock where the model locks."""

        def declare(run: "Run", at: "At", natives: Natives) -> int:
            return run.touch(at, natives[cells], first, count, rounds, batch)

        return self._add("touch", declare, name, after)

    # --- For the runner ---

    def declare_in(self, run: "Run", at: "type[At]") -> None:
        """Hands all of it to a native run. Native code checks the arguments, so that what is wrong is said once."""
        natives: Natives = {data: _native_of(data, run) for data in self.data}
        for command in self.commands:
            try:
                command.declare(run, at(command.name, command.group, list(command.after)), natives)
            except (ValueError, TypeError, KeyError) as error:
                why = "it uses data of another scenario" if isinstance(error, KeyError) else str(error).split("\n")[0]
                raise BadInputError(
                    f"the command {command.name!r} is not possible: {why}", "mend the scenario"
                ) from None

    def _keep(self, data: AnyData) -> AnyData:
        self._claim(data.name)
        self.data.append(data)
        return data

    def _claim(self, name: str) -> None:
        if name in self._names:
            raise BadInputError(f"something is named {name!r} already", "give each piece of data and command its own")
        self._names.add(name)

    def _share_of(self, command: Command, canvas: Canvas) -> tuple[int, int, int, int]:
        """Its cell of a grid, as near to a square as can be."""
        count = len(self._sharing)
        columns = math.ceil(math.sqrt(count))
        lines = math.ceil(count / columns)
        line, column = divmod(self._sharing.index(command), columns)
        x, y = canvas.width * column // columns, canvas.height * line // lines
        right, bottom = canvas.width * (column + 1) // columns, canvas.height * (line + 1) // lines
        return x, y, right - x, bottom - y

    def _name(self, name: str | None, kind: str) -> str:
        return name or f"{kind} {len(self.data)}"

    def _add(self, kind: str, declare: Declare, name: str | None, after: Iterable[Command]) -> Command:
        number = len(self.commands)
        ids = tuple(command.id for command in after)
        for command in after:
            if command.id >= number or self.commands[command.id] is not command:
                raise BadInputError(f"{command.name!r} belongs to another scenario", "name commands of this one")
        group = self._group
        if group is None:
            group = 0 if self.groups else self.new_group("main")
        command = Command(number, name or f"{kind} {number}", kind, group, ids, declare)
        self._claim(command.name)
        self.commands.append(command)
        return command


def _native_of(data: Data, run: "Run") -> Any:  # noqa: ANN401 - one of the classes of the native module
    match data:
        case Memory():
            return run.memory(data.name, data.data)
        case File():
            return run.file(data.name)
        case Image():
            return run.image(data.name)
        case Tree():
            return run.tree(data.name)
        case Canvas():
            return run.canvas(data.name, data.width, data.height)
        case Cells():
            return run.cells(data.name, data.count)
    raise AssertionError(data)
