"""Which of the predicted conflicts did the run witness?

A pair is witnessed as its verdict says: `always` by two invocations of different sessions (or none), `session` by two
of one session. Whether one of the two made the other due does not matter for that, but is told apart: such a conflict
costs nothing, for the two would have waited for each other anyway. A conflict on an object is witnessed if such an
overlap was on that object, known by its name in the source, or by the line where the analysis saw it touched.
"""

import re
from collections import defaultdict
from dataclasses import dataclass

from heddle.documents.constraints import Constraints, Pair
from heddle.oracle.check import Outcome, Overlap


@dataclass(frozen=True)
class Predicted:
    """A predicted conflict: a pair of handlers and one object that keeps them apart."""

    pair: Pair
    object: str
    witnessed: bool


@dataclass(frozen=True)
class Predictions:
    pairs: int
    pairs_witnessed: int
    pairs_at_once: int  # witnessed by two invocations of which neither made the other due
    pairs_run: int  # pairs whose two handlers were both called in the run
    conflicts: list[Predicted]

    @property
    def conflicts_witnessed(self) -> int:
        return sum(one.witnessed for one in self.conflicts)


def predictions(constraints: Constraints, outcome: Outcome) -> Predictions:
    overlaps: dict[tuple[int, int], list[Overlap]] = defaultdict(list)
    for overlap in outcome.witnesses:
        if overlap.verdict == "session" or not overlap.same_session:
            overlaps[overlap.a, overlap.b].append(overlap)
    predicted = [pair for pair in constraints.pairs if pair.verdict != "never"]
    conflicts = []
    for pair in predicted:
        seen = overlaps[pair.a, pair.b]
        for conflict in pair.conflicts:
            name = constraints.objects[conflict.object].name
            lines = {
                (frame.function, frame.line)
                for frame in (
                    constraints.accesses[conflict.a_access].last,
                    constraints.accesses[conflict.b_access].last,
                )
            }
            conflicts.append(Predicted(pair, name, any(_is_on(overlap, name, lines) for overlap in seen)))
    return Predictions(
        len(predicted),
        sum(bool(overlaps[pair.a, pair.b]) for pair in predicted),
        sum(any(not overlap.ordered for overlap in overlaps[pair.a, pair.b]) for pair in predicted),
        sum(pair.a in outcome.called and pair.b in outcome.called for pair in predicted),
        conflicts,
    )


def _is_on(overlap: Overlap, name: str, lines: set[tuple[str, int]]) -> bool:
    sites = overlap.first.site, overlap.second.site
    names = {overlap.object, sites[0].object, sites[1].object}
    return any(_same(found, name) for found in names if found) or any(
        (site.function, site.line) in lines for site in sites
    )


def _same(found: str, predicted: str) -> bool:
    """`client->buffer` is also `*client->buffer`, `file of client->buffer` and any part of it."""
    plain = re.sub(r"^(file of |\*)+", "", predicted)
    short, long = sorted((found, plain), key=len)
    return long.startswith(short) and (len(long) == len(short) or long[len(short)] in ".-[")
