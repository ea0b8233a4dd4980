"""A discrete-event simulation of the laboratory's models: the same commands with other workers, on other cores.

- A part is ready when the parts that it follows have ended.
- Ready commands stand in one queue for each group of workers, first come first served. A pool (and pico, constrained)
  has one group; with threads and cooperative each thread is a group of one worker.
- A worker takes the first command that may start. With threads it keeps to the order of the record. In the constrained
  model a command may not start beside one that touches what it writes.
- A command that waits gives its worker back, where the record shows that it does, and always for another command; one
  that blocks keeps it. With threads it keeps it in any case.
- A command that loads needs a connection from its start to its end, where their number is limited.
- Whatever computes, a server on the same machine as well, shares the cores evenly.

Left out: what caches cost when a command moves. Other models, which start commands again or send for help, are not
simulated.
"""

from collections import deque
from dataclasses import dataclass

from heddle.errors import BadInputError
from heddle.lab.prediction.work import Job, Work
from heddle.predict.processors import NEVER, Processors

OWN_THREADS = ("threads", "cooperative")  # the models in which a command belongs to one thread
SIMULATED = (*OWN_THREADS, "pool", "pico", "constrained")


@dataclass(frozen=True)
class Setting:
    model: str
    workers: int  # of one group
    cores: float
    connections: int | None = None


def finished(work: Work, setting: Setting) -> list[float]:
    """When each command ends, in seconds."""
    return _Simulation(work, setting).finish()


def length(work: Work, setting: Setting) -> float:
    return max(finished(work, setting), default=0.0)


class _Simulation:
    def __init__(self, work: Work, setting: Setting) -> None:
        self._jobs = work.jobs
        self._in_turn = setting.model == "threads"
        self._releases = work.releases and not self._in_turn
        self._exclusive = setting.model == "constrained"
        self._processors = Processors(setting.cores)
        size = len(work.jobs)
        own = setting.model in OWN_THREADS
        self._group = [job.command.thread if own else 0 for job in work.jobs]
        self._free = dict.fromkeys(self._group, 1 if own else setting.workers)
        self._queue: dict[int, deque[int]] = {group: deque() for group in self._group}
        self._connections = NEVER if setting.connections is None else setting.connections
        self._for_connection: deque[int] = deque()
        self._connected = [not job.connects for job in work.jobs]
        self._phase = [0] * size  # the next one
        self._working: set[int] = set()  # commands that have a worker
        self._finished = [NEVER] * size
        self._missing: list[dict[int, int]] = [{} for _ in range(size)]  # per part: how many that it follows
        self._followers: dict[tuple[int, int], list[tuple[int, int]]] = {}
        self._held_up: set[int] = set()  # commands whose next part follows one that has not ended
        for number, job in enumerate(work.jobs):
            for part, others in job.needs.items():
                self._follows(number, part, others)
        if self._in_turn:
            for number, before in _in_order(work.jobs):
                self._follows(number, 0, ((before, len(work.jobs[before].command.parts) - 1),))

    def _follows(self, number: int, part: int, others: tuple[tuple[int, int], ...]) -> None:
        self._missing[number][part] = self._missing[number].get(part, 0) + len(others)
        for other in others:
            self._followers.setdefault(other, []).append((number, part))

    def finish(self) -> list[float]:
        for number, job in enumerate(self._jobs):
            if not job.phases:
                self._finished[number] = 0.0  # it was never begun
            elif self._missing[number].get(0):
                self._held_up.add(number)
            else:
                self._becomes_ready(number)
        processors = self._processors
        while True:
            self._start_what_may()
            computed, waited = processors.computed_at, processors.waited_at
            if computed == waited == NEVER:
                break
            processors.move_to(min(computed, waited))
            self._goes_on(processors.take_computed() if computed <= waited else processors.take_waited())
        stuck = [job.command.name for job, end in zip(self._jobs, self._finished, strict=True) if end == NEVER]
        if stuck:
            raise BadInputError(f"{stuck[0]} never ends in a simulation of the record", "record another run")
        return self._finished

    def _becomes_ready(self, number: int) -> None:
        if not self._connected[number]:
            if self._connections <= 0:
                self._for_connection.append(number)
                return
            self._connections -= 1
            self._connected[number] = True
        self._queue[self._group[number]].append(number)

    def _start_what_may(self) -> None:
        for group, queue in self._queue.items():
            while self._free[group] > 0 and queue:
                found = next((place for place, number in enumerate(queue) if self._may_start(number)), None)
                if found is None:
                    break
                number = queue[found]
                del queue[found]
                self._free[group] -= 1
                self._working.add(number)
                self._goes_on(number)

    def _may_start(self, number: int) -> bool:
        if not self._exclusive:
            return True
        mine = self._jobs[number].command
        others = (self._jobs[other].command for other in self._working)
        return not any(mine.writes & (o.reads | o.writes) or o.writes & mine.reads for o in others)

    def _goes_on(self, number: int) -> None:
        """With its next phase; its last one has ended."""
        phases = self._jobs[number].phases
        while self._phase[number] < len(phases):
            each = phases[self._phase[number]]
            if self._missing[number].get(each.part, 0) > 0:
                self._held_up.add(number)
                if not self._in_turn:
                    self._gives_worker_back(number)
                return
            if each.kind in ("compute", "block") and number not in self._working:
                self._becomes_ready(number)
                return
            self._phase[number] += 1
            if each.kind == "ended":
                self._part_ended(number, each.part)
            elif each.kind == "requeue":
                self._gives_worker_back(number)
            elif each.kind in ("compute", "serve"):
                self._processors.compute(number, each.seconds)
                return
            else:
                if each.kind == "wait" and self._releases:
                    self._gives_worker_back(number)
                self._processors.wait(number, each.seconds)
                return
        self._done(number)

    def _gives_worker_back(self, number: int) -> None:
        if number in self._working:
            self._working.discard(number)
            self._free[self._group[number]] += 1

    def _part_ended(self, number: int, part: int) -> None:
        for follower, of_it in self._followers.get((number, part), ()):
            self._missing[follower][of_it] -= 1
            if self._missing[follower][of_it] == 0 and follower in self._held_up:
                self._held_up.discard(follower)
                self._goes_on(follower)

    def _done(self, number: int) -> None:
        self._gives_worker_back(number)
        self._finished[number] = self._processors.now
        if self._jobs[number].connects and self._connections != NEVER:
            self._connections += 1
            if self._for_connection:
                self._becomes_ready(self._for_connection.popleft())


def _in_order(jobs: tuple[Job, ...]) -> list[tuple[int, int]]:
    """A thread runs its commands one after the other, as it did in the record: pairs of one and that before it."""
    last: dict[int, int] = {}
    found = []
    for number in sorted(range(len(jobs)), key=lambda each: (jobs[each].command.start, each)):
        command = jobs[number].command
        if not command.parts:
            continue
        before = last.get(command.thread)
        if before is not None and jobs[before].command.parts[-1].end <= command.parts[0].start:
            found.append((number, before))
        last[command.thread] = number
    return found
