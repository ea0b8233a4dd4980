"""Starts the native crawler. Ctrl-C and the exit code are the crawler's own.

Where nothing follows the crawl, this process becomes the crawler. Where a report, a picture or a table does, it waits
for it; Ctrl-C then reaches both, ends the crawl, and what was found until then is reported.
"""

import contextlib
import itertools
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from heddle.errors import BadInputError
from heddle.output import pictures
from heddle.system import places, processes


@dataclass(frozen=True)
class Request:
    words: tuple[str, ...]  # of the crawler's command line, without --json
    json: str | None = None  # a file, or - for standard output
    report: Path | None = None
    plot: Path | None = None
    csv: Path | None = None
    resumes: bool = False  # --state is given


def start(request: Request) -> int:
    """The crawler's exit code; does not return where the process becomes the crawler. Raises BadInputError."""
    program = str(places.built(places.crawler(), "the crawler"))
    if request.report is None and request.plot is None and request.csv is None:
        results = () if request.json is None else ("--json", request.json)
        processes.become(program, (*results, *request.words))
    _check(request)
    if request.json is not None:
        return _run(program, request, Path(request.json))
    with tempfile.TemporaryDirectory(prefix="heddle-crawl-") as folder:
        return _run(program, request, Path(folder) / "results.jsonl")


def _check(request: Request) -> None:
    """Raises BadInputError where the report could not be made afterwards."""
    if request.json == "-":
        raise BadInputError(
            "--report, --plot and --csv read the results from a file", "give --json a file, or leave it out"
        )
    if request.resumes and request.json is None:
        raise BadInputError(
            "with --state a report needs what earlier runs found", "give --json FILE, and always the same"
        )
    if request.plot is not None:
        pictures.check(request.plot)
    for one, other in itertools.combinations(_outputs(request), 2):
        if one == other:
            raise BadInputError(f"{one} would be written twice, the second time over the first", "name a file for each")
    for file in (request.report, request.csv):
        if file is not None and not file.absolute().parent.is_dir():
            raise BadInputError(f"{file} cannot be written", "name a file in a folder that exists")


def _outputs(request: Request) -> list[Path]:
    """The files that the crawl and what follows it write; of a device, such as /dev/null, any number may be."""
    archives = [word.removeprefix("--warc=") for word in request.words if word.startswith("--warc=")]
    named = [request.json, request.report, request.plot, request.csv, *archives]
    files = [Path(name).resolve() for name in named if name is not None]
    return [file for file in files if file.is_file() or not file.exists()]


def _run(program: str, request: Request, results: Path) -> int:
    code = _wait((program, "--json", str(results), *request.words))
    if code in (0, 1, 130):
        show(results, request)
    return code


def _wait(command: Sequence[str]) -> int:
    """The exit code, 128 and the signal's number where one ended it, as shells say it."""
    # From here on a signal is for the crawler; SIGINT reaches it by itself, for it is in the same process group.
    before = signal.signal(signal.SIGINT, signal.SIG_IGN)
    try:
        with subprocess.Popen(command, preexec_fn=_default_signals) as running:
            earlier = signal.signal(signal.SIGTERM, lambda number, _frame: running.send_signal(number))
            try:
                code = running.wait()
            finally:
                signal.signal(signal.SIGTERM, earlier)
    except OSError as error:
        raise BadInputError(f"{command[0]} cannot be started ({error.strerror})", "build it again") from None
    finally:
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else 128 - code


def _default_signals() -> None:
    """In the crawler, before it starts: an ignored signal would stay ignored."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def show(results: Path, request: Request) -> None:
    """Writes what is asked for, from the results. Raises BadInputError."""
    from heddle.crawl import page, table
    from heddle.crawl import plot as picture
    from heddle.crawl.results import summary

    if request.csv is not None:
        with _writing(request.csv):
            table.save(request.csv, results)
    if request.report is None and request.plot is None:
        return
    found = summary(results)
    if request.plot is not None:
        picture.save(request.plot, found)
    if request.report is not None:
        with _writing(request.report):
            request.report.write_text(page.page(found), encoding="utf-8")


@contextlib.contextmanager
def _writing(file: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise BadInputError(f"{file} cannot be written ({error.strerror})", "name another file") from None
