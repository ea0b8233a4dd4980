"""`heddle demo`: the main job, on a server that is ready to look at."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer

_HELP = """Build a thumbnail server written for one thread, analyse it, and serve pictures with it twice.

Once under plain libevent and once under heddle, with the same load. Checks that all answers are byte-identical, and
says what was gained, what still holds it back, and what to try next. Takes about a minute.

Example: heddle demo

Example: heddle demo c --threads 4
"""


def register(app: typer.Typer) -> None:
    app.command("demo", help=_HELP, short_help="Watch one server use all cores, with the same answers.")(demo)


def demo(
    which: Annotated[str, typer.Argument(metavar="[c]", help="The program: c, a C server on libevent.")] = "c",
    threads: Annotated[
        str, typer.Option(metavar="N|auto", help="Handlers at once; auto: the cores this process may use, 2 at least.")
    ] = "auto",
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Save the figures as JSON.")] = None,
) -> int:
    import sys

    from heddle import interruption, launch, places
    from heddle.demo import imgserve, report
    from heddle.demo.load import WrongAnswersError
    from heddle.errors import BadInputError

    if which != "c":
        raise BadInputError(f"there is no demo '{which}'", "use heddle demo c")
    count = launch.parse_threads(threads)
    if threads == "auto":
        count = max(2, count)
    if count < 2:
        raise BadInputError("--threads 1 would compare libevent with itself", "give 2 or more")
    interruption.as_exception()
    try:
        outcome = imgserve.play(places.root() / "build" / "demo", count, _step)
    except WrongAnswersError as error:
        sys.stderr.write(f"heddle: the demo failed: {error}\n")
        return 1
    if json_file is not None:
        imgserve.write_json(outcome, json_file)
    report.show(outcome)
    return 0


@contextmanager
def _step(text: str) -> Iterator[list[str]]:
    """One line per step on standard error; on a terminal it shows that something is going on."""
    import sys
    import time

    from heddle import terminal

    started = time.monotonic()
    said: list[str] = []
    if sys.stderr.isatty():
        sys.stderr.write(f"  ... {text}")
        sys.stderr.flush()
    try:
        yield said
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
    colour = terminal.palette(sys.stderr)
    detail = colour("dim", f"  {said[0]}, " if said else "  ") + colour("dim", f"{time.monotonic() - started:.1f} s")
    sys.stderr.write(f"  {colour('green', 'ok')}  {text}{detail}\n")
