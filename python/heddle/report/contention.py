"""What held a run back: its contention, joined with the reasons that the constraints give."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from heddle.documents.constraints import Conflict, Constraints, SharedObject, Verdict
from heddle.documents.schemas import Document
from heddle.output.layout import plural, wrapped
from heddle.report.text import meeting


@dataclass(frozen=True)
class Hindrance:
    """Two handlers of which one waited for the other, and what for."""

    first: str
    second: str
    verdict: Verdict
    count: int
    seconds: float
    object: SharedObject | None


def hindrances(constraints: Constraints, runs: Sequence[Document]) -> list[Hindrance]:
    """Pairs of handlers by the time that was lost to them, all runs together; who waited for whom does not matter."""
    totals: dict[tuple[str, str, Verdict], tuple[int, float]] = {}
    for run in runs:
        for entry in run["contention"]:
            first, second = sorted((entry["waiter"], entry["holder"]))
            key = (first, second, entry["verdict"])
            count, seconds = totals.get(key, (0, 0.0))
            totals[key] = count + entry["count"], seconds + entry["seconds"]
    found = [
        Hindrance(first, second, verdict, count, seconds, _first_object(constraints, first, second, verdict))
        for (first, second, verdict), (count, seconds) in totals.items()
        if count
    ]
    return sorted(found, key=lambda h: (-h.seconds, h.first, h.second))


def describe(constraints: Constraints, hindrance: Hindrance, width: int) -> list[str]:
    pair = f"{hindrance.first} x {hindrance.second}"
    lost = f"waited {plural(hindrance.count, 'time')}, {_duration(hindrance.seconds)} in all"
    if hindrance.object is None:
        return wrapped(f"{pair}: {lost}; what they share is not known", "  ", width, "     ")
    item = hindrance.object
    place = f" ({item.kind}, {item.place})" if item.place else f" ({item.kind})"
    scope = " of one session" if hindrance.verdict == "session" else ""
    lines = wrapped(f"{pair}{scope}: {lost}, on {item.name}{place}", "  ", width, "     ")
    for conflict in _conflicts(constraints, hindrance.first, hindrance.second):
        if conflict.object == item.id and conflict.verdict == hindrance.verdict:
            first, second = constraints.accesses[conflict.a_access], constraints.accesses[conflict.b_access]
            return lines + meeting(first, second, "     ", width)
    return lines


def _conflicts(constraints: Constraints, first: str, second: str) -> list[Conflict]:
    a, b = constraints.named(first), constraints.named(second)
    if len(a) != 1 or len(b) != 1:
        return []
    return list(constraints.pair(a[0].id, b[0].id).conflicts)


def _first_object(constraints: Constraints, first: str, second: str, verdict: Verdict) -> SharedObject | None:
    """Of the objects that the two conflict on, the one that keeps most pairs apart: the one worth looking at first."""
    weight = Counter(conflict.object for _, conflict in constraints.conflicts("always"))
    candidates = [c.object for c in _conflicts(constraints, first, second) if c.verdict == verdict]
    if not candidates:
        return None
    return constraints.objects[max(candidates, key=lambda item: (weight[item], -item))]


def _duration(seconds: float) -> str:
    return f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.1f} ms"
