"""How long a recorded scenario would take by cores, and how far that can be trusted.

What the simulation leaves out is the same in the recorded run and in all others, so every prediction is relative to the
simulation of the recorded run. How far that one is from the record is said with each; runs with other numbers of
workers, where there are some, check the predictions themselves.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from heddle.errors import BadInputError
from heddle.lab.model import Model
from heddle.lab.prediction import simulation, work
from heddle.lab.prediction.simulation import OWN_THREADS, SIMULATED, Setting
from heddle.lab.recorded import Run
from heddle.measure.processor import MOST_FOREIGN

_NEAR = 0.01
_HALVINGS = 8
DOUBTFUL = 0.1


@dataclass(frozen=True)
class Point:
    cores: int
    workers: int
    seconds: float
    measured: float | None = None

    @property
    def error(self) -> float | None:
        """0.05: predicted 5 % too long."""
        return None if self.measured is None else self.seconds / self.measured - 1


@dataclass(frozen=True)
class Outlook:
    run: Run
    error: float  # of the simulated recorded run
    points: tuple[Point, ...]

    @property
    def doubts(self) -> list[str]:
        found = []
        if abs(self.error) > DOUBTFUL:
            found.append(f"simulated as it was recorded, the run is {abs(self.error):.0%} off")
        if self.run.model.name not in OWN_THREADS and self.run.model.workers > 1:
            found.append("recorded with several workers: what was waiting for a core looks like blocking")
        return found

    def data(self) -> dict[str, Any]:
        return {
            "scenario": self.run.scenario,
            "model": self.run.model.name,
            "recorded": {"workers": self.run.model.workers, "seconds": self.run.seconds, "error": self.error},
            "doubts": self.doubts,
            "points": [
                {
                    "cores": point.cores,
                    "workers": point.workers,
                    "seconds": point.seconds,
                    "measured": point.measured,
                    "error": point.error,
                }
                for point in self.points
            ],
        }


def must_be_fit(run: Run) -> None:
    """Raises BadInputError if nothing true can be said from the record."""
    if run.foreign_cpu > MOST_FOREIGN:
        raise BadInputError(
            f"nothing can be predicted: other programs took {run.foreign_cpu:.0%} of the machine during the run",
            "record again when the machine does nothing else",
        )
    if run.model.name not in SIMULATED:
        raise BadInputError(f"the model {run.model.name} cannot be simulated", f"record one of {', '.join(SIMULATED)}")
    if run.model.busy:
        raise BadInputError(
            "nothing can be predicted from a busy model: what it asks in vain depends on who else computes",
            "record the same model without busy",
        )
    if not any(command.parts for command in run.commands):
        raise BadInputError("the record has no commands that did something", "record a scenario with commands")
    if run.errors:
        name, error = run.errors[0]
        raise BadInputError(f"nothing can be predicted from a run in which {name} failed ({error})", "mend that first")


def predict(run: Run, cores: Sequence[int], workers: int | None = None, checks: Sequence[Run] = ()) -> Outlook:
    """With as many workers as cores, or with `workers`; `checks` are runs of the same scenario and model."""
    must_be_fit(run)
    recorded_on = int(run.machine.get("cores", 1))
    as_recorded = _setting(run, run.model.workers, recorded_on)
    found = work.read(run)
    fitted, error = _fit(found, as_recorded, run.seconds)
    points = []
    for count in cores:
        each = run.model.workers if run.model.name in OWN_THREADS else workers or count
        seconds = simulation.length(fitted, _setting(run, each, count)) / (1 + error)
        points.append(Point(count, each, seconds, _measured(run, checks, count, each)))
    return Outlook(run, error, tuple(points))


def _setting(run: Run, workers: int, cores: int) -> Setting:
    """With the connections that were given, or as many as the model has by nature with so many workers."""
    natural = Model(run.model.name, workers).natural_connections(run.model.workers)
    return Setting(run.model.name, workers, cores, run.model.connections or natural)


def _fit(found: work.Work, setting: Setting, seconds: float) -> tuple[work.Work, float]:
    """Chooses how long the waits were that the record leaves open."""

    def error_of(candidate: work.Work) -> float:
        return simulation.length(candidate, setting) / seconds - 1

    if not found.uncertain:
        return found, error_of(found)
    low, high = 0.0, 1.0
    best = (found, error_of(found))
    for _ in range(_HALVINGS):
        if abs(best[1]) <= _NEAR:
            break
        middle = (low + high) / 2
        candidate = found.outside(middle)
        error = error_of(candidate)
        if abs(error) < abs(best[1]):
            best = (candidate, error)
        low, high = (low, middle) if error > 0 else (middle, high)
    return best


def _measured(run: Run, checks: Sequence[Run], cores: int, workers: int) -> float | None:
    """The median of the runs with so many workers on so many cores."""
    import statistics

    same = [
        check.seconds
        for check in checks
        if (check.scenario, check.model.name, check.model.connections)
        == (run.scenario, run.model.name, run.model.connections)
        and check.model.workers == workers
        and int(check.machine.get("cores", 0)) == cores
    ]
    return statistics.median(same) if same else None
