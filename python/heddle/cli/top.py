"""`heddle top`: what a program that runs under heddle is doing now."""

from typing import Annotated

import typer

_HELP = """Show what a program that runs under heddle does now: its handlers, and who waits for whom.

Without PID, the only one that runs. On a terminal the view is renewed each second until Ctrl-C or the end of the
program; in a pipe, and with --once, it is printed once, with totals since the start.

Example: heddle top

Example: heddle top 4711 --once --json
"""


def register(app: typer.Typer) -> None:
    app.command("top", help=_HELP, short_help="Show what a running program does now.")(top)


def top(
    pid: Annotated[int | None, typer.Argument(metavar="PID", help="The program's process.")] = None,
    once: Annotated[bool, typer.Option("--once", help="Print once and leave.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the run document of now, once.")] = False,
) -> None:
    import json
    import sys

    from heddle.errors import BadInputError
    from heddle.output import terminal
    from heddle.run import live, view

    process = live.one(pid)
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
