"""Trials, predictions and what this machine can count, as text that fits a terminal."""

from collections.abc import Mapping, Sequence
from typing import Any

from heddle.lab.counters import callgrind, ratios
from heddle.lab.counters.events import EVENTS
from heddle.lab.prediction.outlook import Outlook
from heddle.lab.trial import Series, Trial
from heddle.output.layout import columns, plural, wrapped

_ERRORS_SHOWN = 5


def of_trial(trial: Trial, width: int) -> list[str]:
    found = trial.series()
    lines = [title(trial), ""]
    first = found[0] if found else None
    rows = [["model", "seconds", "95 % of the median", "/ first", "CPU s", "switches", "foreign", ""]]
    for series in found:
        assert first is not None
        low, high = series.interval
        rows.append(
            [
                series.model,
                f"{series.median:.3f}",
                f"{low:.3f} to {high:.3f}",
                f"{series.median / first.median:.2f}" if first.median else "-",
                f"{series.cpu_seconds:.3f}",
                f"{_switches(series):,.0f}",
                f"{series.foreign:.0%}",
                "doubtful" if series.doubtful else "",
            ]
        )
    lines += columns([[row[0], *(cell.rjust(8) for cell in row[1:-1]), row[-1]] for row in rows], "  ")
    lines += ["", *notes(trial, found, width)]
    return lines


def title(trial: Trial) -> str:
    options = ", ".join(
        f"{name} {value:g}" if isinstance(value, float) else f"{name} {value}" for name, value in trial.options.items()
    )
    return f"{trial.scenario}{f' ({options})' if options else ''}"


def notes(trial: Trial, found: Sequence[Series], width: int) -> list[str]:
    said = []
    runs = max((len(series.runs) for series in found), default=0)
    if found:
        what = "painted the same picture" if trial.window else "came to the same results"
        said.append(f"{plural(runs, 'run')} of each model, in turn; all {what}.")
    if trial.partial:
        said.append("Partial: interrupted before all runs were made.")
    if any(series.doubtful for series in found):
        said.append(
            "Doubtful: other programs took more than 5 % of the machine. Measure again when it does nothing else."
        )
    if 0 < runs < 6:
        said.append("With fewer than six runs the interval is all of their range.")
    for series in found:
        for name, error in dict(series.errors[:_ERRORS_SHOWN]).items():
            said.append(f"{series.model}: {name} failed: {error}")
    return [line for text in said for line in wrapped(text, "  ", width, "    ")]


def _switches(series: Series) -> float:
    return sum(thread.switches_voluntary + thread.switches_involuntary for thread in series.typical.threads)


def of_outlook(outlook: Outlook, width: int) -> list[str]:
    model = outlook.run.model
    text = (
        f"{outlook.run.scenario} under {model.label}, recorded in {outlook.run.seconds:.3f} s. Simulated as it was "
        f"recorded, it is {abs(outlook.error):.1%} {'longer' if outlook.error > 0 else 'shorter'} than it was."
    )
    rows = [["cores", "workers", "seconds", "speed", "measured", "error"]]
    for point in outlook.points:
        rows.append(
            [
                str(point.cores),
                str(point.workers),
                f"{point.seconds:.3f}",
                f"{outlook.run.seconds / point.seconds:.2f}x" if point.seconds else "-",
                "-" if point.measured is None else f"{point.measured:.3f}",
                "-" if point.error is None else f"{point.error:+.1%}",
            ]
        )
    lines = [*wrapped(text, "", width), "", *columns([[cell.rjust(8) for cell in row] for row in rows], "")]
    for doubt in outlook.doubts:
        lines += wrapped(f"Doubtful: {doubt}.", "", width, "  ")
    return lines


def of_counters(counts: Mapping[str, float], missing: Mapping[str, str], width: int) -> list[str]:
    rows = [[event.name, missing.get(event.name, "can be counted"), event.about] for event in EVENTS]
    lines = ["Events of the kernel and the processor:", *columns(rows, "  "), ""]
    possible = ratios.all_of(counts)
    known = [name for name, value in possible.items() if value is not None]
    lines += wrapped(
        f"Of the 15 ratios of the 2007 paper this machine can give {len(known)}"
        f"{': ' + ', '.join(known) if known else ''}.",
        "",
        width,
    )
    lines += wrapped(
        "Beside these, each run records for each thread: processor time, time in the queue of runnable threads, "
        "switches, migrations, faults.",
        "",
        width,
    )
    if not known:
        lines += wrapped(
            f"heddle lab counters --callgrind SCENARIO simulates caches instead, {callgrind.SLOWER} times slower.",
            "",
            width,
        )
    return lines


def of_ratios(by_column: Mapping[str, Mapping[str, float]]) -> list[str]:
    """What cannot be had is a dash."""
    rows = [["", *by_column]]
    for name, ratio in ratios.RATIOS:
        values = [ratio(counts) for counts in by_column.values()]
        rows.append([name, *("-" if value is None else f"{value:.5f}" for value in values)])
    return columns(rows, "  ")


def counters_data(counts: Mapping[str, float], missing: Mapping[str, str]) -> dict[str, Any]:
    return {
        "events": {event.name: missing.get(event.name) for event in EVENTS},
        "ratios": {
            name: {"formula": ratios.formula(ratio), "possible": ratio(counts) is not None}
            for name, ratio in ratios.RATIOS
        },
    }
