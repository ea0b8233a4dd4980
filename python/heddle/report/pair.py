"""Everything about one pair of handlers: `heddle analyze --why A B`."""

import difflib

from heddle.constraints import Conflict, Constraints, Handler
from heddle.errors import BadInputError
from heddle.report.layout import path, plural, wrapped
from heddle.report.text import meeting
from heddle.terminal import PLAIN, Palette

_MEANING = {
    "never": "they run at the same time, whatever their sessions",
    "session": "they run at the same time when their sessions differ, one after the other within a session",
    "always": "they run one after the other, whatever their sessions",
}


def find(constraints: Constraints, name: str) -> Handler:
    found = constraints.named(name)
    if len(found) == 1:
        return found[0]
    if found:
        choices = ", ".join(f"{handler.file}:{handler.name}" for handler in found)
        raise BadInputError(f"several handlers are called {name}", f"use one of {choices}")
    names = [handler.name for handler in constraints.handlers]
    near = difflib.get_close_matches(name, names, 3) or names[:8]
    advice = f"use one of {', '.join(near)}" if names else "the program registers none"
    raise BadInputError(f"there is no handler {name} in {constraints.program}", advice)


def why(constraints: Constraints, first: str, second: str, width: int = 100, colour: Palette = PLAIN) -> list[str]:
    low, high = sorted((find(constraints, first), find(constraints, second)), key=lambda handler: handler.id)
    pair = constraints.pair(low.id, high.id)
    lines = [
        colour("bold", f"{constraints.label(low.id)} x {constraints.label(high.id)}: {pair.verdict}"),
        *wrapped(_MEANING[pair.verdict], "  ", width),
        "",
    ]
    for handler in (low, high) if low.id != high.id else (low,):
        lines.append(f"  {handler.name} {handler.file}:{handler.line}, {handler.kind}, session: {handler.session}")
        if handler.registered:
            lines += path(handler.registered, "    registered by ", width)
    conflicts = sorted(pair.conflicts, key=lambda c: (c.verdict != "always", constraints.objects[c.object].name))
    if conflicts:
        lines += ["", f"  They meet on {plural(len(conflicts), 'object')}:"]
    for number, conflict in enumerate(conflicts, 1):
        lines += ["", *_conflict(constraints, conflict, number, width, colour)]
    reached = [a for a in constraints.assumptions if {low.id, high.id} & set(a.handlers)]
    if reached and pair.verdict == "always":
        lines += ["", "  Not known, and therefore assumed to conflict:"]
        for item in reached:
            effect = f": {item.effect}" if item.effect else ""
            lines += wrapped(f"{item.kind.replace('_', ' ')} {item.name}{effect}", "    ", width, "      ")
    elif pair.verdict == "always" and not conflicts:
        lines += ["", "  Nothing is said about this pair, and what is not said is treated as a conflict."]
    return lines


def _conflict(constraints: Constraints, conflict: Conflict, number: int, width: int, colour: Palette) -> list[str]:
    item = constraints.objects[conflict.object]
    place = f", {item.place}" if item.place else ""
    lines = [f"  {number}. {colour('bold', item.name)} ({item.kind}{place}): {conflict.verdict}"]
    first, second = constraints.accesses[conflict.a_access], constraints.accesses[conflict.b_access]
    return lines + meeting(first, second, "     ", width, with_alias=True)
