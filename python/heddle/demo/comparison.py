"""Two ways to run one server: medians, the ratios of neighbouring runs, and the table of both."""

import statistics
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from heddle.documents.schemas import Document
from heddle.measure.alternation import Alternation, alternate
from heddle.measure.load import Figures
from heddle.output import terminal

# Announces a step of the demo. The block under it appends its results to the list, which is shown when the block ends.
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


def in_turn(
    rounds: int,
    names: tuple[str, str],
    things: str,
    plain: Callable[[], Figures],
    heddle: Callable[[], Figures],
    step: Step,
) -> Alternation[Figures]:
    """Measures both servers in each round, whose step then shows how many `things` a second each of them delivered."""
    last: dict[str, float] = {}

    def noted(name: str, run: Callable[[], Figures]) -> Figures:
        found = run()
        last[name] = found.per_s
        return found

    @contextmanager
    def announced(number: int) -> Iterator[None]:
        with step(f"measure, round {number} of {rounds}: {names[0]} and {names[1]} in turn") as said:
            yield
            said.append(f"{last[names[0]]:.0f} and {last[names[1]]:.0f} {things}/s")

    return alternate(rounds, lambda: noted(names[0], plain), lambda: noted(names[1], heddle), announced)


def rows(compared: Sequence[tuple[str, str]], found: Alternation[Figures]) -> list[Row]:
    """`compared`: what a row says, and the figure that it shows."""
    result = []
    for what, name in compared:
        first = [getattr(run, name) for run in found.first]
        second = [getattr(run, name) for run in found.second]
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


def summary(checked_urls: int, found: Alternation[Figures]) -> list[str]:
    """What stands below the table: that the answers were the same, and whether others used the machine meanwhile."""
    same = f"{checked_urls} URLs, answered byte for byte the same under both."
    rounds = f"Medians of {len(found.pairs)} rounds in turn."
    return [f"{same} {rounds}", *(f"Doubtful: {doubt} meanwhile." for doubt in found.doubts())]


def document(
    demo: str, threads: int, compared: Sequence[Row], found: Alternation[Figures], checked_urls: int
) -> Document:
    """What --json saves."""
    return {
        "demo": demo,
        "threads": threads,
        "rounds": len(found.pairs),
        "checked_urls": checked_urls,
        "results": [asdict(row) for row in compared],
        "foreign_cpu": found.foreign.share,
    }


def shown(path: Path) -> Path:
    """As short as it can be typed from here."""
    here = Path.cwd()
    return path.relative_to(here) if path.is_relative_to(here) else path


def _figure(value: float) -> str:
    return f"{value:.0f}" if value >= 100 else f"{value:.1f}" if value >= 10 else f"{value:.2f}"
