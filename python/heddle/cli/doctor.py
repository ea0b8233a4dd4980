"""`heddle doctor`: what is present, what is missing, and what that costs."""

from typing import Annotated

import typer

_HELP = """Say what is present on this machine, what is missing, and what the missing thing costs.

Ends with exit code 1 if something is missing. A part that ./heddle builds when it
is first needed is not missing: a note says which command builds it.

Example: heddle doctor

Example: heddle doctor --json
"""


def register(app: typer.Typer) -> None:
    app.command("doctor", help=_HELP, short_help="Say what is missing on this machine and what that costs.")(doctor)


def doctor(as_json: Annotated[bool, typer.Option("--json", help="Print the findings as JSON.")] = False) -> int:
    import dataclasses
    import json
    import sys

    from heddle.output import terminal
    from heddle.output.layout import columns, wrapped
    from heddle.system import health

    found = health.findings()
    missing = [finding for finding in found if finding.state == "missing"]
    if as_json:
        json.dump([dataclasses.asdict(finding) for finding in found], sys.stdout, indent=1)
        sys.stdout.write("\n")
        return 1 if missing else 0
    colour = terminal.palette(sys.stdout)
    styles = {"ok": "green", "missing": "red", "note": "yellow"}
    lines = columns([(finding.state, finding.what, finding.found) for finding in found], "  ")
    for line, finding in zip(lines, found, strict=True):
        sys.stdout.write(line.replace(finding.state, colour(styles[finding.state], finding.state), 1) + "\n")
        for text in wrapped(finding.cost, "           ", terminal.width()):
            sys.stdout.write(text + "\n")
    verdict = f"{len(missing)} missing: {', '.join(f.what for f in missing)}" if missing else "nothing is missing"
    sys.stdout.write(f"{verdict}\n")
    return 1 if missing else 0
