"""The same reports for programs: what `--json` prints beside `--why`, `--object`, `--handler`, `--unknown`, `diff`."""

from collections.abc import Iterable
from typing import Any

from heddle.documents.constraints import Access, Conflict, Constraints, Frame, Handler, Pair, SharedObject
from heddle.explain import causes, prose, remedies
from heddle.explain.causes import Cause
from heddle.explain.difference import Changed, Difference
from heddle.explain.identity import Known
from heddle.explain.review import EVERYTHING, Review
from heddle.explain.sources import Sources
from heddle.report.unknown import Cost

Data = dict[str, Any]


def why(constraints: Constraints, first: Handler, second: Handler, sources: Sources) -> Data:
    pair = constraints.pair(min(first.id, second.id), max(first.id, second.id))
    return {
        "handlers": [handler(constraints, constraints.handlers[item]) for item in sorted({pair.a, pair.b})],
        "verdict": pair.verdict,
        "conflicts": [conflict(constraints, item, sources) for item in pair.conflicts],
        "not_known": [a.name for a in constraints.assumptions if {pair.a, pair.b} & set(a.handlers)],
    }


def handler(constraints: Constraints, item: Handler) -> Data:
    display = constraints.called(item.name)
    return {
        "name": constraints.label(item.id),
        **({"display": display} if display != item.name else {}),
        "file": item.file,
        "line": item.line,
        "kind": item.kind,
        "session": item.session,
        "reaches": [{"field": link.field, "type": link.type} for link in item.links],
        "pinned": [{"by": pin.by, "state": pin.state, "path": [str(step) for step in pin.path]} for pin in item.pinned],
    }


def conflict(constraints: Constraints, item: Conflict, sources: Sources) -> Data:
    shared = constraints.objects[item.object]
    return {
        "object": shared.name,
        "kind": shared.kind,
        "verdict": item.verdict,
        "accesses": [access(constraints, side, sources) for side in constraints.sides(item)],
    }


def access(constraints: Constraints, item: Access, sources: Sources) -> Data:
    return {
        "handler": constraints.label(item.handler),
        "mode": item.mode,
        "by": item.by,
        "how": prose.how(constraints, item),
        "alias": list(item.alias),
        "path": [frame(constraints, step, sources) for step in item.path],
    }


def frame(constraints: Constraints, item: Frame, sources: Sources) -> Data:
    display = constraints.called(item.function)
    return {
        "function": item.function,
        **({"display": display} if display != item.function else {}),
        "file": item.file,
        "line": item.line,
        "source": sources.line(item.file, item.line),
    }


def objects(constraints: Constraints, items: Iterable[SharedObject], sources: Sources) -> list[Data]:
    return [
        {
            "object": item.name,
            "kind": item.kind,
            "type": item.value.type if item.value else "",
            "file": item.file,
            "line": item.line,
            "pairs": [
                {"handlers": _names(constraints, pair), "verdict": found.verdict}
                for pair in constraints.pairs
                for found in pair.conflicts
                if found.object == item.id
            ],
            "accesses": [access(constraints, one, sources) for one in constraints.accesses if one.object == item.id],
        }
        for item in items
    ]


def about_handler(constraints: Constraints, item: Handler) -> Data:
    met = [constraints.pair(item.id, other.id) for other in constraints.handlers]
    return handler(constraints, item) | {
        "dispatch": [{"function": one.function, "argument": one.argument} for one in item.dispatch],
        "pairs": [
            {
                "with": constraints.label(pair.b if pair.a == item.id else pair.a),
                "verdict": pair.verdict,
                "objects": [constraints.objects[found.object].name for found in pair.conflicts],
            }
            for pair in met
        ],
    }


def all_causes(constraints: Constraints, review: Review = EVERYTHING) -> list[Data]:
    return [cause(constraints, item) for item in causes.causes(constraints) if review.shows(item)]


def cause(constraints: Constraints, item: Cause) -> Data:
    found = remedies.remedy(constraints, item)
    return {
        "kind": item.key.kind,
        "name": item.name,
        "title": prose.title(constraints, item),
        "place": item.place,
        "objects": [shared.name for shared in item.objects],
        "pairs": [_names(constraints, pair) for pair in item.pairs],
        "only": item.only,
        "free_so_far": item.so_far,
        "remedy": {"code": found.code, "text": found.text},
    }


def unknown(constraints: Constraints, found: Iterable[Cost]) -> list[Data]:
    return [
        {
            "kind": cost.assumption.kind,
            "name": cost.assumption.name,
            "place": cost.assumption.place,
            "places": cost.assumption.count,
            "effect": cost.assumption.effect,
            "handlers": [constraints.label(item) for item in cost.assumption.handlers],
            "conflicts": cost.conflicts,
            "pairs": cost.pairs,
            "only": cost.only,
        }
        for cost in found
    ]


def difference(found: Difference) -> Data:
    return {
        "changes": [_changed(change) for change in found.changes],
        "pairs": [{"handlers": [p.first, p.second], "old": p.old, "new": p.new} for p in found.pairs],
        "starts": [{"handler": s.handler, "beside": s.beside, "old": s.old, "new": s.new} for s in found.starts],
        "handlers": {"added": found.handlers_added, "removed": found.handlers_removed},
    }


def _changed(change: Changed) -> Data:
    return {
        "change": change.change,
        "fingerprint": change.known.identity.fingerprint,
        "old": _known(change.old),
        "new": _known(change.new),
    }


def _known(item: Known | None) -> Data | None:
    if item is None:
        return None
    names = [item.identity.first, item.identity.second]
    return {"handlers": names, "object": item.identity.object, "verdict": item.verdict}


def _names(constraints: Constraints, pair: Pair) -> list[str]:
    return [constraints.label(pair.a), constraints.label(pair.b)]
