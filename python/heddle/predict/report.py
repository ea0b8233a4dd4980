"""Predictions as text that fits a terminal, and as data."""

from collections.abc import Sequence
from typing import Any

from heddle.explain import prose, remedies
from heddle.explain.causes import Cause
from heddle.output.layout import columns, plural, wrapped
from heddle.predict.outlook import Outlook, Predictor, Step

_DOUBTFUL = 0.1


def about(predictor: Predictor, width: int) -> list[str]:
    """What the prediction rests on, and how far it can be trusted."""
    work, error = predictor.work, predictor.error
    how = "one thread" if work.threads == 1 else f"{work.threads - 1} threads"
    text = (
        f"From {plural(len(work), 'invocation')} recorded with {how} at {predictor.recorded:.0f} a second. "
        f"Simulated as it was recorded, the run is {abs(error):.0%} {'faster' if error > 0 else 'slower'} than it was."
    )
    lines = wrapped(text, "", width)
    if abs(error) > _DOUBTFUL:
        advice = "Doubtful: record on a machine that does nothing else, under full load, with --threads 1."
        lines += wrapped(advice, "", width)
    return lines


def table(predictor: Predictor, threads: Sequence[int], outlooks: Sequence[Outlook]) -> list[str]:
    """Speed against the recorded run; one line for each set of causes without which it is predicted."""
    rows = [["threads, each with a core", *map(str, threads)]]
    for label, outlook in zip(labels(outlooks), outlooks, strict=True):
        rows.append([label, *(_times(predictor, rate) for rate in outlook.rates)])
    return columns([[row[0], *(cell.rjust(6) for cell in row[1:])] for row in rows], "  ")


def labels(outlooks: Sequence[Outlook]) -> list[str]:
    """The causes that each line is without; where it has all of the line before, only those that it adds."""
    found = []
    before: tuple[Cause, ...] = ()
    for outlook in outlooks:
        more = before and outlook.without[: len(before)] == before
        names = " and ".join(cause.name for cause in outlook.without[len(before) if more else 0 :])
        found.append(f"{'and ' if more else ''}without {names}" if names else "as it is")
        before = outlook.without
    return found


def advice(predictor: Predictor, steps: Sequence[Step], threads: int, width: int) -> list[str]:
    lines: list[str] = []
    for number, step in enumerate(steps, 1):
        lines += ["", *_step(predictor, step, number, threads, width)]
    return lines


def _step(predictor: Predictor, step: Step, number: int, threads: int, width: int) -> list[str]:
    cause = step.cause
    place = f" ({cause.place})" if cause.place else ""
    gain = f"{_times(predictor, step.before.rates[0])} becomes {_times(predictor, step.after.rates[0])}"
    above = "" if number == 1 else ", with those above"
    lines = wrapped(f"{number}. {prose.title(predictor.constraints, cause)}{place}", "  ", width, "     ")
    lines += wrapped(f"without it{above}: {gain} on {plural(threads, 'core')}", "     ", width)
    return lines + wrapped(
        f"remedy: {remedies.remedy(predictor.constraints, cause).text}", "     ", width, "            "
    )


def data(
    predictor: Predictor,
    threads: Sequence[int],
    outlooks: Sequence[Outlook],
    steps: Sequence[Step] = (),
) -> dict[str, Any]:
    """For programs: rates in invocations per second."""
    return {
        "invocations": len(predictor.work),
        "recorded": {
            "threads": max(1, predictor.work.threads - 1),
            "rate": predictor.recorded,
            "error": predictor.error,
        },
        "threads": list(threads),
        "outlooks": [
            {"without": [cause.name for cause in outlook.without], "rates": list(outlook.rates)} for outlook in outlooks
        ],
        "steps": [_step_data(predictor, step) for step in steps],
    }


def _step_data(predictor: Predictor, step: Step) -> dict[str, Any]:
    return _cause(predictor, step.cause) | {"before": step.before.rates[0], "after": step.after.rates[0]}


def _cause(predictor: Predictor, cause: Cause) -> dict[str, Any]:
    return {
        "name": cause.name,
        "kind": cause.key.kind,
        "place": cause.place,
        "remedy": remedies.remedy(predictor.constraints, cause).text,
    }


def _times(predictor: Predictor, rate: float) -> str:
    return f"{rate / predictor.recorded:.2f}x"
