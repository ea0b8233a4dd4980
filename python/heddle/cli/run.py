"""`heddle run`: the program as it is, on several cores."""

from pathlib import Path
from typing import Annotated

import typer

_HELP = """Run a program that uses libevent with several handlers at once, never two that conflict; or one for Node.js.

Takes PROGRAM.constraints.json beside the program, which heddle analyze writes; without it the run is serial and says
so. Signals, standard streams and the exit code are the program's own; a summary follows on standard error when it ends.

With --threads auto the runtime watches its handlers: one that computes has a core for itself; while handlers block and
others wait, more are run at once, up to 64 or four for each core. The summary says how many that were, and why.

A file that ends in .js, .mjs, .cjs or .ts runs on Node.js with the output of plain node; worker threads compute ahead
what its events will need. --workers, --ship, --report, --run-file and --trace are for it, the others are not.

A program with pico runs as it is; --trace, --run-file, --metrics and --quiet are for it, the others are not.

Example: heddle run --threads 4 ./server -p 8080

Example: heddle run --report app.js --port 8080

Example: heddle run --run-file run.json --trace trace.bin ./server -p 8080
"""


def register(app: typer.Typer) -> None:
    app.command(
        "run",
        help=_HELP,
        short_help="Run a program in parallel, with serial semantics kept.",
        context_settings={"allow_interspersed_args": False},
    )(run)


def run(
    command: Annotated[list[str], typer.Argument(metavar="PROGRAM [ARGS]...", help="The program, and its arguments.")],
    threads: Annotated[
        str,
        typer.Option(metavar="N|auto", help="Long handlers at once; auto: as many as cores, more while they block."),
    ] = "auto",
    serial: Annotated[bool, typer.Option("--serial", help="One handler at a time, in libevent's order.")] = False,
    constraints: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Take these instead of PROGRAM.constraints.json.")
    ] = None,
    trace: Annotated[Path | None, typer.Option(metavar="FILE", help="Record every invocation.")] = None,
    run_file: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write figures per handler and contention as JSON.")
    ] = None,
    metrics: Annotated[
        int | None, typer.Option(metavar="PORT", min=1, max=65535, help="Serve figures for Prometheus on 127.0.0.1.")
    ] = None,
    workers: Annotated[str, typer.Option(metavar="N|auto", help="Node.js: worker threads.")] = "auto",
    ship: Annotated[
        str | None, typer.Option(metavar="auto|always|never", help="Node.js: what is given to workers.")
    ] = None,
    report: Annotated[
        bool, typer.Option("--report", help="Node.js: say at exit what was computed ahead, what was not, and why.")
    ] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Nothing on standard error but the program's own.")] = False,
) -> None:
    from heddle.errors import BadInputError
    from heddle.run import launch, node_launch, pico_launch

    if node_launch.is_node(command[0]):
        if threads != "auto" or serial or constraints or metrics:
            raise BadInputError("that option is not for Node.js programs", "see heddle run --help")
        node_launch.start(node_launch.Request(command[0], tuple(command[1:]), workers, ship, report, trace, run_file))
    if workers != "auto" or ship or report:
        raise BadInputError("--workers, --ship and --report are for Node.js programs", "see heddle run --help")
    if pico_launch.is_pico(command[0]):
        if threads != "auto" or serial or constraints:
            raise BadInputError("that option is not for programs with pico", "see heddle run --help")
        launch.start(
            pico_launch.plan(pico_launch.Request(command[0], tuple(command[1:]), trace, run_file, quiet, metrics))
        )
    request = launch.Request(
        command[0], tuple(command[1:]), threads, serial, constraints, trace, run_file, quiet, metrics
    )
    launch.start(launch.plan(request))
