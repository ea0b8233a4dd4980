"""`heddle top`: what a program that runs under heddle is doing now, or what is in a store of shared objects."""

from pathlib import Path
from typing import Annotated

import typer

_HELP = """Show what a program that runs under heddle does now: its handlers, and who waits for whom.

Without PID, the only one that runs. On a terminal the view is renewed each second until Ctrl-C or the end of the
program; in a pipe, and with --once, it is printed once, with totals since the start. Of a store of shared objects,
named by its file, it shows what is in it, who reads it, and how fast it changes.

Example: heddle top

Example: heddle top 4711 --once --json

Example: heddle top /dev/shm/board
"""


def register(app: typer.Typer) -> None:
    app.command("top", help=_HELP, short_help="Show what a running program does now.")(top)


def top(
    what: Annotated[
        str | None, typer.Argument(metavar="PID|STORE", help="The program's process, or a store's file.")
    ] = None,
    once: Annotated[bool, typer.Option("--once", help="Print once and leave.")] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="Print the run document of now, or the store's figures, once.")
    ] = False,
) -> None:
    import json
    import sys

    from heddle.errors import BadInputError
    from heddle.output import terminal
    from heddle.run import live, stores, view

    if what is not None and not what.isdecimal():
        store = Path(what)
        if not as_json and not once and sys.stdout.isatty():
            stores.watch(store)
            return
        figures = stores.figures(store)
        shown = [json.dumps(figures, indent=1)] if as_json else stores.lines(figures, None, 1.0, terminal.width())
        sys.stdout.write("\n".join(shown) + "\n")
        return
    process = live.one(None if what is None else int(what))
    if not as_json and not once and sys.stdout.isatty():
        view.watch(process)
        return
    document = live.fresh(process)
    if document is None:
        raise BadInputError(f"process {process} has ended", "see the summary that it left, or --run-file")
    if as_json:
        json.dump(document, sys.stdout, indent=1)
        sys.stdout.write("\n")
    else:
        sys.stdout.write("\n".join(view.lines(document, None, terminal.width())) + "\n")
