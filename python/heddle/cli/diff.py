"""`heddle diff`: what a change of the program did to its conflicts."""

from pathlib import Path
from typing import Annotated

import typer

_HELP = """Compare two analyses of a program: which conflicts came, went, or moved.

OLD and NEW are constraints documents, as heddle analyze writes them. Conflicts are known by their handlers and their
object, so that shifted lines change nothing. What late points (heddle build --late) allow beside a verdict is compared
too.

Exit codes: 0 done, 1 with --fail-on new if there is a conflict that OLD does not have (or has for one session only),
2 bad input.

Example: heddle diff released.constraints.json server.constraints.json --fail-on new
"""


def register(app: typer.Typer) -> None:
    app.command("diff", help=_HELP, short_help="Say which conflicts a change added or removed.")(diff)


def diff(
    old: Annotated[Path, typer.Argument(metavar="OLD", help="The earlier constraints document.")],
    new: Annotated[Path, typer.Argument(metavar="NEW", help="The later one.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the differences as data.")] = False,
    suppressions: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Leave out what this file (TOML, with reasons) lists.")
    ] = None,
    fail_on: Annotated[
        str | None, typer.Option(metavar="new", help="End with code 1 if there is a new conflict.")
    ] = None,
    all_of_it: Annotated[bool, typer.Option("--all", help="Leave nothing out of the report.")] = False,
) -> None:
    import json
    import sys

    from heddle.documents import constraints
    from heddle.errors import BadInputError
    from heddle.explain import difference, identity
    from heddle.explain import suppressions as rules
    from heddle.output import terminal
    from heddle.report import data
    from heddle.report import difference as told

    if fail_on not in (None, "new"):
        raise BadInputError(f"--fail-on {fail_on} is not known", "the one choice is --fail-on new")
    before, after = constraints.load(old), constraints.load(new)
    found = difference.compare(before, after)
    if suppressions is not None:
        entries = rules.load(suppressions)
        hidden = [set(rules.apply(entries, side, identity.conflicts(side)).hidden) for side in (before, after)]
        found = difference.without(found, *hidden)
    if as_json:
        json.dump(data.difference(found), sys.stdout, indent=1)
        sys.stdout.write("\n")
    else:
        colour = terminal.palette(sys.stdout)
        lines = told.report(found, before, after, terminal.width(), colour, all_of_it)
        sys.stdout.write("\n".join(lines) + "\n")
    if fail_on == "new" and found.worse:
        raise typer.Exit(1)
