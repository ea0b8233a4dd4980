"""`heddle predict`: the speed of a recorded run with other threads, and without some of its conflicts."""

from pathlib import Path
from typing import Annotated

import typer

_HELP = """Predict what a program would do on more cores, from a trace of one run.

Record under full load, best with one thread: heddle run --threads 1 --trace TRACE PROGRAM. The recorded work is
simulated under the constraints with each number of threads, each on a core of its own, and without the causes that
--without names (as heddle analyze lists them; may be repeated).

Example: heddle predict server.trace

Example: heddle predict server.trace --threads 2,4,16 --without cache --without log_file
"""


def register(app: typer.Typer) -> None:
    app.command("predict", help=_HELP, short_help="Predict the speed on more cores, from a trace.")(predict)


def predict(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="What heddle run --trace recorded.")],
    threads: Annotated[str, typer.Option(metavar="LIST", help="Numbers of threads, with commas.")] = "1,2,4,8,16",
    without: Annotated[
        list[str] | None, typer.Option(metavar="CAUSE", help="Also without this cause; may be repeated.")
    ] = None,
    constraints: Annotated[
        Path | None, typer.Option(metavar="FILE", help="PROGRAM.constraints.json, if it is elsewhere.")
    ] = None,
    cores: Annotated[int | None, typer.Option(metavar="N", min=1, help="So many cores for every number.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the prediction as data.")] = False,
) -> None:
    import json
    import sys

    from heddle.documents import constraints as known
    from heddle.documents import trace as traces
    from heddle.errors import BadInputError
    from heddle.output import terminal
    from heddle.predict import outlook, report
    from heddle.run import launch

    counts = [launch.parse_threads(word.strip()) for word in threads.split(",")]
    recorded = traces.load(trace)
    program = recorded.header["program"]
    file = constraints or outlook.constraints_beside(trace, program["build_id"], program["name"])
    if file is None:
        raise BadInputError(
            f"there is no {program['name']}.constraints.json of the recorded build beside {trace} or here",
            "name it with --constraints",
        )
    predictor = outlook.Predictor(recorded, str(trace), known.load(file), cores)
    outlooks = [predictor.outlook(counts)]
    if without:
        outlooks.append(predictor.outlook(counts, predictor.named(without)))
    if as_json:
        json.dump(report.data(predictor, counts, outlooks), sys.stdout, indent=1)
        sys.stdout.write("\n")
        return
    lines = [*report.about(predictor, terminal.width()), "", *report.table(predictor, counts, outlooks)]
    sys.stdout.write("\n".join(lines) + "\n")
