"""From a trace to the work it shows: how much each invocation does, and what it had to wait for to become due.

A trace says when each invocation became due, began and ended. Replayed at those times, a faster run would still wait
for the old arrivals. So each invocation is tied to what made it due, and comes a fixed time after that:

- an invocation that a handler made due, by activating its event, follows the one that ran then; of several that ran,
  the one of its own session;
- another one of a session follows the one before it in that session, whose answer made the client ask again;
- but a descriptor without a known session, or one that was not ready although a busy loop had looked since, waited for
  something else: for what an invocation of another session sent, or until it could be written to. It follows one of the
  invocations that ran since that look, and comes behind the one before it in its session, too;
- all others (timers, signals, first requests) come when they came.

The time that an invocation waited at a late point (heddle build --late) is none of its work. But the simulation must
know that it got there: it then starts it by the whole verdict.

The fixed time is what passed outside the program, such as in the client. It is not known exactly: a busy loop learns
late that a descriptor is ready, so an event that became due just after a handler may have been ready ever since the
loop had looked before. A trace does not say when, of any one invocation. For all of them together `Workload.outside`
finds out: it moves them until the simulation of the recorded run is as fast as the run was.
"""

from dataclasses import dataclass, replace

import numpy as np
import numpy.typing as npt

from heddle.documents import contracts
from heddle.documents.trace import GOT_TO_LATE_POINT, NONE, Trace
from heddle.errors import BadInputError

UNKNOWN = -1  # a handler that the trace does not name: it conflicts with all
ALONE = -1  # comes at a time of its own
_NS = 1e-9
# A pause of the loop that is longer than this, for each event that it found then, was spent waiting: what wakes a loop
# that waits seldom comes together.
_IDLE_NS = 20_000
_NEARLY_NEVER = 0.1
_HARDLY = 0.3  # a handler that is off the processor for less of its time does not block
_MOST_THREADS = contracts.LIMITS_MOST_THREADS + 1  # the one that entered the loop, and its crew
_SHORT = 0.25
_READ, _WRITE = 2, 4  # libevent's flags
MOST_JOBS = 60_000  # later ones repeat what earlier ones show


@dataclass(frozen=True)
class Workload:
    """Per invocation, in the order in which they became due; times in seconds."""

    handlers: list[str]
    handler: list[int]
    session: list[int]  # 0: none
    cpu: list[float]
    blocked: list[float]  # neither computing nor waiting for a processor
    after: list[int]  # the invocation it follows, always an earlier one, or ALONE
    delay: list[float]  # after the end of `after`, or after the start of the run; the least that it can have been
    most_delay: list[float]
    finished: npt.NDArray[np.float64]  # when it ended in the trace
    threads: int  # that made the trace
    reported: list[bool]  # by kernel or clock, when the loop asked; the others were made due by a handler
    poll: float = 0.0  # how long the loop takes to ask
    late: frozenset[int] = frozenset()  # invocations that got to a late point
    behind: tuple[int, ...] = ()  # a second invocation that it follows, an earlier one, or ALONE; empty: none has one

    def __len__(self) -> int:
        return len(self.handler)

    def outside(self, share: float) -> "Workload":
        """The same with delays so far between least (0) and most (1)."""
        pairs = zip(self.delay, self.most_delay, strict=True)
        return replace(self, delay=[least + share * (most - least) for least, most in pairs])


def read(trace: Trace, source: str) -> Workload:
    """Raises BadInputError if the trace says too little to predict from."""
    if not trace.handlers:
        raise BadInputError(
            f"{source} names no handlers", "run heddle analyze PROGRAM, then record again: heddle run --trace FILE"
        )
    records = np.sort(trace.records, order="sequence")[:MOST_JOBS]
    if len(records) < 2:
        raise BadInputError(f"{source} records next to nothing", "record while the program is under load")
    begin = int(records["ready_ns"].min())
    ready = (records["ready_ns"] - begin).astype(np.int64)
    start = (records["start_ns"] - begin).astype(np.int64)
    end = (records["end_ns"] - begin).astype(np.int64)
    run = np.maximum(end - start - records["late_us"].astype(np.int64) * 1000, 0)
    measured = records["cpu_ns"].astype(np.int64)
    cpu = np.where(measured > 0, np.minimum(measured, run), run)
    # The header has those that it began with; --threads auto may have added some.
    threads = max(int(trace.header.get("threads", 1)), min(int(records["thread"].max()) + 1, _MOST_THREADS))
    if threads > 1:
        cpu = np.where(_blocks(records["handler"], run, cpu), cpu, run)
    running = _Running(start, end)
    # What the kernel reported, and not a handler, is an event's flags: readable, writable, timeout, signal.
    looked = records["what"] != 0
    if threads == 1:
        looked &= np.array([running.at(time, len(end)) == ALONE for time in ready.tolist()], dtype=bool)
        ready = _as_looked(ready, end, looked)
    looks = np.unique(ready[looked])
    after, behind, delay, most_delay = _ties(records["session"], records["what"], ready, end, running, looks)
    handler = records["handler"].astype(np.int64)
    return Workload(
        trace.handlers,
        np.where(handler == NONE, UNKNOWN, handler).tolist(),
        records["session"].tolist(),
        (cpu * _NS).tolist(),
        ((run - cpu) * _NS).tolist(),
        after,
        delay,
        most_delay,
        (end * _NS).astype(np.float64),
        threads,
        (records["what"] != 0).tolist(),
        _poll_ns(start, end) * _NS if threads == 1 else 0.0,
        frozenset(np.flatnonzero(records["flags"] & GOT_TO_LATE_POINT).tolist()),
        tuple(behind),
    )


def _as_looked(
    ready: npt.NDArray[np.int64], end: npt.NDArray[np.int64], looked: npt.NDArray[np.bool_]
) -> npt.NDArray[np.int64]:
    """With one time for all that a look of the loop found; a loop of one thread notes them one after the other.

    Such a loop calls what it found before it looks again, so a look has found all between whose times no call ended.
    """
    ended = np.searchsorted(np.sort(end), ready[looked], side="right")
    looks, which = np.unique(ended, return_inverse=True)
    first = np.full(len(looks), np.iinfo(np.int64).max)
    np.minimum.at(first, which, ready[looked])
    found = ready.copy()
    found[looked] = first[which]
    return found


def _poll_ns(start: npt.NDArray[np.int64], end: npt.NDArray[np.int64]) -> float:
    """How long the loop takes to ask the kernel where it has not to wait: the shorter pauses of one thread."""
    order = np.argsort(start)
    pauses = start[order][1:] - end[order][:-1]
    polls = pauses[(pauses > 0) & (pauses < _IDLE_NS)]
    return float(np.quantile(polls, _SHORT)) if len(polls) else 0.0


def _blocks(
    handler: npt.NDArray[np.uint32], run: npt.NDArray[np.int64], cpu: npt.NDArray[np.int64]
) -> npt.NDArray[np.bool_]:
    """Whether an invocation's time without processor was spent blocked, rather than waiting for one.

    Where several threads run, both look the same in a trace. A handler that blocks does so nearly every time.
    """
    found = np.zeros(len(handler), dtype=bool)
    for each in np.unique(handler):
        own = handler == each
        found[own] = np.quantile((run[own] - cpu[own]) / np.maximum(run[own], 1), _NEARLY_NEVER) > _HARDLY
    return found


def _ties(
    session: npt.NDArray[np.uint64],
    what: npt.NDArray[np.uint16],
    ready: npt.NDArray[np.int64],
    end: npt.NDArray[np.int64],
    running: "_Running",
    looks: npt.NDArray[np.int64],
) -> tuple[list[int], list[int], list[float], list[float]]:
    in_order = np.sort(end)
    # Per invocation: how long before it became due the last handler ended, and when the loop had last looked.
    last_end = np.concatenate(([-_IDLE_NS * 2], in_order))[np.searchsorted(in_order, ready, side="right")]
    _, look, found = np.unique(ready, return_inverse=True, return_counts=True)
    busy = ready - last_end < _IDLE_NS * found[look]
    earlier_look = np.concatenate(([0], looks))[np.searchsorted(looks, ready)]
    earliest = np.where(busy, earlier_look, ready)

    activated, on_descriptor = what == 0, (what & (_READ | _WRITE)) != 0
    since_look = _SinceLook(ready, end, earlier_look)
    latest: dict[int, int] = {}
    after: list[int] = []
    behind: list[int] = []
    delay: list[float] = []
    most: list[float] = []
    for number, owner in enumerate(session.tolist()):
        then = running.at(int(ready[number]), number)
        before = latest.get(owner, ALONE) if owner else then
        if activated[number]:
            if then != ALONE and not (before != ALONE and end[before] > ready[number]):
                before = then
        elif on_descriptor[number] and busy[number] and (before == ALONE or end[before] <= earlier_look[number]):
            before = since_look.one_for(number, before)
        own = latest.get(owner, ALONE) if owner else ALONE
        behind.append(own if own != before and before != ALONE else ALONE)
        if owner:
            latest[owner] = number
        after.append(before)
        since = 0 if before == ALONE else int(end[before])
        most.append(max(0, int(ready[number]) - since) * _NS)
        delay.append(most[-1] if before == ALONE else max(0, int(earliest[number]) - since) * _NS)
    return after, behind, delay, most


class _SinceLook:
    """Invocations that ended between two looks of the loop, shared out evenly among those that the later look found."""

    def __init__(self, ready: npt.NDArray[np.int64], end: npt.NDArray[np.int64], since: npt.NDArray[np.int64]) -> None:
        self._order = np.argsort(end, kind="stable")
        ends = end[self._order]
        self._from = np.searchsorted(ends, since, side="right")
        self._to = np.searchsorted(ends, ready, side="right")
        found, self._which, count = np.unique(ready, return_inverse=True, return_counts=True)
        self._first = np.searchsorted(ready, found)
        self._count = count

    def one_for(self, number: int, otherwise: int) -> int:
        low, high = int(self._from[number]), int(self._to[number])
        if low >= high:
            return otherwise
        which = int(self._which[number])
        share = (number - int(self._first[which])) / int(self._count[which])
        found = int(self._order[low + int(share * (high - low))])
        return found if found < number else otherwise


class _Running:
    """Which invocation ran at a time: one that has begun and not ended, the latest begun if there are several."""

    def __init__(self, start: npt.NDArray[np.int64], end: npt.NDArray[np.int64]) -> None:
        self._order = np.argsort(start, kind="stable")
        self._starts = start[self._order]
        self._end = end

    def at(self, time: int, before: int) -> int:
        place = int(np.searchsorted(self._starts, time, side="right")) - 1
        for candidate in range(place, max(-1, place - 8), -1):
            number = int(self._order[candidate])
            if number < before and self._end[number] > time:
                return number
        return ALONE
