"""Two contenders in turn, and the ratio of each run to its neighbour.

Contenders alternate (A B, B A, A B ...), so that a machine that gets slower or faster meanwhile does so for both, and
a claim is the median of the ratios of neighbours.
"""

import math
import statistics
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from heddle.errors import BadInputError
from heddle.measure.processor import Foreign, Watch

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

Figure = TypeVar("Figure")


@dataclass(frozen=True)
class Alternation(Generic[Figure]):
    """What two contenders showed, in pairs of neighbouring runs."""

    pairs: list[tuple[Figure, Figure]]
    foreign: Foreign  # the worst of all pairs

    @property
    def first(self) -> list[Figure]:
        return [first for first, _ in self.pairs]

    @property
    def second(self) -> list[Figure]:
        return [second for _, second in self.pairs]

    def ratios(self, of: Callable[[Figure], float]) -> list[float]:
        """B / A for every pair; an A of 0 is an error."""
        result = []
        for a, b in self.pairs:
            if of(a) == 0:
                raise BadInputError("the contender to compare with did nothing", "look at its own output")
            result.append(of(b) / of(a))
        return result

    def doubts(self) -> list[str]:
        return self.foreign.doubts()


def alternate(
    rounds: int,
    a: Callable[[], Figure],
    b: Callable[[], Figure],
    around: Callable[[int], AbstractContextManager[object]] = nullcontext,
) -> Alternation[Figure]:
    """Measures `rounds` pairs, each inside the context that `around` returns for the pair's number (from 1)."""
    pairs: list[tuple[Figure, Figure]] = []
    foreign = Foreign()
    for number in range(1, rounds + 1):
        with around(number):
            watched = Watch()
            if number % 2 == 1:
                first = a()
                pairs.append((first, b()))
            else:
                second = b()
                pairs.append((a(), second))
            foreign = foreign.worse(watched.foreign)
    return Alternation(pairs, foreign)


def alternate_until(
    decided: Callable[[Sequence[float]], bool],
    least: int,
    most: int,
    a: Callable[[], float],
    b: Callable[[], float],
) -> Alternation[float]:
    """Measures at least `least` and at most `most` pairs, until the ratios B / A so far are `decided`."""
    found: Alternation[float] = Alternation([], Foreign())
    while len(found.pairs) < most:
        # Two pairs at a time, so that `a` and `b` go first equally often.
        more = alternate(2, a, b)
        found = Alternation(found.pairs + more.pairs, found.foreign.worse(more.foreign))
        if len(found.pairs) >= least and decided(found.ratios(lambda figure: figure)):
            break
    return found


def settled(ratios: Sequence[float], goal: float, safe: float) -> bool:
    """Whether their median is known to reach `goal` and is not close to it (`safe` or more), or is known to miss it.

    Known: by the whole of `median_interval`. Asked after 4, 6, 8 ... 16 pairs, a program whose median is just below the
    goal is taken for one that reaches it in less than 9 of 100 cases, mostly at 4 pairs, where the interval is all of
    their range; one that lies lower, less often still.
    """
    low, high = median_interval(ratios)
    return (low >= goal and statistics.median(ratios) >= safe) or high < goal


def spread(values: Sequence[float]) -> float:
    """Half of the distance between the least and the greatest, relative to the median."""
    middle = statistics.median(values)
    return (max(values) - min(values)) / 2 / abs(middle) if middle else 0.0


def median_interval(values: Sequence[float]) -> tuple[float, float]:
    """Between which the median of all such runs lies, with 95 % confidence: order statistics, no distribution assumed.

    Source: Hollander, Wolfe, Chicken: Nonparametric Statistical Methods, 3.6. With fewer than six values it is all of
    their range, and the confidence less.
    """
    ordered = sorted(values)
    rank = max(1, math.floor((len(ordered) - 1.96 * math.sqrt(len(ordered))) / 2))
    return ordered[rank - 1], ordered[-rank]


def medians(runs: Sequence["DataclassInstance"]) -> dict[str, Any]:
    """The median of each figure of runs whose figures are fields."""
    rows = [asdict(run) for run in runs]
    return {key: statistics.median(row[key] for row in rows) for key in rows[0]}
