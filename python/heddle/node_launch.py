"""`heddle run app.js`: hands a Node.js program over to heddle-node, which is node with one preload."""

import os
import shutil
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path

from heddle import launch, places
from heddle.errors import BadInputError

SUFFIXES = frozenset({".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"})
# The oldest of each line that heddle-node knows, and the first line from which on all will do.
_OLDEST = {20: 19, 22: 13}
_ALL_FROM = 24


@dataclass(frozen=True)
class Request:
    program: str
    arguments: tuple[str, ...] = ()
    workers: str = "auto"
    ship: str | None = None
    report: bool = False
    trace: Path | None = None


def is_node(program: str) -> bool:
    return Path(program).suffix in SUFFIXES


def command(request: Request) -> tuple[list[str], dict[str, str]]:
    """The command line of heddle-node and its environment. Raises BadInputError."""
    script = places.built(places.root() / "node" / "bin" / "heddle-node", "heddle-node")
    places.built(places.root() / "node" / "dist" / "preload.cjs", "heddle-node")
    words = [str(script)]
    if request.workers != "auto":
        launch.parse_threads(request.workers)
        words += ["--workers", request.workers]
    if request.ship is not None:
        if request.ship not in ("auto", "always", "never"):
            raise BadInputError(f"--ship {request.ship} is not possible", "give auto, always or never")
        words += ["--ship", request.ship]
    if request.report:
        words.append("--report")
    if request.trace is not None:
        words.append(f"--trace={request.trace.absolute()}")
    environment = {name: value for name, value in os.environ.items() if name not in ("HEDDLE_ROOT", "HEDDLE_BUILD")}
    environment["HEDDLE_NODE"] = _node()
    return [*words, request.program, *request.arguments], environment


def start(request: Request) -> None:
    """Becomes node: its process, streams, signals and exit code are then its own. Returns only by exception."""
    words, environment = command(request)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(words[0], words, environment)
    except OSError as error:
        raise BadInputError(f"{words[0]} cannot be started ({error.strerror})", "check the file") from None


def _node() -> str:
    """The user's own node, if it is new enough; else the one that ./heddle installed."""
    named = os.environ.get("HEDDLE_NODE")
    if named:
        return named
    found = shutil.which("node")
    if found is not None and _new_enough(found):
        return found
    ours = places.root() / "build" / "venv" / "bin" / "node"
    if ours.exists():
        return str(ours)
    raise BadInputError("there is no node of version 20.19, 22.13, 24 or later", "install one, or run ./heddle demo")


def _new_enough(node: str) -> bool:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False, timeout=20).stdout
        major, minor = (int(part) for part in said.strip().removeprefix("v").split(".")[:2])
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return major >= _ALL_FROM or (major in _OLDEST and minor >= _OLDEST[major])
