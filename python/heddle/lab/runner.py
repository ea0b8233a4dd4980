"""Runs a scenario under a model, and compares what several models have made of it."""

import importlib.util
import json
import threading
from collections.abc import Sequence
from types import ModuleType
from typing import TYPE_CHECKING

from heddle.documents.contracts import VERSIONS
from heddle.documents.schemas import Document
from heddle.errors import BadInputError
from heddle.lab.model import Model
from heddle.lab.record import Record
from heddle.lab.scenario import Scenario
from heddle.system import machine, places

if TYPE_CHECKING:
    from heddle.lab import _native

INTERRUPTED = "interrupted: the run was stopped from outside"


class ResultsDifferError(Exception):
    """Two models have not made the same of one scenario."""


def run(scenario: Scenario, model: Model, *, timeout: float = 120.0) -> Record:
    """Runs all commands. What fails is said in the record, and the others go on.

    After `timeout` seconds, and after an interrupt (Ctrl-C), those that have not ended are given up. An interrupt is
    raised again as KeyboardInterrupt, whose argument is the record of what was done.
    """
    native = _load_native()
    groups = max(1, len(scenario.groups))
    connections = model.connections or model.natural_connections(groups)
    try:
        native_run = native.Run(
            model=model.name,
            workers=model.workers,
            groups=groups,
            per_group=model.per_group,
            busy=model.busy,
            connections=connections,
            seconds=timeout,
        )
    except ValueError as error:
        raise BadInputError(f"the scenario {scenario.name} cannot be run: {error}", "mend the call") from None
    scenario.declare_in(native_run, native.At)
    try:
        measured, interrupted = _execute(native_run)
    except RuntimeError as error:
        raise BadInputError(
            f"{scenario.name} cannot be run under {model} ({error})", "use fewer groups or workers"
        ) from None
    document: Document = {
        "schema": "heddle/lab",
        "version": VERSIONS["lab"],
        "scenario": scenario.name,
        "model": {
            "name": model.name,
            "workers": model.threads_for(groups),
            "busy": model.busy,
            "connections": model.connections,
        },
        "machine": machine.description(),
        **measured,
    }
    record = Record(document, native_run.png())
    if interrupted:
        raise KeyboardInterrupt(record)
    return record


def run_all(scenario: Scenario, models: Sequence[Model], *, timeout: float = 120.0) -> list[Record]:
    """Runs the scenario under each model in turn. ResultsDifferError if one has painted or computed something else."""
    records: list[Record] = []
    for model in models:
        records.append(run(scenario, model, timeout=timeout))
        check_same(records[0], records[-1])
    return records


def check_same(first: Record, other: Record) -> None:
    differ = [name for name in first.results | other.results if first.results.get(name) != other.results.get(name)]
    if first.canvas != other.canvas:
        differ.insert(0, "the canvas")
    if differ:
        raise ResultsDifferError(
            f"{first.model} and {other.model} differ in {', '.join(differ[:5])}; "
            f"errors: {first.errors or 'none'} and {other.errors or 'none'}"
        )


def _execute(native_run: "_native.Run") -> tuple[Document, bool]:
    """Runs on another thread, because only this one is told of signals."""
    measured: list[str] = []
    failures: list[BaseException] = []
    ended = threading.Event()

    def execute() -> None:
        try:
            measured.append(native_run.execute())
        except BaseException as error:
            failures.append(error)
        ended.set()

    threading.Thread(target=execute, name="heddle.lab").start()
    interrupted = False
    while not ended.is_set():
        try:
            # Not join(): Python 3.11 takes a thread whose join() was interrupted for one that has ended.
            ended.wait()
        except KeyboardInterrupt:
            interrupted = True
            native_run.give_up(INTERRUPTED)
    if failures:
        raise failures[0]
    return json.loads(measured[0]), interrupted


_loaded: list[ModuleType] = []


def _load_native() -> ModuleType:
    """The native module, from the build that the command line uses."""
    if not _loaded:
        path = places.built(places.lab_native(), "the native part of heddle.lab")
        spec = importlib.util.spec_from_file_location("heddle.lab._native", path)
        if spec is None or spec.loader is None:
            raise BadInputError(f"{path} is no module for this Python", "build it again")
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        _loaded.append(module)
    return _loaded[0]
