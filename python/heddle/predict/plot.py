"""Predicted speed against cores as a picture: one line for the program as it is, one for each cause that is removed."""

from collections.abc import Sequence
from pathlib import Path

from heddle.output import pictures
from heddle.predict.outlook import Outlook, Predictor
from heddle.predict.report import labels


def save(file: Path, predictor: Predictor, program: str, threads: Sequence[int], outlooks: Sequence[Outlook]) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(threads, threads, color="0.7", linestyle=":", label="a core more, as much faster")
    for label, outlook in zip(labels(outlooks), outlooks, strict=True):
        axes.plot(threads, [rate / predictor.recorded for rate in outlook.rates], marker="o", label=label)
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    axes.set_xticks(list(threads), [str(count) for count in threads])
    axes.yaxis.set_major_formatter(lambda value, _position: f"{value:g}x")
    axes.set_xlabel("threads, each with a core")
    axes.set_ylabel("speed, recorded run = 1x")
    axes.set_title(f"{program}: predicted from {len(predictor.work):,} invocations")
    axes.grid(True, color="0.9")
    axes.legend()
    pictures.save(figure, file)
