"""Runs of one scenario under several models, and what they say together.

The document `lab_trial`: each run's record, and beside it what the record cannot know: what the scenario's server
computed, what was counted, whether all runs were made.
"""

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heddle.documents import schemas
from heddle.documents.contracts import VERSIONS
from heddle.lab import recorded
from heddle.lab.recorded import Run
from heddle.measure.alternation import median_interval
from heddle.measure.processor import MOST_FOREIGN

Document = dict[str, Any]


@dataclass(frozen=True)
class One:
    """One run of a trial."""

    model: str
    round: int
    server_cpu_seconds: float
    counters: Mapping[str, float]
    record: Document

    def run(self) -> Run:
        return recorded.read(self.record, f"run {self.round} of {self.model}").served(self.server_cpu_seconds)


@dataclass(frozen=True)
class Series:
    """All runs of one model."""

    model: str
    runs: tuple[Run, ...]
    counters: tuple[Mapping[str, float], ...] = ()

    @property
    def seconds(self) -> list[float]:
        return [run.seconds for run in self.runs]

    @property
    def median(self) -> float:
        return statistics.median(self.seconds)

    @property
    def interval(self) -> tuple[float, float]:
        """Between which the median lies."""
        return median_interval(self.seconds)

    @property
    def cpu_seconds(self) -> float:
        return statistics.median(run.cpu_seconds for run in self.runs)

    @property
    def foreign(self) -> float:
        """The worst of the runs."""
        return max(run.foreign_cpu for run in self.runs)

    @property
    def doubtful(self) -> bool:
        return self.foreign > MOST_FOREIGN

    @property
    def errors(self) -> list[tuple[str, str]]:
        return [error for run in self.runs for error in run.errors]

    @property
    def typical(self) -> Run:
        """The run whose time is the median, or just below it."""
        ordered = sorted(self.runs, key=lambda run: run.seconds)
        return ordered[(len(ordered) - 1) // 2]

    @property
    def counts(self) -> dict[str, float]:
        names = sorted({name for each in self.counters for name in each})
        return {name: statistics.median(each[name] for each in self.counters if name in each) for name in names}


@dataclass
class Trial:
    scenario: str
    options: Mapping[str, float | str | None]
    machine: Mapping[str, Any]
    models: Sequence[str]  # in the order in which they are shown
    runs: list[One] = field(default_factory=list)
    counters_missing: Mapping[str, str] = field(default_factory=dict)
    window: str | None = None
    partial: bool = False

    def series(self) -> list[Series]:
        """Of the models that have run."""
        found = []
        for model in self.models:
            ones = [one for one in self.runs if one.model == model]
            if ones:
                found.append(Series(model, tuple(one.run() for one in ones), tuple(one.counters for one in ones)))
        return found

    def document(self) -> Document:
        return {
            "schema": "heddle/lab_trial",
            "version": VERSIONS["lab_trial"],
            "scenario": self.scenario,
            "options": dict(self.options),
            "machine": dict(self.machine),
            "models": list(self.models),
            "partial": self.partial,
            "counters_missing": dict(self.counters_missing),
            "window": self.window,
            "runs": [
                {
                    "model": one.model,
                    "round": one.round,
                    "server_cpu_seconds": one.server_cpu_seconds,
                    "counters": dict(one.counters),
                    "record": one.record,
                }
                for one in self.runs
            ],
        }


def read(document: Document, source: str) -> Trial:
    schemas.check(document, "lab_trial", source)
    runs = [One(**{name: item[name] for name in One.__dataclass_fields__}) for item in document["runs"]]
    names = ("scenario", "options", "machine", "models", "counters_missing", "window", "partial")
    return Trial(**{name: document[name] for name in names}, runs=runs)


def load(path: Path) -> Trial:
    """A trial, or a single record as a trial of one run."""
    import json

    try:
        kind = json.loads(path.read_bytes()).get("schema")
    except (OSError, ValueError, AttributeError):
        kind = None  # what is wrong is said below
    if kind != "heddle/lab":
        return read(schemas.load(path, "lab_trial"), str(path))
    record = schemas.load(path, "lab")
    run = recorded.read(record, str(path))
    one = One(run.model.label, 1, 0.0, {}, record)
    return Trial(run.scenario, {}, run.machine, [one.model], [one])
