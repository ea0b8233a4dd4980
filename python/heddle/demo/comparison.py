"""Two ways to run one server, measured in turn: medians, the ratios of neighbouring runs, and the table of both."""

import statistics
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import asdict, dataclass
from pathlib import Path

from heddle import terminal
from heddle.demo import load
from heddle.demo.load import Measured
from heddle.schemas import Document

DOUBTFUL_FOREIGN_CPU = 0.05

# Announces a step, and when its block ends that it is done; what came of it goes into the list.
Step = Callable[[str], AbstractContextManager[list[str]]]


@dataclass(frozen=True)
class Row:
    """One compared figure: the medians, and the ratio of neighbouring runs: median, least and greatest."""

    what: str
    plain: float
    heddle: float
    ratio: float
    ratio_least: float
    ratio_greatest: float


def rows(compared: Sequence[tuple[str, str]], plain: Sequence[Measured], heddle: Sequence[Measured]) -> list[Row]:
    """`compared`: what a row says, and the field of Measured that it shows."""
    result = []
    for what, name in compared:
        first = [getattr(run, name) for run in plain]
        second = [getattr(run, name) for run in heddle]
        ratios = sorted(b / a if a else float("inf") for a, b in zip(first, second, strict=True))
        middle = statistics.median(ratios)
        result.append(Row(what, statistics.median(first), statistics.median(second), middle, ratios[0], ratios[-1]))
    return result


def show(title: str, names: tuple[str, str], compared: Sequence[Row]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table

    table = Table(title=title, title_justify="left", box=box.SIMPLE_HEAD)
    table.add_column("")
    for name in (*names, "ratio", "from", "to"):
        table.add_column(name, justify="right")
    for row in compared:
        ratios = [f"{x:.2g}" if x < 0.1 else f"{x:.2f}" for x in (row.ratio, row.ratio_least, row.ratio_greatest)]
        table.add_row(row.what, _figure(row.plain), _figure(row.heddle), *ratios)
    Console(width=terminal.width()).print(table)


def doubts(runs: Sequence[Measured]) -> list[str]:
    """A line if other programs were busy meanwhile."""
    share = load.foreign(runs)
    if share <= DOUBTFUL_FOREIGN_CPU:
        return []
    return [f"Doubtful: other programs took up to {100 * share:.0f} % of the machine meanwhile."]


def document(
    demo: str, threads: int, compared: Sequence[Row], runs: tuple[list[Measured], list[Measured]], checked_urls: int
) -> Document:
    """What --json saves."""
    return {
        "demo": demo,
        "threads": threads,
        "rounds": len(runs[0]),
        "checked_urls": checked_urls,
        "results": [asdict(row) for row in compared],
        "foreign_cpu": load.foreign(runs[0] + runs[1]),
    }


def shown(path: Path) -> Path:
    """As short as it can be typed from here."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _figure(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
