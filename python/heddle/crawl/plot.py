"""A crawl as a picture: how it ended, how deep, how large, how long."""

from pathlib import Path
from typing import TYPE_CHECKING

from heddle.crawl import shape
from heddle.crawl.results import Summary
from heddle.output import pictures

if TYPE_CHECKING:
    from matplotlib.axes import Axes


def save(file: Path, found: Summary) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(9, 6.5), layout="constrained")
    (outcomes, depths), (sizes, times) = figure.subplots(2, 2)
    figure.suptitle(
        f"{shape.counted(found.records, 'URL')} of {shape.counted(len(found.hosts), 'host')}, {shape.size(found.bytes)}"
    )
    _bars(outcomes, [(name, count) for name, count in found.outcomes.most_common(12)], "status or error")
    _bars(depths, [(str(depth), found.depths[depth]) for depth in sorted(found.depths)], "links from a given URL")
    _bars(sizes, [(shape.size(start), count) for start, count in shape.ranges(found.sizes, 4)], "body, from ...")
    _bars(times, [(f"{start:g} ms", count) for start, count in shape.ranges(found.ms, 4)], "answer took, from ...")
    pictures.save(figure, file)


def _bars(axes: "Axes", rows: list[tuple[str, int]], label: str) -> None:
    bars = axes.bar(range(len(rows)), [count for _, count in rows])
    axes.bar_label(bars, [f"{count:,}" for _, count in rows], fontsize="small")
    axes.margins(y=0.1)
    axes.set_xticks(range(len(rows)), [name for name, _ in rows], rotation=30 if len(rows) > 5 else 0)
    axes.set_xlabel(label)
    axes.set_ylabel("URLs")
    axes.grid(True, axis="y", color="0.9")
    axes.set_axisbelow(True)
