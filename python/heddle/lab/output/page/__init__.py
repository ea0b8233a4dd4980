"""A trial as one page that needs nothing but itself, and no script."""

from importlib import resources
from typing import Any

from heddle import __version__
from heddle.lab.counters import ratios
from heddle.lab.output import plot, timeline
from heddle.lab.output.text import notes, title
from heddle.lab.trial import Series, Trial

_WIDTH, _HEIGHT, _MARGIN = 560, 240, 40


def page(trial: Trial) -> str:
    import jinja2

    folder = resources.files(__package__)
    shared = resources.files("heddle.report.page")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    found = trial.series()
    kinds = sorted({command.kind for series in found for command in series.typical.commands})
    counted = {series.model: series.counts for series in found}
    return environment.from_string(folder.joinpath("page.html").read_text()).render(
        version=__version__,
        title=title(trial),
        trial=trial,
        rows=[_row(series, found) for series in found],
        notes=notes(trial, found, 10_000),
        curves=[_curve(name, points) for name, points in plot.swept(found).items()],
        size=(_WIDTH, _HEIGHT, _MARGIN),
        timelines=[
            {"model": series.model, "seconds": series.typical.seconds, "rows": timeline.rows(series.typical)}
            for series in found
        ],
        kinds=kinds,
        events=[
            (name, [counts.get(name) for counts in counted.values()])
            for name in dict.fromkeys(name for counts in counted.values() for name in counts)
        ],
        ratios=[
            (name, ratios.formula(ratio), [ratio(counts) for counts in counted.values()])
            for name, ratio in ratios.RATIOS
        ],
        style=shared.joinpath("page.css").read_text() + folder.joinpath("page.css").read_text(),
    )


def _row(series: Series, found: list[Series]) -> dict[str, Any]:
    most = max(each.interval[1] for each in found) or 1.0
    low, high = series.interval
    run = series.typical
    return {
        "model": series.model,
        "median": series.median,
        "low": low,
        "high": high,
        "relative": series.median / found[0].median if found[0].median else 0.0,
        "cpu": series.cpu_seconds,
        "foreign": series.foreign,
        "doubtful": series.doubtful,
        "runs": len(series.runs),
        "width": 100 * series.median / most,
        "from": 100 * low / most,
        "to": 100 * high / most,
        "switches": sum(each.switches_voluntary + each.switches_involuntary for each in run.threads),
        "queued": sum(each.run_queue_seconds for each in run.threads),
        "migrations": sum(each.migrations for each in run.threads),
        "faults": sum(each.faults for each in run.threads),
        "threads": len(run.threads),
    }


def _curve(name: str, points: list[Series]) -> dict[str, Any]:
    most = max(series.interval[1] for series in points) or 1.0
    workers = [series.typical.model.workers for series in points]
    reach = max(workers) - min(workers) or 1

    def x(count: int) -> float:
        return _MARGIN + (count - min(workers)) / reach * (_WIDTH - 2 * _MARGIN)

    def y(seconds: float) -> float:
        return _HEIGHT - _MARGIN - seconds / most * (_HEIGHT - 2 * _MARGIN)

    return {
        "name": name,
        "most": most,
        "points": [
            {
                "x": x(series.typical.model.workers),
                "y": y(series.median),
                "low": y(series.interval[0]),
                "high": y(series.interval[1]),
                "workers": series.typical.model.workers,
                "seconds": series.median,
            }
            for series in points
        ],
    }
