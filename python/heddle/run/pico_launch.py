"""`heddle run` for programs with pico: they run as they are, and leave the same figures and traces as others."""

import contextlib
from dataclasses import dataclass
from pathlib import Path

from heddle.documents import contracts
from heddle.errors import BadInputError
from heddle.program import executable, libraries
from heddle.run import launch, live


@dataclass(frozen=True)
class Request:
    program: str
    arguments: tuple[str, ...] = ()
    trace: Path | None = None
    run_file: Path | None = None
    quiet: bool = False
    metrics: int | None = None  # port


def is_pico(program: str) -> bool:
    """Whether it is a program with pico, and without libevent."""
    try:
        target = executable.inspect(program, executable.find(program))
    except BadInputError:
        return False  # launch says why
    return target.elf.section(contracts.PICO_SECTION) is not None and not executable.uses_event_library(target)


def plan(request: Request) -> launch.Plan:
    """Raises BadInputError if the program cannot be started, or a file not be written."""
    target = executable.inspect(request.program, executable.find(request.program))
    settings = {contracts.HEDDLE_SUMMARY: "0" if request.quiet else "1"}
    for name, file in ((contracts.HEDDLE_TRACE, request.trace), (contracts.HEDDLE_RUN_FILE, request.run_file)):
        if file is not None:
            settings[name] = str(launch.writable(file))
    with contextlib.suppress(BadInputError):
        settings[contracts.HEDDLE_LIVE] = str(live.folder())
    inherited = {name: value for name, value in launch.inherited().items() if name not in contracts.NOT_INHERITED}
    if target.folders:
        settings["LD_LIBRARY_PATH"] = libraries.library_path(target.folders)
    return launch.Plan(target.path, (request.program, *request.arguments), inherited | settings, request.metrics)
