"""`heddle check`: did a serial run touch anything that the verdicts would have let two handlers touch at once?"""

from pathlib import Path
from typing import Annotated

import typer

_HELP = """Check the verdicts of heddle analyze against what a program really did.

Build with heddle build --trace, run the program, which writes PROGRAM.accesses (or what HEDDLE_ACCESSES names), and let
it end by itself or by SIGTERM. Ends with 1 if two invocations touched the same memory or system object that the
verdicts would have let run together, and shows both places. Also says which predicted conflicts the run witnessed.

Example: heddle check server.accesses server.constraints.json
"""


def register(app: typer.Typer) -> None:
    app.command("check", help=_HELP, short_help="Check the verdicts against a traced serial run.")(check)


def check(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="What the traced program wrote.")],
    constraints: Annotated[Path, typer.Argument(metavar="CONSTRAINTS", help="What heddle analyze wrote.")],
    as_json: Annotated[bool, typer.Option("--json", help="Print the outcome as JSON.")] = False,
    all_of_it: Annotated[bool, typer.Option("--all", help="Leave nothing out of the report.")] = False,
) -> int:
    import json
    import sys

    from heddle.documents import schemas
    from heddle.documents.constraints import Constraints
    from heddle.oracle import accesses, report
    from heddle.oracle import check as oracle
    from heddle.oracle.predictions import predictions

    document = schemas.load(constraints, "constraints")
    schemas.check(document, "constraints", str(constraints))
    known = Constraints(document)
    outcome = oracle.check(accesses.load(trace), known)
    found = predictions(known, outcome)
    if as_json:
        json.dump(report.document(known, outcome, found), sys.stdout, indent=1)
        sys.stdout.write("\n")
    else:
        sys.stdout.write("\n".join(report.text(known, outcome, found, all_of_it)) + "\n")
    return 1 if outcome.failures else 0
