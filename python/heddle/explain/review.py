"""What of a document a report shows: everything, or only what no suppression hides and no baseline knows already.

This is about reports and exit codes alone. Verdicts, the matrix and every figure stay those of the whole document.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

from heddle.documents.constraints import Conflict, Constraints, Pair
from heddle.explain import difference, identity, suppressions
from heddle.explain.causes import Cause
from heddle.explain.identity import Identity, Known
from heddle.explain.suppressions import Suppressed
from heddle.output.layout import plural, some, wrapped


@dataclass(frozen=True)
class Review:
    hidden: frozenset[tuple[int, int, int]] = frozenset()  # pairs of handlers and the object
    reasons: dict[tuple[int, int, int], str] = field(default_factory=dict)
    suppressed: Suppressed | None = None
    suppression_file: Path | None = None
    baseline: Path | None = None
    in_baseline: int = 0
    new: Sequence[Known] = field(default_factory=list)  # with a baseline: what it does not have; else all

    def hides(self, pair: Pair, conflict: Conflict) -> bool:
        return (pair.a, pair.b, conflict.object) in self.hidden

    def reason(self, pair: Pair, conflict: Conflict) -> str:
        """Why a suppression file hides it; empty where it does not."""
        return self.reasons.get((pair.a, pair.b, conflict.object), "")

    def shows(self, cause: Cause) -> bool:
        return not self.hidden or any(not self.hides(pair, conflict) for pair, conflict in cause.conflicts)

    def remarks(self, width: int) -> list[str]:
        lines: list[str] = []
        if self.baseline is not None:
            text = f"{plural(self.in_baseline, 'conflict')} left out, for {self.baseline} has them too"
            lines += wrapped(f"{text}; {len(self.new)} new", "  ", width, "    ")
        if self.suppressed is not None and self.suppressed.hidden:
            text = f"{plural(len(self.suppressed.hidden), 'conflict')} left out as {self.suppression_file} asks; "
            reasons = list(dict.fromkeys(entry.reason for entry in self.suppressed.hidden.values()))
            lines += wrapped(
                f"{text}reasons: {some(reasons, 5)}. The runtime orders them as before", "  ", width, "    "
            )
        if self.suppressed is not None and self.suppressed.unused:
            names = some([str(entry) for entry in self.suppressed.unused], 5)
            lines += wrapped(f"{self.suppression_file}: nothing is hidden by {names}", "  ", width, "    ")
        return [*lines, ""] if lines else []


EVERYTHING = Review()


def review(
    constraints: Constraints, suppression_file: Path | None, baseline: Path | None, old: Constraints | None
) -> Review:
    all_known = identity.conflicts(constraints)
    suppressed = None
    hidden: set[Identity] = set()
    if suppression_file is not None:
        suppressed = suppressions.apply(suppressions.load(suppression_file), constraints, all_known)
        hidden |= suppressed.hidden.keys()
    new = [conflict for conflict in all_known if conflict.identity not in hidden]
    in_baseline = 0
    if old is not None:
        worse = {change.known.identity for change in difference.compare(old, constraints).worse}
        new = [conflict for conflict in new if conflict.identity in worse]
        in_baseline = len(all_known) - len(worse)
        hidden |= {conflict.identity for conflict in all_known if conflict.identity not in worse}
    places = {
        (known.pair.a, known.pair.b, known.conflict.object): known.identity
        for known in all_known
        if known.conflict is not None
    }
    reasons = {}
    if suppressed is not None:
        entries = suppressed.hidden
        reasons = {place: entries[name].reason for place, name in places.items() if name in entries}
    return Review(
        frozenset(place for place, name in places.items() if name in hidden),
        reasons,
        suppressed,
        suppression_file,
        baseline,
        in_baseline,
        new,
    )
