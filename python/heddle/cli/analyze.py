"""`heddle analyze`: which handlers of a program conflict, on what, and by which path."""

from pathlib import Path
from typing import Annotated

import typer

_HELP = """Find the event handlers of a program, and which of them must not run at the same time.

Reads the bitcode that heddle build left in the program, or .bc files, or C files. Prints a report and writes
PROGRAM.constraints.json beside the program, where heddle run finds it.

Example: heddle analyze ./server

Example: heddle analyze ./server --why on_read on_write
"""


def register(app: typer.Typer) -> None:
    app.command("analyze", help=_HELP, short_help="Say which handlers conflict, on what, and why.")(analyze)


def analyze(
    inputs: Annotated[list[str], typer.Argument(metavar="PROGRAM|FILE.bc|FILE.c...", help="What to analyse.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the constraints document instead.")] = False,
    why: Annotated[
        tuple[str, str] | None, typer.Option(metavar="A B", help="Everything about this pair of handlers.")
    ] = None,
    output: Annotated[
        Path | None, typer.Option("-o", "--output", metavar="FILE", help="Write the constraints there.")
    ] = None,
    all_of_it: Annotated[bool, typer.Option("--all", help="Leave nothing out of the report.")] = False,
    cflags: Annotated[str, typer.Option(metavar="FLAGS", help="For C files, such as '-Iinclude -DX=1'.")] = "",
) -> None:
    import json
    import shlex
    import sys

    from heddle import analysis, interruption, places, terminal
    from heddle.constraints import Constraints
    from heddle.report import pair, text
    from heddle.report.layout import plural, some

    interruption.as_exception()
    done = analysis.analyze(inputs, shlex.split(cflags), output)
    if done.without_bitcode:
        names = some(done.without_bitcode, 4)
        sys.stderr.write(
            f"heddle: {plural(len(done.without_bitcode), 'function')} without bitcode ({names}), "
            "taken for a library's: compile everything with heddle build\n"
        )
    if as_json:
        json.dump(done.document, sys.stdout, indent=1)
        sys.stdout.write("\n")
        return
    constraints = Constraints(done.document)
    width, colour = terminal.width(), terminal.palette(sys.stdout)
    if why is not None:
        lines = pair.why(constraints, *why, width, colour)
    else:
        lines = text.report(constraints, width, colour, all_of_it)
    sys.stdout.write("\n".join(lines) + "\n")
    if constraints.build_id != "none" and why is None:
        program = inputs[0] if "/" in inputs[0] else f"./{inputs[0]}"
        option = f"--constraints {output} " if output is not None else ""
        sys.stdout.write(f"\nWritten to {done.written_to}; next: {places.command()} run {option}{program}\n")
