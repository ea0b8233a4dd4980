"""Measures a scenario under several models, in turn.

Each round runs every model once, and each round begins with another one, so that a machine that gets slower meanwhile
does so for all. A round before the first warms up and is thrown away. Interrupted, what was measured is kept and the
trial marked partial.
"""

import base64
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from heddle.errors import BadInputError
from heddle.lab.counters import events
from heddle.lab.trial import One, Trial
from heddle.system import machine

if TYPE_CHECKING:
    from heddle.lab import Model, Record
    from heddle.lab.scenarios.stage import Stage

TIMEOUT_S = 600.0
_BROWSERS = 6
WARM_UP = 0  # the number of the round


def measure(
    stage: "Stage",
    models: Sequence["Model"],
    repeat: int,
    say: Callable[[str, int, int], None] = lambda _model, _done, _of: None,
    warm_up: bool = True,
    timeout: float = TIMEOUT_S,
) -> Trial:
    """`say` is told which model runs next, and how many of how many runs are done."""
    trial = Trial(stage.scenario.name, stage.options, machine.description(), [str(model) for model in models])
    rounds = range(WARM_UP if warm_up else WARM_UP + 1, repeat + 1)
    done, of = 0, len(rounds) * len(models)
    first: Record | None = None
    try:
        for number in rounds:
            shift = number % len(models)
            for model in (*models[shift:], *models[:shift]):
                say(str(model), done, of)
                record, one = _once(stage, model, number, timeout, trial)
                first = first or record
                _must_be_same(first, record)
                done += 1
                if number != WARM_UP:
                    trial.runs.append(one)
        trial.window = None if first is None or first.pixels is None else base64.b64encode(first.pixels).decode()
    except KeyboardInterrupt as interrupt:
        trial.partial = True
        if not trial.runs:
            # What was done of the one run there is; what was not says in its record that it was interrupted.
            if not interrupt.args:
                raise
            trial.runs.append(One(str(model), WARM_UP + 1, 0.0, {}, interrupt.args[0].document))
    return trial


def _once(stage: "Stage", model: "Model", number: int, timeout: float, trial: Trial) -> "tuple[Record, One]":
    from heddle.lab import run

    served = stage.server_cpu_seconds()
    with events.counting() as counted:
        record = run(stage.scenario, model, timeout=timeout)
    trial.counters_missing = counted.missing
    served = stage.server_cpu_seconds() - served
    return record, One(str(model), number, served, counted.counts, record.document)


def _must_be_same(first: "Record", other: "Record") -> None:
    from heddle.lab.runner import ResultsDifferError, check_same

    try:
        check_same(first, other)
    except ResultsDifferError as error:
        what = str(error).partition(";")[0]
        failed = [(record.model, *each) for record in (first, other) for each in record.errors.items()]
        if not failed:
            raise BadInputError(what, "no time is worth anything before both do the same") from None
        model, name, reason = failed[0]
        raise BadInputError(
            f"{what}: under {model} {name} failed ({reason}){f', and {len(failed) - 1} more' if failed[1:] else ''}",
            "if a server gave up, try fewer --connections",
        ) from None


def models_of(words: Sequence[str], connections: str, workers: Sequence[int] = ()) -> list["Model"]:
    """From --model and --connections: `natural` for what each model does of itself, a number, or `equal`.

    Equal is as many for all as the model with the most workers has workers, and at least six, which is what browsers
    allow a host.
    """
    from heddle.lab import Model

    found = []
    for word in words:
        found += [Model.parse(f"{word}:{count}") for count in workers] or [Model.parse(word)]
    if connections == "natural":
        return found
    most = max([_BROWSERS, *(model.workers for model in found)])
    if connections != "equal":
        if not connections.isdecimal():
            raise BadInputError(f"--connections cannot be {connections}", "say natural, equal, or a number from 1")
        most = int(connections)
    return [model if model.connections else Model.parse(f"{model}@{most}") for model in found]
