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
    from heddle.lab import Model
    from heddle.lab.scenarios.stage import Stage

TIMEOUT_S = 600.0
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
    try:
        for number in rounds:
            shift = number % len(models)
            for model in (*models[shift:], *models[:shift]):
                say(str(model), done, of)
                one, picture = _once(stage, model, number, timeout, trial)
                done += 1
                if number != WARM_UP:
                    trial.add(one)
                    trial.window = trial.window or picture
    except KeyboardInterrupt:
        if not trial.runs:
            raise
        trial.partial = True
    return trial


def _once(stage: "Stage", model: "Model", number: int, timeout: float, trial: Trial) -> tuple[One, str | None]:
    from heddle.lab import run

    served = stage.server_cpu_seconds()
    with events.counting() as counted:
        record = run(stage.scenario, model, timeout=timeout)
    one = One(str(model), number, stage.server_cpu_seconds() - served, counted.counts, record.document)
    trial.counters_missing = counted.missing
    picture = record.pixels
    return one, None if picture is None else base64.b64encode(picture).decode()


def models_of(words: Sequence[str], connections: str, workers: Sequence[int] = ()) -> list["Model"]:
    """From --model and --connections: `natural` for what each model does of itself, a number, or `equal`.

    Equal is as many for all as the model with the most workers has workers, and six, which browsers allow a host, at
    least.
    """
    from dataclasses import replace

    from heddle.lab import Model

    found = []
    for word in words:
        try:
            parsed = Model.parse(word)
        except ValueError as error:
            raise BadInputError(f"there is no model '{word}' ({error})", _models()) from None
        found += [replace(parsed, workers=count) for count in workers] or [parsed]
    if connections == "natural":
        return found
    most = max([_BROWSERS, *(model.workers for model in found)])
    if connections != "equal":
        if not connections.isdecimal() or int(connections) < 1:
            raise BadInputError(f"--connections cannot be {connections}", "say natural, equal, or a number from 1")
        most = int(connections)
    return [replace(model, connections=most) for model in found]


_BROWSERS = 6


def _models() -> str:
    from heddle.lab import Model

    return f"use one of {', '.join(str(model) for model in Model.all())}"
