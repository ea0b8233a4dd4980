"""What the actions of a scenario really touched, as links.c tells it, and which two touched one byte."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass, field

from testing.specs.links import Scenario

_READ, _WRITTEN, _PLAIN_WRITE = 1, 2, 4
_LOCK_BYTES = 56  # of pthread_rwlock_t, the largest
# Code that looks at something else in the word that others write, without a lock: whether a stream is one at all.
_LOOKS_BESIDE = ("libc.so.6:fileno_unlocked+",)


@dataclass(frozen=True)
class Range:
    first: int
    end: int
    flags: int
    read_at: str
    written_at: str
    locks: frozenset[str]


@dataclass
class Trace:
    shape: str = ""
    touched: dict[str, list[Range]] = field(default_factory=lambda: defaultdict(list))
    locks: list[int] = field(default_factory=list)
    trouble: str = ""
    finished: bool = False


@dataclass(frozen=True)
class Touch:
    """Two actions of a scenario that touched one byte, one of them writing it."""

    one: int
    other: int
    where: str
    by: tuple[str, str]


def parse(said: str, harmless: Set[str] = frozenset()) -> dict[str, dict[int, Trace]]:
    """`harmless`: variables of libraries, as LIBRARY+OFFSET, of which it does not matter that they are shared."""
    found: dict[str, dict[int, Trace]] = defaultdict(dict)
    now = Trace()
    for line in said.splitlines():
        words = line.split(" ")
        if words[0] == "action" and len(words) == 3:
            now = found[words[1]][int(words[2])] = Trace()
        elif words[0] == "shape":
            now.shape = words[1]
        elif words[0] == "lock":
            now.locks.append(int(words[1], 16))
        elif words[0] == "touch":
            place = " ".join(words[1:4])
            first, count, flags = map(int, words[4:7])
            address = int(words[1], 16) + first
            # Behind the word of a lock stand its owner and how often that has it.
            of_lock = any(lock <= address < lock + _LOCK_BYTES for lock in now.locks)
            library, _, offset = words[3].partition("+")
            if not of_lock and not (offset and f"{library}+{int(offset, 16) + first:x}" in harmless):
                now.touched[place].append(Range(first, first + count, flags, words[7], words[8], frozenset(words[9:])))
        elif words[0] == "steps":
            now.finished = True
        elif words[0] in ("unmade", "crash", "timeout", "signalled", "exited"):
            now.trouble = line
    return found


def _meet(one: Range, other: Range) -> bool:
    if one.first >= other.end or other.first >= one.end:
        return False
    if not (one.flags | other.flags) & _WRITTEN:
        return False
    # Counts of references, and locks.
    if not (one.flags | other.flags) & _PLAIN_WRITE:
        return False
    if any(code.startswith(_LOOKS_BESIDE) for code in (one.read_at, other.read_at)):
        return False
    return not one.locks & other.locks


def touches(scenario: Scenario, traces: Mapping[int, Trace]) -> Iterator[Touch]:
    good = {number: trace for number, trace in traces.items() if trace.finished and not trace.trouble}
    for one, other in itertools.combinations_with_replacement(sorted(good), 2):
        variables = scenario.actions[one].variable, scenario.actions[other].variable
        if scenario.between and set(variables) != scenario.between:
            continue
        a, b = good[one], good[other]
        if a.shape != b.shape:
            continue
        found = _common(a, b)
        if found:
            yield Touch(one, other, *found)


def _common(a: Trace, b: Trace) -> tuple[str, tuple[str, str]] | None:
    for place in a.touched.keys() & b.touched.keys():
        if place.endswith(" ="):  # what the library locks
            continue
        for left in a.touched[place]:
            for right in b.touched[place]:
                if _meet(left, right):
                    if not left.flags & _WRITTEN:
                        by = (left.read_at, right.written_at)
                    elif not right.flags & _WRITTEN:
                        by = (left.written_at, right.read_at)
                    else:
                        by = (left.written_at, right.written_at)
                    return f"{place} byte {max(left.first, right.first)}", by
    return None
