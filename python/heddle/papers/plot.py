"""The batch-size curve of the thesis as a picture: what it published, and what was measured here."""

from pathlib import Path

from heddle.errors import BadInputError
from heddle.output import pictures
from heddle.papers import published
from heddle.papers.comparison import Measured


def curve(measured: Measured, key: str) -> list[tuple[int, float]]:
    """Batch size and the number of that name, for the sizes that were measured."""
    pairs = ((size, measured.number(("details", f"batch_{size}", key))) for size in published.BATCHES)
    return [(size, value) for size, value in pairs if value is not None]


def save(file: Path, measured: Measured) -> None:
    from matplotlib.figure import Figure

    speed, begun, in_vain = (curve(measured, key) for key in ("speed_up", "begun", "in_vain"))
    if not speed:
        raise BadInputError("there is no batch-size curve to draw", f"measure it first: {measured.advice()}")
    figure = Figure(figsize=(7, 6.5), layout="constrained")
    above, below = figure.subplots(2, sharex=True, height_ratios=(2, 1))
    for axes in (above, below):
        axes.set_xscale("log")
        axes.grid(True, color="0.9")
        axes.axvspan(*published.STABLE, color="tab:orange", alpha=0.08, label="2011: stable, close to no aborts")
        axes.axvline(published.LOSES, color="tab:orange", linestyle=":", label="2011: slower from here on")

    above.plot(*zip(*speed, strict=True), marker="o", label="measured, 2 cores / plain node")
    there = ((published.BEST, published.BEST_SPEED), (published.ONE_CORE, 1.0))
    above.plot(*zip(*there, strict=True), "s", color="tab:orange", label=f"2011, {published.CORES} cores / one thread")
    above.set_ylim(bottom=0)
    above.set_ylabel("speed-up")
    above.set_title("Primes, by how many numbers one event inspects")
    above.legend()

    began = dict(begun)
    shares = [(size, value / began[size] if began.get(size) else 0.0) for size, value in in_vain]
    below.plot(*zip(*shares, strict=True), marker="o", label="measured: in vain, of regions begun")
    share = published.ABORTS / (published.RANGE / published.ABORTED)
    below.plot([published.ABORTED], [share], "s", color="tab:orange", label="2011: aborts, of events")
    below.set_ylim(-0.05, 1.1)
    below.set_xlabel("numbers an event (2011: of a million; here: of 16 million)")
    below.set_ylabel("in vain")
    below.legend()
    pictures.save(figure, file)
