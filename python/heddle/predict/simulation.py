"""A discrete-event simulation of the scheduler: the same work under other constraints, threads and cores.

The scheduler's rules, as the simulation has them:

- An invocation that is due starts as soon as a thread looks for work and nothing that conflicts with it runs or stands
  before it (the scheduler's admission). One that gets to a late point waits before it starts, not there.
- What the loop found when it asked is a round. What a handler makes due belongs to the handler's round: it stands
  behind what was found with the handler, and before what is found later.
- A thread that has run a handler looks for more work. Another thread is woken only beside a handler that takes long,
  because waking one costs more than a short handler does; so short handlers run one after the other: beside one, only a
  thread that has just run a long one may start another (the scheduler's crew).
- `threads` handlers that take long run at once, and one thread more is kept; with one thread there is just that one.
- Handlers that compute share the cores evenly; handlers that block need a thread and no core.
- A thread that finds nothing to start asks the kernel, and then sees all that the kernel has to report at once; not
  beside a short handler, and beside long ones, once a few questions have brought nothing that may start, only at the
  watchdog's ticks.

One rule is left out: the crew shares out short handlers that are more than one thread can run. For such a loop the
predicted speed is too low.
"""

import bisect
import heapq
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from heddle.documents.constraints import Verdict
from heddle.predict.processors import NEVER, Processors
from heddle.predict.workload import ALONE, UNKNOWN, Workload

_LONG_S = 200e-6  # one run in four longer than this makes a handler count as long (as in the runtime)
_OFTEN = 0.25
_FOUND_LATE_S = 2e-3  # any handler that runs so long is found by the watchdog, and then counts as long
_FRUITLESS = 4  # questions to the kernel
_TICK_S = 1e-3
_LOOKED_AT = 512  # invocations that are due and tried; those behind them cannot start soon
_EDGE = 0.1  # of the invocations, at either end: a load begins and ends slowly


@dataclass(frozen=True)
class Rules:
    """Verdicts as bit rows: bit b of always[a] says that a and b must not overlap. Handlers as in the workload."""

    always: list[int]
    session: list[int]
    late: "Rules | None" = None  # for invocations that get to a late point, where they have others


def rules(
    work: Workload, verdict: Callable[[int, int], Verdict], late: Callable[[int, int], Verdict] | None = None
) -> Rules:
    """`verdict` is asked for every two handlers, by their places in the workload's list; `late` for `Rules.late`."""
    size = len(work.handlers)
    always, session = [0] * size, [0] * size
    for a in range(size):
        for b in range(size):
            found = verdict(a, b)
            if found == "always":
                always[a] |= 1 << b
            elif found == "session":
                session[a] |= 1 << b
    return Rules(always, session, rules(work, late) if late else None)


def rate(finished: npt.NDArray[np.float64]) -> float:
    """Invocations per second, without the beginning and the end."""
    order = np.sort(finished)
    edge = int(len(order) * _EDGE)
    first, last = order[edge], order[len(order) - 1 - edge]
    return float((len(order) - 2 * edge - 1) / (last - first)) if last > first else float("inf")


def simulate(work: Workload, allowed: Rules, threads: int, cores: int) -> npt.NDArray[np.float64]:
    """When each invocation ends, in seconds."""
    return _Run(work, allowed, threads, cores).finish()


def _rows(allowed: Rules, size: int) -> tuple[list[int], list[int]]:
    """Bit rows with one row more: that of handlers without a name, which conflict with all."""
    return [row | 1 << size for row in allowed.always] + [(1 << (size + 1)) - 1], [*allowed.session, 0]


class _Run:
    def __init__(self, work: Workload, allowed: Rules, threads: int, cores: int) -> None:
        size = len(work.handlers)
        self._work = work
        self._processors = Processors(cores)
        self._threads = threads
        self._usual = _rows(allowed, size)
        self._late = _rows(allowed.late or allowed, size)
        self._handler = [size if handler == UNKNOWN else handler for handler in work.handler]
        run = np.add(work.cpu, work.blocked)
        often = np.bincount(self._handler, run > _LONG_S, size + 1)
        counted = often >= _OFTEN * np.maximum(np.bincount(self._handler, minlength=size + 1), 1)
        self._long: list[bool] = (counted[self._handler] | (run > _FOUND_LATE_S)).tolist()
        self._members = threads + 1 if threads > 1 else 1
        self._seekers = 1  # threads that look for work; one of them may wait for it, the others go to sleep
        self._followers: list[list[int]] = [[] for _ in range(len(work))]
        self._behind = work.behind or (ALONE,) * len(work)
        self._missing = [1 + (second != ALONE) for second in self._behind]  # ends that it waits for
        self._comes_at = [0.0] * len(work)  # at the earliest
        self._arrivals: list[tuple[float, int]] = []  # (time, invocation): becomes due, or the kernel can report it
        self._unseen: list[int] = []  # the kernel can report them and nobody has asked; in the order of their arrival
        self._fruitless = 0  # questions beside long handlers, since one brought something that may start
        self._tick: float | None = None  # when the watchdog has a thread ask again
        self._ticked = False  # and it has not asked yet
        self._asking = 0.0  # seconds that the thread which starts the next invocation has spent asking the kernel
        for number, before in enumerate(work.after):
            if before == ALONE:
                self._arrivals.append((work.delay[number], number))
            else:
                self._followers[before].append(number)
                if self._behind[number] != ALONE:
                    self._followers[self._behind[number]].append(number)
        heapq.heapify(self._arrivals)
        self._due: list[tuple[int, int, int]] = []  # (round, arrival, invocation), in order
        self._round = 0  # even; what a handler of it makes due stands behind it, by one
        self._round_of = [0] * len(work)
        self._between_calls = 0  # the last round that was found while nothing ran
        self._came = 0
        self._running: set[int] = set()
        self._running_long = 0
        self._finished = np.zeros(len(work))

    def finish(self) -> npt.NDArray[np.float64]:
        while self._arrivals or self._unseen or self._running or self._due:
            self._start_what_may()
            self._step()
        return self._finished

    def _step(self) -> None:
        """Moves the clock to the next arrival or end of a handler."""
        processors = self._processors
        arrival = self._arrivals[0][0] if self._arrivals else NEVER
        computed, unblocked = processors.computed_at, processors.waited_at
        ask = self._tick if self._tick is not None else NEVER
        processors.move_to(min(arrival, computed, unblocked, ask))
        now = processors.now
        if ask <= now:
            self._tick, self._ticked = None, True
            return
        if computed <= arrival and computed <= unblocked:
            number = processors.take_computed()
            pause = self._work.blocked[number]
            if pause > 0:
                processors.wait(number, pause)
            else:
                self._end(number)
        elif unblocked <= arrival:
            self._end(processors.take_waited())
        else:
            while self._arrivals and self._arrivals[0][0] <= now:
                self._comes(heapq.heappop(self._arrivals)[1])

    def _end(self, number: int) -> None:
        self._running.discard(number)
        self._running_long -= self._long[number]
        self._seekers += self._long[number] or not self._one_leads()
        self._finished[number] = self._processors.now
        for follower in self._followers[number]:
            delay = self._work.delay[follower] if self._work.after[follower] == number else 0.0
            self._comes_at[follower] = max(self._comes_at[follower], self._processors.now + delay)
            self._missing[follower] -= 1
            if self._missing[follower] > 0:
                continue
            if self._comes_at[follower] <= self._processors.now:
                self._comes(follower)
            else:
                heapq.heappush(self._arrivals, (self._comes_at[follower], follower))

    def _comes(self, number: int) -> None:
        before = self._work.after[number]
        if self._work.reported[number]:
            self._unseen.append(number)
        else:
            self._becomes_due(number, (self._round if before == ALONE else self._round_of[before]) | 1)

    def _becomes_due(self, number: int, in_round: int) -> None:
        self._round_of[number] = in_round
        self._came += 1
        bisect.insort(self._due, (in_round, self._came, number))

    def _behind_what_runs(self, number: int) -> int:
        """The round after that of a running invocation which it has to wait for; else this one."""
        always, in_session = self._verdicts(number)
        handler, session = self._handler[number], self._work.session[number]
        for other in self._running:
            bit = 1 << self._handler[other]
            if always[handler] & bit or (
                session and session == self._work.session[other] and in_session[handler] & bit
            ):
                return self._round_of[other] // 2 * 2 + 2
        return self._round

    def _verdicts(self, number: int) -> tuple[list[int], list[int]]:
        return self._late if number in self._work.late else self._usual

    def _send_to_work(self, long: bool) -> None:
        """A thread that looks for work starts a handler; if that takes long, another thread is woken to look on."""
        self._seekers -= 1
        self._running_long += long
        if long and self._seekers == 0 and not self._one_leads() and len(self._running) < self._members:
            self._seekers = 1

    def _one_leads(self) -> bool:
        """A short handler runs."""
        return len(self._running) > self._running_long

    def _may_ask(self) -> bool:
        if self._seekers == 0 or not self._unseen or self._one_leads():
            return False
        if self._running_long == 0 or self._fruitless < _FRUITLESS or self._ticked:
            return True
        if self._tick is None:
            self._tick = (self._processors.now // _TICK_S + 1) * _TICK_S
        return False

    def _start_what_may(self) -> None:
        self._start_in_order()
        while self._may_ask():
            self._tick, self._ticked = None, False
            self._asking = self._work.poll
            self._round += 2
            if not self._running:
                self._between_calls = self._round
            for number in self._unseen:
                self._becomes_due(number, min(self._round, self._behind_what_runs(number)))
            self._unseen.clear()
            beside_long, ran = self._running_long > 0, len(self._running)
            self._start_in_order()
            if beside_long:
                self._fruitless = 0 if len(self._running) > ran else self._fruitless + 1
        self._seekers = min(self._seekers, 1)

    def _start_in_order(self) -> None:
        if not self._due or self._seekers == 0:
            return
        ahead = 0  # handlers that run or became due earlier
        ahead_in: dict[int, int] = {}  # the same, per session
        for number in self._running:
            bit, session = 1 << self._handler[number], self._work.session[number]
            ahead |= bit
            if session:
                ahead_in[session] = ahead_in.get(session, 0) | bit
        started: list[int] = []
        for place, (_, _, number) in enumerate(self._due):
            if place >= _LOOKED_AT or self._seekers == 0:
                break
            handler, session = self._handler[number], self._work.session[number]
            long = self._long[number]
            always, in_session = self._verdicts(number)
            free = not (always[handler] & ahead) and not (session and in_session[handler] & ahead_in.get(session, 0))
            if free and (not long or self._running_long < self._threads):
                started.append(place)
                self._running.add(number)
                self._round_of[number] = max(self._round_of[number], self._between_calls)
                self._send_to_work(long)
                needed = self._work.cpu[number] + self._asking
                self._asking = 0.0
                self._processors.compute(number, needed)
            bit = 1 << handler
            ahead |= bit
            if session:
                ahead_in[session] = ahead_in.get(session, 0) | bit
        for place in reversed(started):
            del self._due[place]
