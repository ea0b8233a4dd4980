"""From a request to run a program to the exact command and environment, decided before anything starts.

`plan` is where parallel or serial is settled. Its invariant: a run is parallel, or it carries the reason why it is not
(HEDDLE_WHY, which the runtime repeats in its summary and in the run file), or it does not start.
"""

import contextlib
import os
import signal
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle import libraries, live, machine, places, program, schemas
from heddle.errors import BadInputError
from heddle.program import Program

MAX_THREADS = 1024

# Settings of an outer run and of this command line are not the program's business. What is left to the user to set:
# HEDDLE_ORACLE, HEDDLE_PROMOTE and HEDDLE_STATS.
_NOT_INHERITED = frozenset(
    f"HEDDLE_{name}" for name in "THREADS SERIAL CONSTRAINTS RUN_FILE TRACE WHY SUMMARY LIVE ROOT BUILD".split()
)


@dataclass(frozen=True)
class Request:
    program: str
    arguments: tuple[str, ...] = ()
    threads: str = "auto"
    serial: bool = False
    constraints: Path | None = None
    trace: Path | None = None
    run_file: Path | None = None
    quiet: bool = False
    metrics: int | None = None  # port


@dataclass(frozen=True)
class Plan:
    path: Path
    argv: tuple[str, ...]
    environment: dict[str, str]
    message: str
    metrics: int | None = None  # port


def plan(request: Request) -> Plan:
    """Raises BadInputError with every reason why the program must not be started like this."""
    threads = parse_threads(request.threads)
    target = program.inspect(request.program, program.find(request.program))
    wanted_serial = request.serial or threads == 1
    program.check_runnable(target, serial=wanted_serial)
    library = places.built(places.multivent(), "the runtime")
    if any(mark in str(library) for mark in " :"):
        # The dynamic linker splits LD_PRELOAD at both; it would then start the program without us.
        raise BadInputError(f"the folder {library.parent} has a blank or colon in its name", "move heddle elsewhere")
    settings: dict[str, str] = {"HEDDLE_SUMMARY": "0" if request.quiet else "1"}
    for name, file in (("HEDDLE_TRACE", request.trace), ("HEDDLE_RUN_FILE", request.run_file)):
        if file is not None:
            settings[name] = str(writable(file))
    constraints, why = _constraints(request, target, threads)
    if constraints is not None:
        settings["HEDDLE_CONSTRAINTS"] = str(constraints)
    if not why:
        settings["HEDDLE_THREADS"] = "auto" if request.threads == "auto" else str(threads)
        how = f"{threads} threads (as asked)"
        if request.threads == "auto":
            how = f"as many threads as suit, {threads} (the cores it may use) or more"
        message = f"running {request.program} with {how}"
    else:
        settings["HEDDLE_THREADS"] = "1"
        settings["HEDDLE_SERIAL"] = "1"
        settings["HEDDLE_WHY"] = why
        message = f"running {request.program} serial, because {why}"
    if not why or request.metrics is not None:
        with contextlib.suppress(BadInputError):
            settings["HEDDLE_LIVE"] = str(live.folder())
    environment = _environment(settings, library, os.environ)
    if target.folders:
        environment["LD_LIBRARY_PATH"] = libraries.library_path(target.folders)
    return Plan(target.path, (request.program, *request.arguments), environment, message, request.metrics)


def start(chosen: Plan) -> None:
    """Becomes the program: its process, streams, signals and exit code are then its own. Returns only by exception."""
    if chosen.metrics is not None:
        from heddle import metrics

        metrics.leave_beside(metrics.listen(chosen.metrics))
    # Python ignores these two, and ignored signals stay ignored across execve.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(chosen.path, chosen.argv, chosen.environment)
    except OSError as error:
        raise BadInputError(f"{chosen.argv[0]} cannot be started ({error.strerror})", "check the file") from None


def parse_threads(text: str) -> int:
    if text == "auto":
        return machine.cores()
    try:
        threads = int(text)
    except ValueError:
        threads = 0
    if not 1 <= threads <= MAX_THREADS:
        raise BadInputError(f"--threads {text} is not possible", f"give a number from 1 to {MAX_THREADS}, or auto")
    return threads


def _constraints(request: Request, target: Program, threads: int) -> tuple[Path | None, str]:
    """The constraints file, or None if there is none to use; and why the run is serial, empty if it is not.

    A serial run takes names and sessions for its figures from them, if they fit.
    """
    file = target.constraints_file.absolute() if target.constraints_file.exists() else None
    bound = ""
    if request.constraints is not None:
        file = request.constraints.absolute()
    if file is not None and (request.constraints is not None or not request.serial):
        document = _fitting(file, target)
        bound = _one_thread(document) or _useless(document, target)
    if request.serial:
        return file, "--serial was given"
    if threads == 1:
        asked = request.threads != "auto"
        return file, "--threads 1 was given" if asked else "this process may use one core only (--threads N overrides)"
    if file is None:
        return None, f"there is no {target.constraints_file.name} beside it: run heddle analyze {request.program} first"
    return file, bound


def _one_thread(document: dict[str, Any]) -> str:
    """Why all handlers must be called on one thread, in the runtime's words; empty if they need not."""
    for assumption in document["assumptions"]:
        if assumption["kind"] == "one_thread":
            first = next(iter(assumption.get("handlers", ())), None)
            who = document["handlers"][first]["name"] if first is not None else "a handler"
            return f"{who} depends on the thread it is on ({assumption['name']})"
    return ""


def _useless(document: dict[str, Any], target: Program) -> str:
    """Why threads would do nothing, in the runtime's words; empty if they may do something.

    A program that is linked with the runtime may say more than the document when it starts.
    """
    found = (verdict for pair in document["pairs"] for verdict in (pair["verdict"], *pair.get("starts", {}).values()))
    linked = any(library.startswith(f"{places.multivent().name}.") for library in target.elf.needed())
    if linked or any(verdict != "always" for verdict in found):
        return ""
    return "none of its handlers may run beside another one or itself"


def _fitting(file: Path, target: Program) -> dict[str, Any]:
    """The document, if it is of this program as it is now."""
    document = schemas.load(file, "constraints")
    made_for = document.get("program", {}).get("build_id")
    build_id = target.elf.build_id()
    if build_id is None:
        raise BadInputError(f"{target.given} has no build id", "link it with -Wl,--build-id, as heddle build does")
    if made_for == "none":
        raise BadInputError(
            f"{file.name} was made from bitcode or C files, not from a program",
            f"run heddle analyze {target.given} again",
        )
    if made_for != build_id:
        raise BadInputError(
            f"{file.name} was made for another build of {target.given}", f"run heddle analyze {target.given} again"
        )
    analysed = {library["name"]: library["build_id"] for library in document["program"].get("libraries", ())}
    if analysed:
        _check_libraries(file, target, analysed)
    return document


def _check_libraries(file: Path, target: Program, analysed: dict[str, str]) -> None:
    """The build id of the program says nothing about the libraries that were analysed with it."""
    found = {library.name: library for library in libraries.loaded(target.path, target.folders).libraries}
    for name, build_id in analysed.items():
        if name not in found:
            raise BadInputError(
                f"{name}, which {file.name} covers, would not be loaded by {target.given}",
                "set LD_LIBRARY_PATH to its folder, or analyse again",
            )
        elf = found[name].elf()
        if elf is None or elf.build_id() != build_id:
            raise BadInputError(
                f"{file.name} was made for another build of {name}", f"run heddle analyze {target.given} again"
            )


def writable(file: Path) -> Path:
    """The absolute name, for the program may change its folder; checked now, for at exit it would be too late."""
    path = file.absolute()
    if path.is_dir() or not path.parent.is_dir() or not os.access(path if path.exists() else path.parent, os.W_OK):
        raise BadInputError(f"{file} cannot be written", "name a file in a folder that exists and is yours")
    return path


def _environment(settings: dict[str, str], library: Path, inherited: "os._Environ[str]") -> dict[str, str]:
    environment = {name: value for name, value in inherited.items() if name not in _NOT_INHERITED}
    earlier = inherited.get("LD_PRELOAD")
    environment["LD_PRELOAD"] = f"{library}:{earlier}" if earlier else str(library)
    return environment | settings
