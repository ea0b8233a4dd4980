"""The outcome of a check, in words and as JSON."""

from typing import Any

from heddle.documents.constraints import Constraints
from heddle.oracle.check import Outcome, Overlap, Side
from heddle.oracle.predictions import Predicted, Predictions
from heddle.output.layout import plural

_SHOWN = 10


def text(constraints: Constraints, outcome: Outcome, found: Predictions, all_of_it: bool) -> list[str]:
    lines = [
        f"{plural(outcome.invocations, 'invocation')}, {outcome.accesses} accesses",
        *_failures(outcome.failures, all_of_it),
        "",
        *_predictions(constraints, found, all_of_it),
    ]
    if outcome.not_listed:
        names = ", ".join(site.function for site in outcome.not_listed)
        lines += ["", f"Called by the loop but not in the constraints, so the runtime runs them alone: {names}"]
    return lines


def _failures(failures: list[Overlap], all_of_it: bool) -> list[str]:
    if not failures:
        return ["No overlap that the verdicts would have allowed."]
    lines = [f"{plural(len(failures), 'overlap')} that the verdicts would have allowed:"]
    shown = failures if all_of_it else failures[:_SHOWN]
    for failure in shown:
        sessions = "the same session" if failure.same_session else "different sessions"
        lines += ["", f"  {failure.first.handler} and {failure.second.handler}: {failure.verdict}, with {sessions}"]
        lines.append(f"    on {failure.object}" + (f", made in {failure.where}" if failure.where else ""))
        lines += [_side(side) for side in (failure.first, failure.second)]
    if len(shown) < len(failures):
        lines += ["", f"  and {len(failures) - len(shown)} more: --all"]
    return lines


def _side(side: Side) -> str:
    mode = ("atomically " if side.atomic else "") + ("writes" if side.writes else "reads")
    return f"    {side.handler} (invocation {side.invocation}, session {side.session:#x}) {mode}: {side.site}"


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole}" + (f" ({100 * part / whole:.0f} %)" if whole else "")


def _predictions(constraints: Constraints, found: Predictions, all_of_it: bool) -> list[str]:
    lines = [
        "Predicted conflicts that this run witnessed:",
        f"  pairs of handlers   {_share(found.pairs_witnessed, found.pairs)},"
        f" {found.pairs_at_once} of them without one having made the other due;",
        f"                      both handlers were called in {plural(found.pairs_run, 'pair')}",
        f"  pairs and objects   {_share(found.conflicts_witnessed, len(found.conflicts))}",
    ]
    witnessed = sorted(
        (f"    {_pair(constraints, one)}: {one.object}" for one in found.conflicts if one.witnessed), key=str.lower
    )
    shown = witnessed if all_of_it else witnessed[:_SHOWN]
    lines += shown
    if len(shown) < len(witnessed):
        lines.append(f"    and {len(witnessed) - len(shown)} more: --all")
    return lines


def _pair(constraints: Constraints, one: Predicted) -> str:
    return f"{constraints.label(one.pair.a)} {constraints.label(one.pair.b)} ({one.pair.verdict})"


def document(constraints: Constraints, outcome: Outcome, found: Predictions) -> dict[str, Any]:
    return {
        "invocations": outcome.invocations,
        "accesses": outcome.accesses,
        "failures": [_overlap(one) for one in outcome.failures],
        "not_listed": [site.function for site in outcome.not_listed],
        "predicted": {
            "pairs": found.pairs,
            "pairs_witnessed": found.pairs_witnessed,
            "pairs_at_once": found.pairs_at_once,
            "pairs_called": found.pairs_run,
            "conflicts": [
                {
                    "a": constraints.label(one.pair.a),
                    "b": constraints.label(one.pair.b),
                    "verdict": one.pair.verdict,
                    "object": one.object,
                    "witnessed": one.witnessed,
                }
                for one in found.conflicts
            ],
            "conflicts_witnessed": found.conflicts_witnessed,
        },
    }


def _overlap(one: Overlap) -> dict[str, Any]:
    return {
        "verdict": one.verdict,
        "same_session": one.same_session,
        "object": one.object,
        "made": one.where,
        "first": _side_document(one.first),
        "second": _side_document(one.second),
    }


def _side_document(side: Side) -> dict[str, Any]:
    return {
        "handler": side.handler,
        "invocation": side.invocation,
        "session": side.session,
        "writes": side.writes,
        "atomic": side.atomic,
        "function": side.site.function,
        "file": side.site.file,
        "line": side.site.line,
    }
