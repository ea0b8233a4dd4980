"""`heddle analyze --html`: the whole analysis as one page that needs nothing but itself.

The matrix, the handlers and the causes are plain HTML, so that they can be read without scripts; the script adds the
filters and the paths of a pair. It takes what it shows from one JSON block in the page.
"""

import json
from importlib import resources
from typing import Any

from heddle import __version__
from heddle.documents.constraints import Access, Constraints, Verdict
from heddle.explain import causes, prose, remedies
from heddle.explain.causes import Cause
from heddle.explain.review import Review
from heddle.explain.sources import Sources
from heddle.report.pair import described

Data = dict[str, Any]

_MARGIN = 2  # lines of source shown before and after the one that matters
_MARKS: dict[Verdict, str] = {"never": "-", "session": "s", "always": "A"}


def page(constraints: Constraints, sources: Sources, review: Review) -> str:
    import jinja2

    folder = resources.files(__package__)
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    size = len(constraints.handlers)
    verdicts = [[constraints.pair(a, b).verdict for b in range(size)] for a in range(size)]
    shown = [cause for cause in causes.causes(constraints) if review.shows(cause)]
    return environment.from_string(folder.joinpath("page.html").read_text()).render(
        program=constraints.program,
        version=__version__,
        handlers=[
            {
                "label": constraints.label(h.id),
                "handler": h,
                "links": prose.links(h),
                "dispatch": [str(one) for one in h.dispatch],
            }
            for h in constraints.handlers
        ],
        rows=[[{"verdict": verdict, "mark": _MARKS[verdict]} for verdict in row] for row in verdicts],
        counts={verdict: constraints.count(verdict) for verdict in _MARKS},
        causes=[_cause(constraints, cause, number) for number, cause in enumerate(shown)],
        assumptions=constraints.assumptions,
        remarks=" ".join(line.strip() for line in review.remarks(10_000) if line),
        style=folder.joinpath("page.css").read_text(),
        script=folder.joinpath("page.js").read_text(),
        data=_embedded(_data(constraints, sources, review, shown)),
    )


def _cause(constraints: Constraints, cause: Cause, number: int) -> Data:
    return {
        "number": number,
        "title": prose.title(constraints, cause),
        "place": cause.place,
        "pairs": len(cause.pairs),
        "only": cause.only,
        "so_far": cause.so_far,
        "objects": [item.name for item in cause.objects],
        "remedy": remedies.remedy(constraints, cause).text,
    }


def _data(constraints: Constraints, sources: Sources, review: Review, shown: list[Cause]) -> Data:
    used = sorted({n for pair in constraints.pairs for c in pair.conflicts for n in (c.a_access, c.b_access)})
    number = {access: index for index, access in enumerate(used)}
    accesses = [constraints.accesses[access] for access in used]
    return {
        "handlers": [constraints.label(handler.id) for handler in constraints.handlers],
        "objects": [{"name": item.name, "is": described(item)} for item in constraints.objects],
        "accesses": [_access(constraints, access) for access in accesses],
        "pairs": {
            f"{pair.a},{pair.b}": [
                [
                    conflict.object,
                    conflict.verdict,
                    number[conflict.a_access],
                    number[conflict.b_access],
                    review.hides(pair, conflict),
                ]
                for conflict in pair.conflicts
            ]
            for pair in constraints.pairs
            if pair.conflicts
        },
        "causes": [
            sorted({(pair.a, pair.b, conflict.object) for pair, conflict in cause.conflicts}) for cause in shown
        ],
        "lines": _lines(accesses, sources),
    }


def _access(constraints: Constraints, access: Access) -> Data:
    return {
        "handler": access.handler,
        "deed": prose.deed(access),
        "how": prose.how(constraints, access),
        "path": [[frame.function, frame.file, frame.line] for frame in access.path],
    }


def _lines(accesses: list[Access], sources: Sources) -> dict[str, dict[int, str]]:
    """The source around each step of each path, every line once."""
    found: dict[str, dict[int, str]] = {}
    for access in accesses:
        for frame in access.path:
            lines = sources.around(frame.file, frame.line, _MARGIN)
            if lines:
                found.setdefault(frame.file, {}).update(lines)
    return found


def _embedded(data: Data) -> str:
    """JSON that cannot end the script element it stands in, nor start a comment there."""
    return json.dumps(data, separators=(",", ":")).replace("<", "\\u003c").replace("\u2028", "\\u2028")
