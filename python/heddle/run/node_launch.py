"""`heddle run app.js`: hands a Node.js program over to heddle-node, which is node with one preload."""

import contextlib
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from heddle.documents import contracts
from heddle.errors import BadInputError
from heddle.run import launch, live
from heddle.system import nodejs

SUFFIXES = frozenset({".js", ".mjs", ".cjs", ".ts", ".mts", ".cts"})


@dataclass(frozen=True)
class Request:
    program: str
    arguments: tuple[str, ...] = ()
    workers: str = "auto"
    ship: str | None = None
    report: bool = False
    trace: Path | None = None
    run_file: Path | None = None


def is_node(program: str) -> bool:
    return Path(program).suffix in SUFFIXES


def command(request: Request) -> tuple[list[str], dict[str, str]]:
    """The command line of heddle-node and its environment. Raises BadInputError."""
    # Words, not variables: what is in the environment, the program and its children would find there.
    words = [str(nodejs.heddle_node()), f"--node={nodejs.node()}"]
    with contextlib.suppress(BadInputError):
        words.append(f"--live={live.folder()}")
    if request.workers != "auto":
        launch.parse_threads(request.workers)
        words += ["--workers", request.workers]
    if request.ship is not None:
        if request.ship not in ("auto", "always", "never"):
            raise BadInputError(f"--ship {request.ship} is not possible", "give auto, always or never")
        words += ["--ship", request.ship]
    if request.report:
        words.append("--report")
    for option, file in (("--trace", request.trace), ("--run-file", request.run_file)):
        if file is not None:
            words.append(f"{option}={launch.writable(file)}")
    return [*words, request.program, *request.arguments], _environment()


def _environment() -> dict[str, str]:
    """The user's, without what ./heddle has put there."""
    own = {contracts.HEDDLE_ROOT, contracts.HEDDLE_BUILD}
    return {name: value for name, value in launch.inherited().items() if name not in own}


def start(request: Request) -> None:
    """Becomes node: its process, streams, signals and exit code are then its own. Returns only by exception."""
    words, environment = command(request)
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(words[0], words, environment)
    except OSError as error:
        raise BadInputError(f"{words[0]} cannot be started ({error.strerror})", "check the file") from None
