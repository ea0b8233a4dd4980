"""All scenarios by name, and scenarios of users: a Python file that makes one."""

from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

from heddle.errors import BadInputError
from heddle.lab.scenarios import computing, downloads, page_load
from heddle.lab.scenarios.stage import Options, Shipped, Stage

_WEB = (
    "threads",
    "cooperative",
    "cooperative:per-group",
    "pool:8",
    "pico:1",
    "constrained:2",
    "composed:4",
    "speculative:2",
)
_COMPUTE = ("cooperative", "threads", "pool:2", "pico:2", "constrained:2", "speculative:2")

SHIPPED = (
    Shipped(
        "page-load", "five pages with hundreds of pictures, painted", "Karlsson 2007, 7.4.1", _WEB, page_load.stage
    ),
    Shipped("downloads", "eight large files at once", "Karlsson 2007, 7.4.2", _WEB, downloads.stage),
    Shipped("primes", "primes below two million, in batches", "Sheremetyev 2011, 5.8", _COMPUTE, computing.primes),
    Shipped("gardens", "turnstiles that count in one place", "Magee, Kramer 1999, 4", _COMPUTE, computing.gardens),
    Shipped("files", "files of a megabyte, read from the disk", "Pamnany 2011, 6.3", _COMPUTE, computing.files),
)


def find(name: str) -> Shipped:
    for shipped in SHIPPED:
        if shipped.name == name:
            return shipped
    if name.endswith(".py"):
        return _of_user(Path(name))
    names = ", ".join(shipped.name for shipped in SHIPPED)
    raise BadInputError(f"there is no scenario '{name}'", f"use one of {names}, or a file that ends in .py")


def _of_user(file: Path) -> Shipped:
    if not file.is_file():
        raise BadInputError(f"{file} cannot be read", "name a Python file that makes a heddle.lab.Scenario")

    def opened(options: Options) -> AbstractContextManager[Stage]:
        return _run(file, options)

    return Shipped(file.stem, f"of {file}", "yours", _WEB, opened)


@contextmanager
def _run(file: Path, options: Options) -> Iterator[Stage]:
    """Runs the file; the scenario is what it leaves behind in a variable."""
    import runpy
    import traceback

    from heddle.lab import Scenario

    try:
        left = runpy.run_path(str(file), {"latency": options.latency, "scale": options.scale})
    except Exception as error:
        lines = [frame.lineno for frame in traceback.extract_tb(error.__traceback__) if frame.filename == str(file)]
        line = getattr(error, "lineno", None) if isinstance(error, SyntaxError) else (lines or [None])[-1]
        raise BadInputError(
            f"{file}{f', line {line}' if line else ''}: {type(error).__name__}: {error}", "mend the script"
        ) from None
    found = [value for value in left.values() if isinstance(value, Scenario)]
    if len(found) != 1:
        raise BadInputError(
            f"{file} makes {'no scenario' if not found else f'{len(found)} scenarios'}",
            "leave one heddle.lab.Scenario in a variable of the file",
        )
    yield Stage(found[0], {"script": str(file)})
