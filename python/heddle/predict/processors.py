"""Simulated processors and their clock, which every prediction shares.

What computes shares the cores evenly; what waits needs none. The clock jumps from one end to the next, so a simulation
costs by what happens and not by how long it takes. Who may begin when is not decided here: that is what differs between
the schedulers that are simulated.
"""

import heapq

NEVER = float("inf")


class Processors:
    def __init__(self, cores: float) -> None:
        self.now = 0.0
        self._cores = cores
        self._work_clock = 0.0  # processor seconds that each computing job has had
        self._computing: list[tuple[float, int]] = []  # (end by the work clock, job)
        self._waiting: list[tuple[float, int]] = []

    def compute(self, job: int, seconds: float) -> None:
        heapq.heappush(self._computing, (self._work_clock + seconds, job))

    def wait(self, job: int, seconds: float) -> None:
        heapq.heappush(self._waiting, (self.now + seconds, job))

    @property
    def computed_at(self) -> float:
        """When the next job has computed what it had to, if none begins before."""
        return self.now + (self._computing[0][0] - self._work_clock) / self._speed() if self._computing else NEVER

    @property
    def waited_at(self) -> float:
        return self._waiting[0][0] if self._waiting else NEVER

    def move_to(self, time: float) -> None:
        """To a time at or before the next end; one that has passed changes nothing."""
        now = max(self.now, time)
        self._work_clock += (now - self.now) * self._speed()
        self.now = now

    def take_computed(self) -> int:
        return heapq.heappop(self._computing)[1]

    def take_waited(self) -> int:
        return heapq.heappop(self._waiting)[1]

    def _speed(self) -> float:
        return min(1.0, self._cores / len(self._computing)) if self._computing else 1.0
