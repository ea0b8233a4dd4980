"""`heddle bench`: the claims of the README, measured on this machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from heddle.measure.benchmark import Result

_HELP = """Measure what heddle claims, against the same programs without it, in turn.

Ends with exit code 1 if a claim does not reach its goal. `list` names the benchmarks.

Example: heddle bench list

Example: heddle bench imgserve --quick --json imgserve.json
"""


def register(app: typer.Typer) -> None:
    app.command("bench", help=_HELP, short_help="Measure what is claimed, on this machine.")(bench)


def bench(
    name: Annotated[str, typer.Argument(metavar="list|NAME", help="A benchmark, or list.")],
    quick: Annotated[bool, typer.Option("--quick", help="Fewer and shorter runs: a first impression.")] = False,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Save the result.")] = None,
) -> int:
    import sys

    from heddle import interruption
    from heddle.errors import BadInputError
    from heddle.measure import catalogue
    from heddle.output import terminal
    from heddle.output.layout import columns

    if name == "list":
        rows = [(benchmark.name, benchmark.about) for benchmark in catalogue.available()]
        sys.stdout.write("".join(line + "\n" for line in columns(rows, "  ")))
        return 0
    chosen = catalogue.find(name)
    if json_file is not None and not json_file.absolute().parent.is_dir():
        raise BadInputError(f"{json_file} cannot be written", "name a file in a folder that exists")
    interruption.as_exception()

    def say(text: str) -> None:
        in_place = sys.stderr.isatty()
        sys.stderr.write(f"\r\x1b[K  {text} ..." if in_place else f"  {text}\n")
        sys.stderr.flush()

    try:
        result = catalogue.run(chosen, quick, say)
    finally:
        if sys.stderr.isatty():
            sys.stderr.write("\r\x1b[K")
    if json_file is not None:
        result.save(json_file)
    _show(result, terminal.width())
    return 0 if all(claim.met for claim in result.claims) else 1


def _show(result: "Result", width: int) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=f"bench {result.bench}", title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("claim", min_width=min(60, width - 52))
    for head in ("goal", "measured", "spread", "runs"):
        table.add_column(head, justify="right")
    table.add_column("", no_wrap=True)
    for claim in result.claims:
        table.add_row(
            f"{claim.id}\n  {claim.what}",
            f"{'>=' if claim.better == 'higher' else '<='} {claim.goal:.2f}",
            f"{claim.measured:.2f}",
            f"± {100 * claim.spread:.0f} %",
            str(claim.runs),
            "reached" if claim.met else "missed",
        )
    console = Console(width=width)
    console.print(table)
    for line in result.details.get("table", ()):
        console.print(line, markup=False, highlight=False, soft_wrap=True)
    for claim in result.claims:
        if claim.doubt:
            console.print(f"Doubtful: {claim.id}: {claim.doubt}", markup=False, highlight=False)
    machine = result.machine
    console.print(
        f"{machine['model']}, {machine['cores']} cores, {machine['system']} {machine['release']}", markup=False
    )
