"""The names by which the scripts of the paper of 2007 call things (Karlsson, appendix B); the module `threadlab`.

A script is a scenario: what it makes is noted in the order in which it does, and run when it has ended. A TLThread is
a thread that runs its commands in order, a TLThreadpool a pool, a TLCmdCooperative a message loop on the thread that it
is added to. One script may use one of these three ways, which is its model; the same script can be run under others.
"""

import os
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from types import ModuleType
from typing import Any, Final

from heddle.errors import BadInputError
from heddle.lab.model import Model
from heddle.lab.record import Record
from heddle.lab.runner import run
from heddle.lab.scenario import Canvas, Command, File, Image, Memory, Scenario, Tree
from heddle.system import machine

SPAWN_AT_BOOTSTRAP: Final = "at bootstrap"
"""The workers of a pool are there before the first command."""
SPAWN_ON_DEMAND: Final = "on demand"
"""A worker comes when there is a command for it. Our pool always does that; the constant is for scripts."""


@dataclass
class Script:
    """What a script has made so far."""

    scenario: Scenario
    spawned: list["_Runner"] = field(default_factory=list)


_script: list[Script] = []


def _current() -> Script:
    if not _script:
        raise BadInputError("this is not within a script", "run it by heddle.lab.paper.run_script, or heddle lab run")
    return _script[-1]


class TLMemarea:
    def __init__(self, size: int = 0) -> None:
        """`size` was how much to set aside; here an area grows by itself."""
        del size
        self.data: Memory = _current().scenario.memory()


class TLXMLTree:
    def __init__(self) -> None:
        self.data: Tree = _current().scenario.tree()


class TLImage:
    def __init__(self) -> None:
        self.data: Image = _current().scenario.image()


class TLWindow:
    def __init__(self, x: int, y: int, width: int, height: int) -> None:
        """A window that nobody sees: where it would stand on a screen does not matter."""
        del x, y
        self.data: Canvas = _current().scenario.canvas("window", width, height)


class _Cmd:
    """A command, which becomes one of the scenario when something that runs has it."""

    def declare(self, scenario: Scenario) -> Command:
        del scenario
        raise TypeError(f"{type(self).__name__} is spawned by itself, and no part of another command")


@dataclass
class TLCmdLoadURL(_Cmd):
    url: str
    into: TLMemarea | str | os.PathLike[str]

    def declare(self, scenario: Scenario) -> Command:
        into = self.into.data if isinstance(self.into, TLMemarea) else _file(scenario, self.into)
        return scenario.load_url(self.url, into, most=1 << 40 if isinstance(into, File) else 1 << 28)


@dataclass
class TLCmdMemLoadFile(_Cmd):
    path: str | os.PathLike[str]
    into: TLMemarea

    def declare(self, scenario: Scenario) -> Command:
        return scenario.load_file(os.fspath(self.path), self.into.data)


@dataclass
class TLCmdParseHTML(_Cmd):
    memarea: TLMemarea | str | os.PathLike[str]
    tree: TLXMLTree

    def declare(self, scenario: Scenario) -> Command:
        return scenario.parse_html(_memory(scenario, self.memarea), self.tree.data)


@dataclass
class TLCmdParseXML(_Cmd):
    memarea: TLMemarea | str | os.PathLike[str]
    tree: TLXMLTree

    def declare(self, scenario: Scenario) -> Command:
        return scenario.parse_xml(_memory(scenario, self.memarea), self.tree.data)


@dataclass
class TLCmdDecodeJPG(_Cmd):
    memarea: TLMemarea | str | os.PathLike[str]
    image: TLImage

    def declare(self, scenario: Scenario) -> Command:
        return scenario.decode_jpeg(_memory(scenario, self.memarea), self.image.data)


class TLCmdPaintImage(_Cmd):
    def __init__(self, one: TLImage | TLWindow, other: TLImage | TLWindow, x: int = 0, y: int = 0) -> None:
        """Image and window, in either order: the paper has both (figure 5.2)."""
        image, window = (one, other) if isinstance(one, TLImage) else (other, one)
        if not isinstance(image, TLImage) or not isinstance(window, TLWindow):
            raise BadInputError("TLCmdPaintImage needs an image and a window", "pass a TLImage and a TLWindow")
        self.image, self.window, self.x, self.y = image, window, x, y

    def declare(self, scenario: Scenario) -> Command:
        return scenario.paint_image(self.image.data, self.window.data, self.x, self.y)


@dataclass
class TLCmdPaintAllImages(_Cmd):
    tree: TLXMLTree
    window: TLWindow
    url: str

    def declare(self, scenario: Scenario) -> Command:
        return scenario.paint_all_images(self.tree.data, self.window.data, self.url)


@dataclass
class TLCmdSleep(_Cmd):
    seconds: float

    def declare(self, scenario: Scenario) -> Command:
        return scenario.sleep(self.seconds)


class TLCmdCooperative(_Cmd):
    """Runs its commands by turns, on the thread that it is added to."""

    def __init__(self) -> None:
        self.commands: list[_Cmd] = []

    def addCommand(self, command: _Cmd) -> None:  # noqa: N802 - the paper's name
        self.commands.append(command)


class _Runner:
    """What commands are added to."""

    def __init__(self) -> None:
        self.commands: list[_Cmd] = []
        _current().spawned.append(self)

    def addCommand(self, command: _Cmd) -> None:  # noqa: N802 - the paper's name
        self.commands.append(command)


class TLThread(_Runner):
    pass


class TLThreadpool(_Runner):
    def __init__(self, workers: int, spawn: str = SPAWN_AT_BOOTSTRAP) -> None:
        del spawn
        super().__init__()
        self.workers = workers


def processor_count() -> int:
    return machine.cores()


def _file(scenario: Scenario, path: str | os.PathLike[str]) -> File:
    return scenario.file(os.fspath(path))


def _memory(scenario: Scenario, source: TLMemarea | str | os.PathLike[str]) -> Memory:
    """The area, or a new one that a file is loaded into."""
    if isinstance(source, TLMemarea):
        return source.data
    memory = scenario.memory()
    scenario.load_file(os.fspath(source), memory)
    return memory


def read_script(path: Path) -> tuple[Scenario, Model]:
    """Runs a script, which sets a scenario up, and says which model it asks for. A mistake is named by its line."""
    try:
        text = path.read_text()
    except (OSError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} cannot be read ({error})", "give a script in Python") from None
    script = Script(Scenario(path.stem))
    _script.append(script)
    before = sys.modules.get("threadlab")
    sys.modules["threadlab"] = module(path)
    try:
        exec(compile(text, str(path), "exec"), {"__name__": "__main__", "__file__": str(path)})
    except SyntaxError as error:
        raise BadInputError(f"{path}:{error.lineno}: {error.msg}", "mend the script") from None
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(path)]
        raise BadInputError(f"{path}:{lines[-1] if lines else 1}: {error}", "mend the script") from None
    finally:
        _script.pop()
        if before is None:
            del sys.modules["threadlab"]
        else:
            sys.modules["threadlab"] = before
    return _set_up(script, path)


def run_script(path: Path, model: Model | None = None, *, timeout: float = 120.0) -> Record:
    """Runs the scenario of a script under the model that it asks for, or another one."""
    scenario, own = read_script(path)
    return run(scenario, model or own, timeout=timeout)


def module(script: Path | None = None) -> ModuleType:
    """`threadlab`, as a script sees it."""
    made = ModuleType("threadlab", __doc__)
    names: dict[str, Any] = {name: value for name, value in globals().items() if name.startswith(("TL", "SPAWN_"))}
    # Figure 5.2 has these names.
    names |= {"Py" + name.removeprefix("TL"): value for name, value in names.items() if name.startswith("TL")}
    names |= {"script_file": str(script) if script else "", "processor_count": processor_count()}
    made.__dict__.update(names)
    return made


def _set_up(script: Script, path: Path) -> tuple[Scenario, Model]:
    scenario = script.scenario
    kinds: set[str] = set()
    workers = 1
    for number, runner in enumerate(script.spawned):
        if isinstance(runner, TLThreadpool):
            kinds.add("pool")
            workers = runner.workers
        with scenario.group(f"{type(runner).__name__} {number}"):
            for command in runner.commands:
                if isinstance(command, TLCmdCooperative):
                    kinds.add("cooperative")
                    for inner in command.commands:
                        inner.declare(scenario)
                    continue
                if not isinstance(runner, TLThreadpool):
                    kinds.add("threads")
                command.declare(scenario)
    if not kinds:
        raise BadInputError(f"{path} adds no command to a thread or a pool", "use addCommand")
    if len(kinds) > 1 or sum(isinstance(runner, TLThreadpool) for runner in script.spawned) > 1:
        raise BadInputError(
            f"{path} mixes {', '.join(sorted(kinds))}", "use threads, one pool, or cooperative commands, and no others"
        )
    if "pool" in kinds:
        return scenario, Model.pool(workers)
    if "cooperative" in kinds:
        return scenario, Model.cooperative(per_group=len(script.spawned) > 1)
    return scenario, Model.threads()
