"""From a request to run a program to the exact command and environment, or to the reason why it must not start.

Bad input is refused here, before anything starts. What is asked for and what is found goes to the runtime, which alone
decides whether the run is parallel, and says so when the program starts (multivent/process/mode.hpp).
"""

import contextlib
import os
import signal
from dataclasses import dataclass
from pathlib import Path

from heddle.documents import contracts, schemas
from heddle.errors import BadInputError
from heddle.program import executable, libraries
from heddle.program.executable import Program
from heddle.run import live
from heddle.system import machine, places

MAX_THREADS = contracts.LIMITS_MOST_THREADS


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
    metrics: int | None = None  # port


def plan(request: Request) -> Plan:
    """Raises BadInputError with every reason why the program must not be started like this."""
    threads = parse_threads(request.threads)
    target = executable.inspect(request.program, executable.find(request.program))
    executable.check_runnable(target, places.multivent(), serial=request.serial or threads == 1)
    library = places.built(places.multivent(), "the runtime")
    if any(mark in str(library) for mark in " :"):
        # The dynamic linker splits LD_PRELOAD at both; it would then start the program without us.
        raise BadInputError(f"the folder {library.parent} has a blank or colon in its name", "move heddle elsewhere")
    settings: dict[str, str] = {
        contracts.HEDDLE_PROGRAM: request.program,
        contracts.HEDDLE_THREADS: "auto" if request.threads == "auto" else str(threads),
        contracts.HEDDLE_SUMMARY: "0" if request.quiet else "1",
    }
    if request.serial:
        settings[contracts.HEDDLE_SERIAL] = "1"
    for name, file in ((contracts.HEDDLE_TRACE, request.trace), (contracts.HEDDLE_RUN_FILE, request.run_file)):
        if file is not None:
            settings[name] = str(writable(file))
    constraints = _constraints(request, target)
    unread = _preloaded_unread(os.environ.get("LD_PRELOAD", ""))
    if unread is not None:
        settings[contracts.HEDDLE_NO_CONSTRAINTS] = contracts.reason_preloaded_unread(unread)
    elif constraints is not None:
        settings[contracts.HEDDLE_CONSTRAINTS] = str(constraints)
    else:
        missing = contracts.reason_no_constraints_beside(target.constraints_file.name, request.program)
        settings[contracts.HEDDLE_NO_CONSTRAINTS] = missing
    with contextlib.suppress(BadInputError):
        settings[contracts.HEDDLE_LIVE] = str(live.folder())
    if request.metrics is not None:
        settings[contracts.HEDDLE_METRICS] = "1"
    environment = _environment(settings, library, inherited())
    if target.folders:
        environment["LD_LIBRARY_PATH"] = libraries.library_path(target.folders)
    return Plan(target.path, (request.program, *request.arguments), environment, request.metrics)


def start(chosen: Plan) -> None:
    """Becomes the program: its process, streams, signals and exit code are then its own. Returns only by exception."""
    if chosen.metrics is not None:
        from heddle.run import metrics

        metrics.leave_beside(metrics.listen(chosen.metrics))
    # Python ignores these two, and ignored signals stay ignored across execve.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(chosen.path, chosen.argv, chosen.environment)
    except OSError as error:
        raise BadInputError(f"{chosen.argv[0]} cannot be started ({error.strerror})", "check the file") from None


# Libraries that people preload, and whose functions threads may call at once: allocators, the sanitizers' own, and what
# heddle ipc records with.
_FOR_THREADS = (
    "libasan.",
    "libclang_rt.",
    "libheddle_ipc.",
    "libjemalloc",
    "liblsan.",
    "libmimalloc",
    "libtcmalloc",
    "libtsan.",
    "libubsan.",
)


def _preloaded_unread(preloaded: str) -> str | None:
    """The first library of LD_PRELOAD that may count or keep something as a program of one thread does."""
    names = (Path(entry).name for entry in preloaded.replace(":", " ").split())
    return next((name for name in names if not name.startswith(_FOR_THREADS)), None)


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


def _constraints(request: Request, target: Program) -> Path | None:
    """The constraints file, which fits the program unless the run is to be serial; None if there is none.

    A serial run takes only names and sessions for its figures from it, and does without one that does not fit.
    """
    beside = target.constraints_file if target.constraints_file.exists() else None
    file = request.constraints or beside
    if file is None:
        return None
    if request.constraints is not None or not request.serial:
        _check_fit(file.absolute(), target)
    return file.absolute()


def _check_fit(file: Path, target: Program) -> None:
    """Raises BadInputError if the document is not of this program as it is now."""
    document = schemas.load(file, "constraints")
    program = document.get("program")
    covered = program.get("libraries", []) if isinstance(program, dict) else None
    if not isinstance(covered, list) or not all(isinstance(each, dict) for each in covered):
        raise BadInputError(f"{file.name} is no whole document", f"run heddle analyze {target.given} again")
    made_for = document["program"].get("build_id")
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
    analysed = {library.get("name"): library.get("build_id") for library in covered}
    if analysed:
        _check_libraries(file, target, analysed)


def _check_libraries(file: Path, target: Program, analysed: dict[str, str]) -> None:
    """Checks the libraries that were analysed with the program, for its build id does not cover them."""
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


def inherited() -> dict[str, str]:
    """What this process was given, without what Python itself has put there: the program would find it there."""
    environment = dict(os.environ)
    with contextlib.suppress(OSError):
        given = Path("/proc/self/environ").read_bytes().split(b"\0")
        # Python sets it where the locale would be C (PEP 538).
        if not any(variable.startswith(b"LC_CTYPE=") for variable in given):
            environment.pop("LC_CTYPE", None)
    return environment


def _environment(settings: dict[str, str], library: Path, given: dict[str, str]) -> dict[str, str]:
    environment = {name: value for name, value in given.items() if name not in contracts.NOT_INHERITED}
    earlier = given.get("LD_PRELOAD")
    # What stands in front of libevent's functions stays there, and finds the runtime's behind itself.
    environment["LD_PRELOAD"] = f"{earlier}:{library}" if earlier else str(library)
    return environment | settings
