"""`heddle demo`: the main job, on a server that is ready to look at."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any

import typer

_HELP = """Take a server written for one thread, and serve the same load with it twice: as it is, and under heddle.

c is a thumbnail server in C: it is built, analysed, and run under plain libevent and under heddle. node is a Markdown
service on express: it runs in plain node and under heddle-node. Checks that all answers are byte-identical, and says
what was gained, what still holds it back, and what to try next. Takes about a minute.

Example: heddle demo

Example: heddle demo node --threads 2
"""


def register(app: typer.Typer) -> None:
    app.command("demo", help=_HELP, short_help="Watch one server use all cores, with the same answers.")(demo)


def demo(
    which: Annotated[
        str, typer.Argument(metavar="[c|node]", help="The program: c, on libevent; node, for Node.js.")
    ] = "c",
    threads: Annotated[
        str,
        typer.Option(
            metavar="N|auto", help="Handlers at once, or workers; auto: the cores this process may use, 2 at least."
        ),
    ] = "auto",
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Save the figures as JSON.")] = None,
) -> int:
    import json
    import sys

    from heddle import interruption
    from heddle.errors import BadInputError
    from heddle.measure.load import WrongAnswersError
    from heddle.run import launch
    from heddle.system import places

    if which not in ("c", "node"):
        raise BadInputError(f"there is no demo '{which}'", "use heddle demo c or heddle demo node")
    count = launch.parse_threads(threads)
    if threads == "auto":
        count = max(2, count)
    if count < 2:
        raise BadInputError("--threads 1 would compare libevent with itself", "give 2 or more")
    interruption.as_exception()
    try:
        figures = (_c if which == "c" else _node)(places.root() / "build" / "demo", count)
    except WrongAnswersError as error:
        sys.stderr.write(f"heddle: the demo failed: {error.what}\n")
        return 1
    if json_file is not None:
        json_file.write_text(json.dumps(figures, indent=1) + "\n")
    return 0


def _c(work: Path, threads: int) -> dict[str, Any]:
    from heddle.demo import imgserve, report

    outcome = imgserve.play(work, threads, _step)
    report.show(outcome)
    return imgserve.as_document(outcome)


def _node(work: Path, threads: int) -> dict[str, Any]:
    from heddle.demo import node, node_report

    outcome = node.play(work / "node", threads, _step)
    node_report.show(outcome)
    return node.as_document(outcome)


@contextmanager
def _step(text: str) -> Iterator[list[str]]:
    """One line per step on standard error; on a terminal it shows that something is going on."""
    import sys
    import time

    from heddle.output import terminal

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
