"""`heddle advise`: which change of the program would gain most, by prediction, and how to make it."""

from pathlib import Path
from typing import Annotated

import typer

_HELP = """Say which change of a program would make it faster on more cores, and by how much.

Joins the causes of its conflicts (heddle analyze) with a trace of a run under load (heddle run --threads 1 --trace
TRACE PROGRAM): the run is simulated without each cause, and the removals that promise most are listed, one after the
other, each with its place in the source and the remedy that fits.

Example: heddle advise ./server server.trace

Example: heddle advise ./server server.trace --threads 16 --plot server.svg
"""


def register(app: typer.Typer) -> None:
    app.command("advise", help=_HELP, short_help="Say which change would gain most, from a trace.")(advise)


def advise(
    program: Annotated[str, typer.Argument(metavar="PROGRAM", help="The program that was analysed.")],
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="What heddle run --trace recorded.")],
    threads: Annotated[int, typer.Option(metavar="N", min=2, max=1024, help="Advise for so many cores.")] = 16,
    picture: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw speed against cores, as .svg or .png.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the advice as data.")] = False,
) -> None:
    import json
    import sys

    from heddle.documents import constraints as known
    from heddle.documents import trace as traces
    from heddle.errors import BadInputError
    from heddle.output import pictures, terminal
    from heddle.predict import outlook, plot, report
    from heddle.program import executable

    if picture is not None:
        pictures.check(picture)
    file = executable.inspect(program, executable.find(program)).constraints_file
    if not file.is_file():
        raise BadInputError(f"there is no {file.name} beside {program}", f"run heddle analyze {program} first")
    predictor = outlook.Predictor(traces.load(trace), str(trace), known.load(file))
    steps = predictor.steps(threads)
    counts = [count for count in (1, 2, 4, 8, 16, 32, 64) if count < threads] + [threads]
    removed = [tuple(step.cause for step in steps[:number]) for number in range(len(steps) + 1)]
    outlooks = [predictor.outlook(counts, causes) for causes in removed]
    if picture is not None:
        plot.save(picture, predictor, Path(program).name, counts, outlooks)
    if as_json:
        json.dump(report.data(predictor, counts, outlooks, steps), sys.stdout, indent=1)
        sys.stdout.write("\n")
        return
    width = terminal.width()
    lines = [*report.about(predictor, width), "", *report.table(predictor, counts, outlooks)]
    lines += report.advice(predictor, steps, threads, width)
    if not steps:
        lines += ["", f"Nothing that keeps handlers apart holds this run back on {threads} cores."]
    sys.stdout.write("\n".join(lines) + "\n")
