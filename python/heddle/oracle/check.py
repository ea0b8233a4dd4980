"""Holds a serial run against the verdicts: did two invocations touch the same bytes that could have run together?

Two invocations overlap if they touched the same bytes of the same object, one of them writing, not both atomically.
The verdict on the pair of handlers must keep the two apart: `always`, or `session` if both had the same session. If it
does, the overlap is a witness: the conflict was predicted and does happen. If it does not, and neither of the two made
the other due (order.py), the analysis has failed.

Bytes are not compared one by one: the boundaries of all accesses cut memory into segments that each access covers
wholly or not at all. Within a segment, accesses of one handler, mode and place are one group. Of a large group's pairs
only some are tried for their order in time; that can miss an overlap, never invent one.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heddle.documents.constraints import Constraints, Handler, Verdict
from heddle.oracle.accesses import ATOMIC, FILE, HIDDEN, LATE, WRITES, Accesses, Site
from heddle.oracle.order import Order

_NOT_LISTED = -1
# How many pairs of a group are tried: many where an overlap would be a failure, few where it would be a witness.
_MOST_PAIRS = 4000
_ENOUGH_PAIRS = 100
_MOST_PLACES_TRIED = 20


@dataclass(frozen=True)
class Side:
    invocation: int
    handler: str
    session: int
    site: Site
    writes: bool
    atomic: bool


@dataclass(frozen=True)
class Overlap:
    a: int  # handlers of the constraints, a <= b
    b: int
    verdict: Verdict
    same_session: bool
    object: str
    where: str  # where the object was made, may be empty
    ordered: bool  # wherever this overlap was seen, one of the two had made the other due
    first: Side
    second: Side


@dataclass(frozen=True)
class Outcome:
    failures: list[Overlap]
    witnesses: list[Overlap]
    called: set[int]  # handlers of the constraints
    not_listed: list[Site]  # functions that the loop called and the constraints do not name
    invocations: int
    accesses: int


@dataclass
class _Group:
    handler: int
    flags: int
    site: int
    rows: list[tuple[int, int, int]]  # session, invocation, step


_Two = tuple[tuple[int, int, int], tuple[int, int, int]]  # two invocations: a row of one group, a row of another


def check(trace: Accesses, constraints: Constraints) -> Outcome:
    return _Check(trace, constraints).run()


class _Check:
    def __init__(self, trace: Accesses, constraints: Constraints) -> None:
        self._trace = trace
        self._constraints = constraints
        self._order = Order(trace.invocations["parent"], trace.invocations["parent_step"])
        self._handlers = self._handlers_of_invocations()
        self._sessions = self._sessions_of_invocations()
        self._objects = {int(record["id"]): record for record in trace.objects}
        self._tried: Counter[tuple[int, ...]] = Counter()
        self._failures: dict[tuple[int, ...], Overlap] = {}
        self._witnesses: dict[tuple[int, ...], Overlap] = {}

    def run(self) -> Outcome:
        for place, groups in self._segments():
            for index, one in enumerate(groups):
                for other in groups[index:]:
                    if (one.flags | other.flags) & WRITES and not one.flags & other.flags & ATOMIC:
                        self._meet(place, one, other)
        listed = self._handlers
        missing = np.unique(self._trace.invocations["handler"][listed == _NOT_LISTED])
        return Outcome(
            list(self._failures.values()),
            list(self._witnesses.values()),
            set(listed.tolist()) - {_NOT_LISTED},
            [self._trace.sites[int(site)] for site in missing],
            len(self._trace.invocations),
            len(self._trace.accesses),
        )

    # ---- who they are ----

    def _handlers_of_invocations(self) -> npt.NDArray[np.int64]:
        by_site = {site: self._handler_of(self._trace.sites[site]) for site in self._used_handlers()}
        return np.array([by_site[int(site)] for site in self._trace.invocations["handler"]], np.int64)

    def _used_handlers(self) -> list[int]:
        return [int(site) for site in np.unique(self._trace.invocations["handler"])]

    def _handler_of(self, site: Site) -> int:
        named = [handler for handler in self._constraints.handlers if handler.name == site.function]
        if len(named) > 1:
            named = [handler for handler in named if _same_file(handler, site)]
        return named[0].id if len(named) == 1 else _NOT_LISTED

    def _sessions_of_invocations(self) -> npt.NDArray[np.int64]:
        """A number for each session; each invocation without one has a number that no other has."""
        numbers: dict[tuple[int, int], int] = {}
        sessions = []
        for record, handler in zip(self._trace.invocations, self._handlers, strict=True):
            known = None if handler == _NOT_LISTED else self._constraints.handlers[handler]
            if known is None or known.session_kind != "object" or record["session"] == 0:
                sessions.append(-int(record["id"]))
            else:
                key = int(record["session_object"]), int(record["session"]) - known.session_offset
                sessions.append(numbers.setdefault(key, len(numbers)))
        return np.array(sessions, np.int64)

    # ---- where they meet ----

    def _segments(self) -> Iterator[tuple[tuple[int, int], list[_Group]]]:
        """For each segment that two invocations touched, one of them writing: object and offset, and the groups."""
        rows = self._trace.accesses[self._handlers[self._trace.accesses["invocation"] - 1] != _NOT_LISTED]
        if not len(rows):
            return
        start = self._linear(rows)
        bounds = np.unique(np.concatenate([start, start + rows["bytes"]]))
        first = np.searchsorted(bounds, start)
        count = np.searchsorted(bounds, start + rows["bytes"]) - first
        row = np.repeat(np.arange(len(rows)), count)
        segment = first[row] + np.arange(len(row)) - np.repeat(np.cumsum(count) - count, count)
        order = np.argsort(segment, kind="stable")
        row, segment = row[order], segment[order]
        begins = np.flatnonzero(np.append(True, segment[1:] != segment[:-1]))
        invocation = rows["invocation"][row]
        several = np.minimum.reduceat(invocation, begins) != np.maximum.reduceat(invocation, begins)
        written = np.bitwise_or.reduceat(rows["flags"][row], begins) & WRITES != 0
        ends = np.append(begins[1:], len(row))
        for index in np.flatnonzero(several & written):
            here = rows[row[begins[index] : ends[index]]]
            inside = int(bounds[segment[begins[index]]] - start[row[begins[index]]])
            yield (int(here[0]["object"]), int(here[0]["offset"]) + inside), self._groups(here)

    def _linear(self, rows: npt.NDArray[np.void]) -> npt.NDArray[np.uint64]:
        """Puts all objects into one address space: unknown memory where it is, the others one behind the other."""
        objects = np.unique(self._trace.objects, return_index=False)
        objects = objects[np.unique(objects["id"], return_index=True)[1]]
        sizes = objects["bytes"].astype(np.uint64) + np.uint64(1)
        base = np.uint64(1 << 62) + np.cumsum(sizes) - sizes
        place = np.searchsorted(objects["id"], rows["object"])
        base = np.append(base, np.uint64(0)) if len(base) else np.zeros(1, np.uint64)
        place[rows["object"] == 0] = len(base) - 1
        linear: npt.NDArray[np.uint64] = base[place] + rows["offset"]
        return linear

    def _groups(self, rows: npt.NDArray[np.void]) -> list[_Group]:
        groups: dict[tuple[int, int, int], _Group] = {}
        number = rows["invocation"]
        columns = (
            self._handlers[number - 1],
            rows["flags"],
            rows["site"],
            self._sessions[number - 1],
            number,
            rows["step"],
        )
        for handler, flags, site, *row in zip(*(column.tolist() for column in columns), strict=True):
            key = handler, flags, site
            group = groups.get(key)
            if group is None:
                group = groups[key] = _Group(handler, flags, site, [])
            group.rows.append((row[0], row[1], row[2]))
        return list(groups.values())

    def _meet(self, place: tuple[int, int], one: _Group, other: _Group) -> None:
        verdict = self._constraints.pair(one.handler, other.handler).verdict
        for same in (False, True):
            kept_apart = self._keep_apart(one, other, same)
            found = self._witnesses if kept_apart else self._failures
            key = one.handler, other.handler, one.site, other.site, int(same)
            known = found.get(key)
            if known is not None and (not known.ordered or self._tried[key] >= _MOST_PLACES_TRIED):
                continue
            self._tried[key] += 1
            unordered, ordered = self._pair(one, other, same, _ENOUGH_PAIRS if kept_apart else _MOST_PAIRS)
            if unordered is not None:
                found[key] = self._overlap(place, one, other, unordered, verdict, same, ordered=False)
            elif kept_apart and ordered is not None and known is None:
                found[key] = self._overlap(place, one, other, ordered, verdict, same, ordered=True)

    def _keep_apart(self, one: _Group, other: _Group, same: bool) -> bool:
        """Whether the verdicts keep the two apart: whichever starts second may not start, or waits at a late point."""
        pair = self._constraints.pair(one.handler, other.handler)

        def keeps(verdict: Verdict) -> bool:
            return verdict == "always" or (verdict == "session" and same)

        return keeps(pair.verdict) and all(
            keeps(pair.starts(second.handler)) or bool(second.flags & LATE) for second in (one, other)
        )

    def _pair(self, one: _Group, other: _Group, same: bool, most: int) -> tuple[_Two | None, _Two | None]:
        """Two invocations of which neither made the other due, and two of which one did; None where there are none."""
        if not same and len({row[0] for row in (*one.rows, *other.rows)}) == 1:
            return None, None
        total = len(one.rows) * len(other.rows)
        # An odd stride, so that the pairs tried are not all with the same few invocations.
        stride = total // most * 2 + 1
        ordered: _Two | None = None
        for at in range(0, total, stride):
            x, y = one.rows[at // len(other.rows)], other.rows[at % len(other.rows)]
            if x[1] == y[1] or (x[0] == y[0]) != same:
                continue
            early, late = (x, y) if x[1] < y[1] else (y, x)
            if not self._order.before(early[1], early[2], late[1]):
                return (x, y), ordered
            ordered = x, y
        return None, ordered

    # ---- in words ----

    def _overlap(
        self,
        place: tuple[int, int],
        one: _Group,
        other: _Group,
        pair: _Two,
        verdict: Verdict,
        same: bool,
        *,
        ordered: bool,
    ) -> Overlap:
        sides = [self._side(one, pair[0][1]), self._side(other, pair[1][1])]
        if one.handler > other.handler:
            sides.reverse()
        low, high = sorted((one.handler, other.handler))
        name, where = self._name(place, sides[0].site, sides[1].site)
        return Overlap(low, high, verdict, same, name, where, ordered, sides[0], sides[1])

    def _side(self, group: _Group, number: int) -> Side:
        return Side(
            number,
            self._constraints.label(group.handler),
            int(self._trace.invocations[number - 1]["session"]),
            self._trace.sites[group.site],
            bool(group.flags & WRITES),
            bool(group.flags & ATOMIC),
        )

    def _name(self, place: tuple[int, int], one: Site, other: Site) -> tuple[str, str]:
        number, offset = place
        if number == 0:
            variable = self._trace.global_at(offset)
            if variable is None:
                return one.object or other.object or f"memory at {offset:#x}", ""
            inner = next((name for name in (one.object, other.object) if name.startswith(variable.name)), "")
            return inner or variable.name, f"{variable.file}:{variable.line}"
        record = self._objects[number]
        site = self._trace.sites.get(int(record["site"]))
        if record["kind"] == HIDDEN:
            return self._trace.hidden.get(number, "hidden state"), ""
        if record["kind"] == FILE:
            return f"open file of descriptor {int(record['address'])}", str(site) if site else ""
        name = one.object or other.object
        what = f"block of {int(record['bytes'])} bytes" + (f" at byte {offset}" if not name else "")
        return f"{name} in a {what}" if name else what, str(site) if site else ""


def _same_file(handler: Handler, site: Site) -> bool:
    return handler.file.split("/")[-1] == site.file.split("/")[-1]
