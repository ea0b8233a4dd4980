"""What a change of the program did to its conflicts: added, removed, moved, stronger, weaker.

Conflicts are matched by identity. Among the rest, a removed and an added conflict count as one that moved if they are
on the same object and both accesses stand in the same functions: a handler was renamed, or another one took over what
it did. A conflict that kept its identity has moved if its accesses are reached by other calls.
"""

from collections import defaultdict
from dataclasses import dataclass, replace
from typing import Literal

from heddle.documents.constraints import Constraints, Verdict
from heddle.explain import identity
from heddle.explain.identity import Identity, Known

Change = Literal["added", "removed", "moved", "stronger", "weaker"]
_STRENGTH = {"never": 0, "session": 1, "always": 2}


@dataclass(frozen=True)
class Changed:
    change: Change
    old: Known | None
    new: Known | None

    @property
    def known(self) -> Known:
        found = self.new or self.old
        assert found is not None, "a change has one side at least"
        return found


@dataclass(frozen=True)
class PairChange:
    first: str
    second: str
    old: Verdict
    new: Verdict


@dataclass(frozen=True)
class StartChange:
    """By which verdict a handler may start while another one runs (`heddle build --late`)."""

    handler: str
    beside: str
    old: Verdict
    new: Verdict


@dataclass(frozen=True)
class Difference:
    changes: list[Changed]
    pairs: list[PairChange]
    starts: list[StartChange]
    handlers_added: list[str]
    handlers_removed: list[str]

    def of(self, *kinds: Change) -> list[Changed]:
        return [change for change in self.changes if change.change in kinds]

    @property
    def worse(self) -> list[Changed]:
        """Conflicts that are new, and those whose verdict has become stronger."""
        return self.of("added", "stronger")


def compare(old: Constraints, new: Constraints) -> Difference:
    before = {known.identity: known for known in identity.conflicts(old)}
    after = {known.identity: known for known in identity.conflicts(new)}
    changes = [_same(old, before[name], new, after[name]) for name in before.keys() & after.keys()]
    moved = _renamed(
        old, [before[name] for name in before.keys() - after.keys()],
        new, [after[name] for name in after.keys() - before.keys()],
    )  # fmt: skip
    told = {id(known) for change in moved for known in (change.old, change.new)}
    changes += moved
    changes += [Changed("removed", known, None) for name, known in before.items() if _left(name, after, known, told)]
    changes += [Changed("added", None, known) for name, known in after.items() if _left(name, before, known, told)]
    names = {known.name for known in old.handlers}, {known.name for known in new.handlers}
    return Difference(
        sorted((c for c in changes if c is not None), key=lambda c: (_ORDER[c.change], c.known.identity)),
        *_pairs(old, new),
        sorted(names[1] - names[0]),
        sorted(names[0] - names[1]),
    )


def without(found: Difference, hidden_before: set[Identity], hidden_after: set[Identity]) -> Difference:
    """The same without what a suppression file hides; verdicts of pairs stay."""

    def shown(change: Changed) -> bool:
        hidden = hidden_after if change.new is not None else hidden_before
        return change.known.identity not in hidden

    return replace(found, changes=[change for change in found.changes if shown(change)])


_ORDER: dict[Change, int] = {"added": 0, "stronger": 1, "moved": 2, "weaker": 3, "removed": 4}


def _left(name: Identity, other: dict[Identity, Known], known: Known, told: set[int]) -> bool:
    return name not in other and id(known) not in told


def _same(old: Constraints, before: Known, new: Constraints, after: Known) -> Changed | None:
    if before.verdict != after.verdict:
        worse = _STRENGTH[after.verdict] > _STRENGTH[before.verdict]
        return Changed("stronger" if worse else "weaker", before, after)
    if _paths(old, before) != _paths(new, after):
        return Changed("moved", before, after)
    return None


def _paths(constraints: Constraints, known: Known) -> tuple[tuple[str, ...], ...]:
    if known.conflict is None:
        return ()
    return tuple(sorted(identity.path_of(access) for access in constraints.sides(known.conflict)))


def _renamed(old: Constraints, gone: list[Known], new: Constraints, fresh: list[Known]) -> list[Changed]:
    def places(constraints: Constraints, known: Known) -> tuple[str, ...]:
        if known.conflict is None:
            return ()
        sides = constraints.sides(known.conflict)
        # Where the handler itself acts, its name is what may have changed.
        ends = [a.last.function if len(a.path) > 1 else f"({a.mode} {a.by})" for a in sides]
        return (known.identity.object, known.verdict, *sorted(ends))

    before: dict[tuple[str, ...], list[Known]] = defaultdict(list)
    after: dict[tuple[str, ...], list[Known]] = defaultdict(list)
    for known in gone:
        before[places(old, known)].append(known)
    for known in fresh:
        after[places(new, known)].append(known)
    return [
        Changed("moved", before[place][0], after[place][0])
        for place in before.keys() & after.keys()
        if place and len(before[place]) == len(after[place]) == 1
    ]


def _pairs(old: Constraints, new: Constraints) -> tuple[list[PairChange], list[StartChange]]:
    """Pairs of handlers that both programs have, and of which a verdict changed.

    Either the verdict of the pair, or the one by which one of them may start while the other runs (`Pair.starts`), if
    that is not merely what the pair's verdict became.
    """
    after = {new.label(h.id): h.id for h in new.handlers}
    both = [(old.label(h.id), h.id) for h in old.handlers if old.label(h.id) in after]
    changed: list[PairChange] = []
    starts: list[StartChange] = []
    for number, (first, a) in enumerate(both):
        for second, b in both[number:]:
            pairs = old.pair(a, b), new.pair(after[first], after[second])
            verdicts = pairs[0].verdict, pairs[1].verdict
            if verdicts[0] != verdicts[1]:
                changed.append(PairChange(first, second, *verdicts))
            for handler, beside, before in ((first, second, a), (second, first, b))[: 1 if a == b else 2]:
                found = pairs[0].starts(before), pairs[1].starts(after[handler])
                if found[0] != found[1] and found != verdicts:
                    starts.append(StartChange(handler, beside, *found))
    return changed, starts
