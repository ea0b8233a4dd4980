"""From a recorded run to the work it shows: per command what it computes, what it waits for, and what it follows.

A record says when each part of a command began and ended, on which thread, and how much of that it computed. The time
off the processor inside a part is blocking, less the share that the thread spent in the kernel's queue of runnable
threads (schedstat): with more cores that share would not be there.

Between two parts a command waits for the network, a disk or a timer. How long that took is known only where its thread
was idle when the answer came. Where the thread was busy with another command, the answer may have lain there for a
while: such a wait is taken to be as long as the median of those that are known, of commands of its kind at the same
place, and never longer than it can have been. Where none is known, `Work.outside` moves all of them between nothing and
the longest, until the simulation of the recorded run is as fast as the run was.

What a server on the same machine computed for an answer is part of the wait, and computed on the same cores.

A command may begin while one that it follows still works: a picture is decoded as it arrives. So it is parts that
follow parts: each one comes behind the last part of every command it follows that had ended when it began.
"""

import bisect
import statistics
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from heddle.lab.recorded import Command, Part, Run

LOAD = "load_url"
_IDLE_S = 50e-6  # a thread that did nothing for so long before a part was waiting for it
_CLOCK_S = 1e-6  # times of two threads are no better than this
_PLACES = 3  # the first wait of a command is for an answer, the later ones for the rest of it

Kind = Literal["compute", "block", "serve", "wait", "requeue", "ended"]


@dataclass(frozen=True)
class Phase:
    """`compute` and `block` need the command's worker, the second one no core; `serve` is computed by a server; `wait`
    may give the worker back; `requeue` goes to the end of the queue; `ended` lets parts begin that follow this one."""

    kind: Kind
    seconds: float = 0.0
    part: int = 0
    least: float = 0.0  # of a wait whose length is not known


@dataclass(frozen=True)
class Job:
    command: Command
    phases: tuple[Phase, ...]
    needs: dict[int, tuple[tuple[int, int], ...]]  # what a part follows: job (place in Work.jobs) and part

    @property
    def connects(self) -> bool:
        return any(part.waits_for == "socket" for part in self.command.parts) or self.command.kind == LOAD


@dataclass(frozen=True)
class Work:
    jobs: tuple[Job, ...]
    releases: bool  # a command that waits gives its worker back
    uncertain: bool  # some waits are between bounds

    def outside(self, share: float) -> "Work":
        """The same with uncertain waits so far between the least (0) and the most (1) that they can have been."""
        jobs = tuple(
            replace(
                job,
                phases=tuple(
                    replace(each, seconds=each.least + share * (each.seconds - each.least)) for each in job.phases
                ),
            )
            for job in self.jobs
        )
        return replace(self, jobs=jobs)


def read(run: Run) -> Work:
    place = {command.id: number for number, command in enumerate(run.commands)}
    blocked = _blocked_share(run)
    waits = _Waits(run.commands)
    answers = sum(part.waits_for == "socket" for command in run.commands for part in command.parts)
    loads = sum(command.kind == LOAD for command in run.commands)
    serve = run.server_cpu_seconds / (answers or loads or 1)
    jobs = []
    for command in run.commands:
        phases: list[Phase] = []
        for number, part in enumerate(command.parts):
            phases.append(Phase("compute", min(part.cpu, part.seconds), number))
            off = max(0.0, part.seconds - part.cpu) * blocked.get(part.thread, 1.0)
            served = min(off, serve) if command.kind == LOAD and not answers else 0.0
            phases += [Phase("block", off - served, number), Phase("serve", served, number), Phase("ended", 0, number)]
            if part.then == "ready":
                phases.append(Phase("requeue", 0.0, number))
            elif part.then == "wait" and number + 1 < len(command.parts):
                # What another command makes it wait for is a part of that one.
                least, most = waits.between(command, number) if part.waits_for else (0.0, 0.0)
                served = min(least, serve) if part.waits_for == "socket" else 0.0
                phases += [Phase("wait", most - served, number, least - served), Phase("serve", served, number)]
        used = [
            each if each.kind == "wait" else replace(each, least=each.seconds)
            for each in phases
            if each.seconds > 0 or each.kind not in ("block", "serve")
        ]
        jobs.append(Job(command, tuple(used), _needs(command, run.commands, place)))
    uncertain = any(each.least < each.seconds for job in jobs for each in job.phases)
    return Work(tuple(jobs), _releases(run.commands), uncertain)


def _needs(
    command: Command, commands: Sequence[Command], place: dict[int, int]
) -> dict[int, tuple[tuple[int, int], ...]]:
    found: dict[int, list[tuple[int, int]]] = {}
    for identity in {*command.after, *([] if command.spawned_by is None else [command.spawned_by])}:
        other = commands[place[identity]]
        latest = -1
        for number, part in enumerate(command.parts):
            ended = bisect.bisect_right(other.parts, part.start + _CLOCK_S, key=lambda each: each.end) - 1
            if ended > latest:
                found.setdefault(number, []).append((place[identity], ended))
                latest = ended
    return {number: tuple(others) for number, others in found.items()}


def _blocked_share(run: Run) -> dict[int, float]:
    """Per thread: how much of the time that its parts were off the processor was blocking, not waiting for a core."""
    off: dict[int, float] = defaultdict(float)
    for command in run.commands:
        for part in command.parts:
            off[part.thread] += max(0.0, part.seconds - part.cpu)
    queued = {thread.id: thread.run_queue_seconds for thread in run.threads}
    return {thread: max(0.0, 1 - queued.get(thread, 0.0) / seconds) for thread, seconds in off.items() if seconds > 0}


def _releases(commands: Sequence[Command]) -> bool:
    """Whether a thread ever did something else while one of its commands waited."""
    by_thread: dict[int, list[tuple[float, int]]] = defaultdict(list)
    for command in commands:
        for part in command.parts:
            by_thread[part.thread].append((part.start, command.id))
    for command in commands:
        for part, following in zip(command.parts, command.parts[1:], strict=False):
            if part.then != "wait":
                continue
            if following.thread != part.thread:
                return True
            if any(
                part.end < start < following.start and other != command.id for start, other in by_thread[part.thread]
            ):
                return True
    return False


class _Waits:
    """How long waits between parts were: exactly, or between two bounds."""

    def __init__(self, commands: Sequence[Command]) -> None:
        ends: dict[int, list[float]] = defaultdict(list)
        for command in commands:
            for part in command.parts:
                ends[part.thread].append(part.end)
        self._ends = {thread: sorted(times) for thread, times in ends.items()}
        known: dict[tuple[str, int, str | None], list[float]] = defaultdict(list)
        for command in commands:
            for number in range(len(command.parts) - 1):
                if command.parts[number].then == "wait" and self._was_idle(command.parts[number + 1]):
                    known[self._kind(command, number)].append(self._seen(command, number))
        self._typical = {kind: statistics.median(seconds) for kind, seconds in known.items()}

    def between(self, command: Command, number: int) -> tuple[float, float]:
        """At least, at most."""
        seen = self._seen(command, number)
        if self._was_idle(command.parts[number + 1]):
            return seen, seen
        typical = self._typical.get(self._kind(command, number))
        return (0.0, seen) if typical is None else (min(seen, typical),) * 2

    def _was_idle(self, part: Part) -> bool:
        ends = self._ends[part.thread]
        place = bisect.bisect_right(ends, part.start) - 1
        return place < 0 or part.start - ends[place] > _IDLE_S

    @staticmethod
    def _seen(command: Command, number: int) -> float:
        return max(0.0, command.parts[number + 1].start - command.parts[number].end)

    @staticmethod
    def _kind(command: Command, number: int) -> tuple[str, int, str | None]:
        return command.kind, min(number, _PLACES), command.parts[number].waits_for
