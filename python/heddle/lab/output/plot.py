"""A trial as a picture: a bar for each model, or, where one model ran with several numbers of workers, a curve."""

from collections import defaultdict
from pathlib import Path

from heddle.errors import BadInputError
from heddle.lab.output.text import title
from heddle.lab.trial import Series, Trial
from heddle.output import pictures


def save(file: Path, trial: Trial) -> None:
    from matplotlib.figure import Figure
    from matplotlib.ticker import MaxNLocator

    found = trial.series()
    if not found:
        raise BadInputError("there is nothing to draw", "let at least one run come to its end")
    curves = swept(found)
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    if curves:
        for name, points in curves.items():
            low = [series.median - series.interval[0] for series in points]
            high = [series.interval[1] - series.median for series in points]
            workers = [series.typical.model.workers for series in points]
            axes.errorbar(workers, [s.median for s in points], yerr=[low, high], marker="o", capsize=3, label=name)
        for series in found:
            if not any(series in points for points in curves.values()):
                axes.axhline(series.median, linestyle=":", color="0.5", label=series.model)
        axes.set_xlabel("workers")
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        axes.legend()
    else:
        low = [series.median - series.interval[0] for series in found]
        high = [series.interval[1] - series.median for series in found]
        bars = axes.bar([series.model for series in found], [s.median for s in found], yerr=[low, high], capsize=4)
        axes.bar_label(bars, [f"{series.median:.2f}" for series in found], label_type="center", color="white")
        axes.tick_params(axis="x", rotation=20)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("seconds")
    axes.set_title(title(trial) + (", partial" if trial.partial else ""))
    axes.grid(True, axis="y", color="0.9")
    axes.set_axisbelow(True)
    pictures.save(figure, file)


def swept(found: list[Series]) -> dict[str, list[Series]]:
    """Models that ran with more than one number of workers, by name, in order of workers."""
    by_name: dict[str, list[Series]] = defaultdict(list)
    for series in found:
        by_name[series.typical.model.name].append(series)
    return {
        name: sorted(group, key=lambda series: series.typical.model.workers)
        for name, group in by_name.items()
        if len({series.typical.model.workers for series in group}) > 2
    }
