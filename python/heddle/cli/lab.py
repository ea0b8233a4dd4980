"""`heddle lab`: one workload under every concurrency model, measured, shown and predicted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from heddle.lab import Model
    from heddle.lab.scenarios.stage import Shipped
    from heddle.lab.trial import Trial

_HELP = """Run one workload under several models of concurrency, compare them, and predict other machines.

The exit code is 0 when it is done, 1 when commands of the scenario failed, 2 for bad input, 130 after Ctrl-C; what was
measured is kept, and marked partial.

Example: heddle lab compare page-load

Example: heddle lab run primes --model pool:1 --json primes.json, then heddle lab predict primes.json
"""

_LIST = """Name the scenarios that ship, and the models.

Example: heddle lab list
"""

_RUN = """Measure a scenario under one model.

SCENARIO is one that heddle lab list names, or a Python file that leaves a heddle.lab.Scenario in a variable.

Example: heddle lab run page-load --model pool:8 --html page-load.html
"""

_COMPARE = """Measure a scenario under several models, in turn.

Every run must paint and compute the same. How many connections are open at once can reverse the order of models:
natural is what each model does of itself, equal gives the same number to all.

Example: heddle lab compare page-load --connections equal --json page-load.json

Example: heddle lab compare mine.py --model threads --model pool:8 --repeat 9
"""

_SWEEP = """Measure a scenario under one model with several numbers of workers.

Example: heddle lab sweep page-load --model pool --workers 1-10 --json sweep.json
"""

_PLOT = """Show what was measured: as a picture (.svg, .png), a page (.html), or a timeline for Perfetto (.pftrace).

The timeline is of one model: the first, or the one that --model names.

Example: heddle lab plot page-load.json page-load.svg

Example: heddle lab plot page-load.json pool.pftrace --model pool:8
"""

_PREDICT = """Predict how long a scenario would take on other cores, from a recorded run.

Best is a run with one worker, on a machine that does nothing else. It is refused if other programs took more than 5 %
of the machine. Runs in FILE or --check with other numbers of workers, on as many cores, check the prediction.

Example: heddle lab run primes --model pool:1 --json one.json, then heddle lab predict one.json --cores 2,4,8,16,64

Example: heddle lab sweep primes --model pool --workers 1-2 --json two.json, then heddle lab predict two.json
"""

_PATTERNS = """Measure what ways to protect shared data cost: a bare mutex, scoped and strategised locking, a null lock,
thread-specific data, optimistic changes.

Example: heddle lab patterns --threads 1-10 --json patterns.json
"""

_COUNTERS = """Say which events this machine can count, and which of the paper's 15 ratios come of them.

Example: heddle lab counters

Example: heddle lab counters --callgrind primes --model pool:2
"""

_Scenario = Annotated[str, typer.Argument(metavar="SCENARIO", help="One that list names, or a file that ends in .py.")]
_Repeat = Annotated[int, typer.Option(min=1, metavar="N", help="Rounds, after one that warms up.")]
_Connections = Annotated[str, typer.Option(metavar="natural|equal|N", help="How many connections are open at once.")]
_Latency = Annotated[float | None, typer.Option(min=0, metavar="MS", help="Of the scenario's network, in ms.")]
_Scale = Annotated[float, typer.Option(min=0.001, metavar="X", help="So many times the scenario's work.")]
_Json = Annotated[Path | None, typer.Option("--json", metavar="FILE|-", help="Save all runs; - is standard output.")]
_Html = Annotated[Path | None, typer.Option("--html", metavar="FILE", help="Write the report as a page.")]
_File = Annotated[Path, typer.Argument(metavar="FILE", help="What run, compare or sweep saved with --json.")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(help=_HELP, rich_markup_mode=None, no_args_is_help=True)
    group.command("list", help=_LIST, short_help="Name the scenarios and models.")(list_)
    group.command("run", help=_RUN, short_help="Measure a scenario under one model.")(run)
    group.command("compare", help=_COMPARE, short_help="Measure a scenario under several models.")(compare)
    group.command("sweep", help=_SWEEP, short_help="Measure a model with several numbers of workers.")(sweep)
    group.command("plot", help=_PLOT, short_help="Show what was measured.")(plot)
    group.command("predict", help=_PREDICT, short_help="Predict other cores.")(predict)
    group.command("patterns", help=_PATTERNS, short_help="Measure ways to protect shared data.")(patterns)
    group.command("counters", help=_COUNTERS, short_help="Say what this machine can count.")(counters)
    app.add_typer(group, name="lab", short_help="Run one workload under every concurrency model.")


def list_(as_json: Annotated[bool, typer.Option("--json", help="Print the list as data.")] = False) -> None:
    from heddle.lab import Model
    from heddle.lab.scenarios.catalogue import SHIPPED
    from heddle.output.layout import columns

    models = [str(model) for model in Model.all()]
    if as_json:
        names = ("name", "about", "source", "models")
        _print({"scenarios": [{name: getattr(each, name) for name in names} for each in SHIPPED], "models": models})
        return
    rows = [[each.name, each.about, each.source] for each in SHIPPED]
    _say(["Scenarios:", *columns(rows, "  "), "", "Models:", f"  {', '.join(models)}"])


def run(
    scenario: _Scenario,
    model: Annotated[str, typer.Option(metavar="MODEL", help="As list names them.")] = "pool:8",
    repeat: _Repeat = 5,
    connections: _Connections = "natural",
    latency: _Latency = None,
    scale: _Scale = 1.0,
    json_file: _Json = None,
    html: _Html = None,
) -> int:
    from heddle.lab import measuring

    chosen = _find(scenario)
    models = measuring.models_of([model], connections)
    return _measure(chosen, models, repeat, latency, scale, json_file, html)


def compare(
    scenario: _Scenario,
    model: Annotated[list[str] | None, typer.Option(metavar="MODEL", help="May be repeated.")] = None,
    repeat: _Repeat = 5,
    connections: _Connections = "natural",
    latency: _Latency = None,
    scale: _Scale = 1.0,
    json_file: _Json = None,
    html: _Html = None,
) -> int:
    from heddle.lab import measuring

    chosen = _find(scenario)
    models = measuring.models_of(model or chosen.models, connections)
    return _measure(chosen, models, repeat, latency, scale, json_file, html)


def sweep(
    scenario: _Scenario,
    model: Annotated[str, typer.Option(metavar="MODEL", help="One with workers.")] = "pool",
    workers: Annotated[str, typer.Option(metavar="LIST", help="Numbers with commas, or from-to.")] = "1-10",
    repeat: _Repeat = 5,
    connections: _Connections = "natural",
    latency: _Latency = None,
    scale: _Scale = 1.0,
    json_file: _Json = None,
    html: _Html = None,
) -> int:
    from heddle.lab import measuring

    chosen = _find(scenario)
    models = measuring.models_of([model], connections, _numbers(workers, "--workers"))
    return _measure(chosen, models, repeat, latency, scale, json_file, html)


def plot(
    file: _File,
    output: Annotated[Path, typer.Argument(metavar="OUTPUT", help="A name ending in .svg, .png, .html or .pftrace.")],
    model: Annotated[str | None, typer.Option(metavar="MODEL", help="Whose timeline.")] = None,
) -> None:
    from heddle.errors import BadInputError
    from heddle.lab import trial as trials
    from heddle.lab.output import plot as pictures
    from heddle.lab.output import timeline
    from heddle.output.pictures import FORMATS

    kind = output.suffix.lower()
    if kind not in (*FORMATS, ".html", ".pftrace"):
        raise BadInputError(f"{output} is nothing that can be made", "end the name in .svg, .png, .html or .pftrace")
    trial = trials.load(file)
    if kind in FORMATS:
        from heddle.output import pictures as files

        files.check(output)
        pictures.save(output, trial)
    elif kind == ".html":
        _write_page(trial, output)
    else:
        series = [each for each in trial.series() if model in (None, each.model)]
        if not series:
            known = ", ".join(each.model for each in trial.series()) or "none"
            raise BadInputError(f"{file} has no run of {model or 'any model'}", f"it has {known}")
        timeline.write_perfetto(series[0].typical, output)
    _say([f"Written to {output}"])


def predict(
    file: _File,
    cores: Annotated[str, typer.Option(metavar="LIST", help="Numbers with commas.")] = "2,4,8,16,64",
    workers: Annotated[int | None, typer.Option(min=1, metavar="N", help="So many for each; else one a core.")] = None,
    model: Annotated[str | None, typer.Option(metavar="MODEL", help="Of those in FILE, as it is named there.")] = None,
    check: Annotated[list[Path] | None, typer.Option(metavar="FILE", help="More runs; may be repeated.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the prediction as data.")] = False,
) -> None:
    from heddle.errors import BadInputError
    from heddle.lab import trial as trials
    from heddle.lab.output import text
    from heddle.lab.prediction import outlook
    from heddle.output import terminal

    counts = _numbers(cores, "--cores")
    series = trials.load(file).series()
    recorded = [each for each in series if model in (None, each.model)]
    if not recorded:
        known = ", ".join(each.model for each in series) or "none"
        raise BadInputError(f"{file} has no run of {model or 'any model'}", f"it has {known}")
    run = min(recorded, key=lambda each: each.typical.model.workers).typical
    others = [one for each in series for one in each.runs]
    others += [one for path in check or () for each in trials.load(path).series() for one in each.runs]
    found = outlook.predict(run, counts, workers, others)
    if as_json:
        _print(found.data())
        return
    _say(text.of_outlook(found, terminal.width()))


def patterns(
    threads: Annotated[str, typer.Option(metavar="LIST", help="Numbers with commas, or from-to.")] = "1,2,4,8",
    operations: Annotated[int, typer.Option(min=1000, metavar="N", help="Shared by all threads.")] = 10_000_000,
    repeat: _Repeat = 3,
    json_file: Annotated[Path | None, typer.Option("--json", metavar="FILE|-", help="Save the figures.")] = None,
) -> None:
    from heddle.lab import patterns as measured
    from heddle.lab.output import progress

    counts = _numbers(threads, "--threads")
    with progress.shown() as say:
        found = measured.measure(counts, repeat, operations, say)
    if json_file is not None:
        _save(found.data(), json_file)
    if str(json_file) != "-":
        _say(measured.lines(found))


def counters(
    callgrind: Annotated[
        str | None, typer.Option(metavar="SCENARIO", help="Simulate caches for one run of it instead.")
    ] = None,
    model: Annotated[str, typer.Option(metavar="MODEL", help="For --callgrind.")] = "pool:2",
    scale: Annotated[float, typer.Option(min=0.001, metavar="X", help="For --callgrind.")] = 0.05,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as data.")] = False,
) -> None:
    from heddle.lab.counters import events, stand_in
    from heddle.lab.output import text
    from heddle.output import terminal

    if callgrind is not None:
        by_thread = stand_in.counts_of(callgrind, model, scale)
        if as_json:
            _print(by_thread)
        else:
            _say(text.of_ratios(by_thread))
        return
    with events.counting() as counted:
        sum(range(10_000))
    if as_json:
        _print(text.counters_data(counted.counts, counted.missing))
        return
    _say(text.of_counters(counted.counts, counted.missing, terminal.width()))


def _find(name: str) -> "Shipped":
    from heddle.lab.scenarios import catalogue

    return catalogue.find(name)


def _measure(
    chosen: "Shipped",
    models: "Sequence[Model]",
    repeat: int,
    latency_ms: float | None,
    scale: float,
    json_file: Path | None,
    html: Path | None,
) -> int:
    from heddle import interruption
    from heddle.errors import BadInputError
    from heddle.lab import measuring
    from heddle.lab.output import progress, text
    from heddle.lab.scenarios.stage import Options
    from heddle.output import terminal
    from heddle.system import places

    for file in (json_file, html):
        if file is not None and str(file) != "-" and not file.absolute().parent.is_dir():
            raise BadInputError(f"{file} cannot be written", "name a file in a folder that exists")
    interruption.as_exception()
    work = places.root() / "build" / "lab"
    work.mkdir(parents=True, exist_ok=True)
    options = Options(work, None if latency_ms is None else latency_ms / 1000, scale)
    with progress.shown() as say, chosen.open(options) as stage:
        trial = measuring.measure(stage, models, repeat, say)
    if json_file is not None:
        _save(trial.document(), json_file)
    if html is not None:
        _write_page(trial, html)
    if str(json_file) != "-":
        _say(text.of_trial(trial, terminal.width()))
    if trial.partial:
        return 130
    return 1 if any(series.errors for series in trial.series()) else 0


def _save(data: object, file: Path) -> None:
    import json

    from heddle.errors import BadInputError

    if str(file) == "-":
        _print(data)
        return
    try:
        file.write_text(json.dumps(data) + "\n")
    except OSError as error:
        raise BadInputError(f"{file} cannot be written ({error.strerror})", "name another file") from None


def _write_page(trial: "Trial", file: Path) -> None:
    from heddle.errors import BadInputError
    from heddle.lab.output.page import page

    try:
        file.write_text(page(trial))
    except OSError as error:
        raise BadInputError(f"{file} cannot be written ({error.strerror})", "name another file") from None


def _numbers(text: str, option: str) -> list[int]:
    """`1,2,4` or `1-10`."""
    from heddle.errors import BadInputError

    found: list[int] = []
    for word in text.split(","):
        first, dash, last = word.strip().partition("-")
        if not first.isdecimal() or (dash and not last.isdecimal()):
            raise BadInputError(f"{option} cannot be {text}", "say numbers with commas, such as 1,2,4, or 1-10")
        found += range(int(first), int(last if dash else first) + 1)
    if not found or min(found) < 1 or max(found) > _MOST:
        raise BadInputError(f"{option} cannot be {text}", f"say numbers from 1 to {_MOST}")
    return found


_MOST = 4096


def _print(data: object) -> None:
    import json
    import sys

    json.dump(data, sys.stdout, indent=1)
    sys.stdout.write("\n")


def _say(lines: list[str]) -> None:
    import sys

    sys.stdout.write("\n".join(lines) + "\n")
