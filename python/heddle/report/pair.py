"""Everything about one pair of handlers, one object or one handler: `--why A B`, `--object X`, `--handler H`."""

import difflib
from collections import Counter

from heddle.documents.constraints import Access, Conflict, Constraints, Handler, Pair, SharedObject
from heddle.errors import BadInputError
from heddle.explain import prose
from heddle.explain.sources import Sources
from heddle.output.layout import clipped, columns, path, plural, some, wrapped
from heddle.output.terminal import PLAIN, Palette

_MEANING = {
    "never": "they run at the same time, whatever their sessions",
    "session": "they run at the same time when their sessions differ, one after the other within a session",
    "always": "they run one after the other, whatever their sessions",
}
_OBJECTS_SHOWN = 8
_ACCESSES_SHOWN = 4
_NO_SOURCES = Sources([])


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


def find_objects(constraints: Constraints, name: str) -> list[SharedObject]:
    """The objects of that name; the parts of a variable or structure where its own name is given."""
    found = [item for item in constraints.objects if item.name == name]
    found = found or [
        item
        for item in constraints.objects
        if item.name.startswith((f"{name}.", f"{name}->", f"{name}["))
        or (item.variable is not None and item.variable.name == name)
    ]
    if found:
        return found
    names = [item.name for item in constraints.objects]
    near = difflib.get_close_matches(name, names, 3, 0.5) or names[:6]
    advice = f"use one of {', '.join(near)}" if names else "no handlers share any"
    raise BadInputError(f"no handlers of {constraints.program} share an object {name}", advice)


def why(
    constraints: Constraints,
    first: str,
    second: str,
    width: int = 100,
    colour: Palette = PLAIN,
    sources: Sources = _NO_SOURCES,
    all_of_it: bool = False,
) -> list[str]:
    low, high = sorted((find(constraints, first), find(constraints, second)), key=lambda handler: handler.id)
    pair = constraints.pair(low.id, high.id)
    lines = [
        colour("bold", f"{constraints.label(low.id)} x {constraints.label(high.id)}: {pair.verdict}"),
        *wrapped(_MEANING[pair.verdict], "  ", width),
        "",
    ]
    for handler in (low, high) if low.id != high.id else (low,):
        lines += _introduced(handler, width)
    conflicts = sorted(pair.conflicts, key=lambda c: (c.verdict != "always", constraints.objects[c.object].name))
    shown = conflicts if all_of_it else conflicts[:_OBJECTS_SHOWN]
    if conflicts:
        lines += ["", f"  They meet on {plural(len(conflicts), 'object')}:"]
    for number, conflict in enumerate(shown, 1):
        lines += ["", *_conflict(constraints, conflict, number, width, colour, sources)]
    if len(shown) < len(conflicts):
        names = some([constraints.objects[c.object].name for c in conflicts[len(shown) :]], 12)
        lines += ["", *wrapped(f"and on {len(conflicts) - len(shown)} more (--all shows them): {names}", "  ", width)]
    return lines + _not_known(constraints, pair, width)


def _not_known(constraints: Constraints, pair: Pair, width: int) -> list[str]:
    if pair.verdict != "always":
        return []
    reached = [a for a in constraints.assumptions if {pair.a, pair.b} & set(a.handlers)]
    lines = ["", "  Not known, and therefore assumed to conflict:"] if reached else []
    for item in reached:
        effect = f": {item.effect}" if item.effect else ""
        lines += wrapped(f"{prose.assumption(item)}{effect}", "    ", width, "      ")
    if not reached and not pair.conflicts:
        lines += ["", "  Nothing is said about this pair, and what is not said is treated as a conflict."]
    return lines


def _introduced(handler: Handler, width: int) -> list[str]:
    lines = wrapped(f"{handler.name} {handler.place}, {handler.kind}, session: {handler.session}", "  ", width, "    ")
    if handler.registered:
        first = "    registered by "
        way = path(handler.registered, " " * len(first), width)
        lines += [first + way[0].lstrip(), *way[1:]]
    for text in prose.links(handler):
        lines += wrapped(text, "    ", width, "      ")
    return lines


def _conflict(
    constraints: Constraints, conflict: Conflict, number: int, width: int, colour: Palette, sources: Sources
) -> list[str]:
    item = constraints.objects[conflict.object]
    lines = wrapped(f"{number}. {item.name} ({described(item)}): {conflict.verdict}", "  ", width, "     ")
    lines[0] = lines[0].replace(item.name, colour("bold", item.name), 1)
    first, second = constraints.sides(conflict)
    lines += steps(constraints, first, "     ", width, sources)
    if first == second:
        return [*lines, "       (in two invocations at once)"]
    return lines + steps(constraints, second, "     ", width, sources)


def described(item: SharedObject) -> str:
    """`global size_t, client.c:13`."""
    kind = f"{item.kind} {item.value.type}" if item.value else item.kind
    return f"{kind}, {item.place}" if item.place else kind


def steps(constraints: Constraints, access: Access, indent: str, width: int, sources: Sources) -> list[str]:
    """One line for each call on the way, with its source; then how the pointer got there."""
    found = [sources.line(frame.file, frame.line) for frame in access.path]
    handler = constraints.handlers[access.handler].name
    lines = wrapped(f"{handler}: {prose.deed(access)}", indent, width, indent + "  ")
    if any(found):
        rows = [
            (f"{'  ' * depth}{frame.function}", frame.place, text)
            for depth, (frame, text) in enumerate(zip(access.path, found, strict=True))
        ]
        lines += [clipped(line, width) for line in columns(rows, indent + "  ")]
    else:
        lines += path(access.path, indent + "  ", width)
    told = prose.how(constraints, access)
    return lines + (wrapped(told, indent + "  ", width, indent + "    ") if told else [])


def about_object(
    constraints: Constraints,
    name: str,
    width: int = 100,
    colour: Palette = PLAIN,
    sources: Sources = _NO_SOURCES,
    all_of_it: bool = False,
) -> list[str]:
    """Which handlers touch it, how, and which pairs it keeps apart."""
    lines: list[str] = []
    for item in find_objects(constraints, name):
        lines += [""] if lines else []
        lines += _object(constraints, item, width, colour, sources, all_of_it)
    return lines


def _object(
    constraints: Constraints, item: SharedObject, width: int, colour: Palette, sources: Sources, all_of_it: bool
) -> list[str]:
    lines = wrapped(f"{item.name} ({described(item)})", "", width, "  ")
    lines[0] = lines[0].replace(item.name, colour("bold", item.name), 1)
    for verdict, where in (("always", "whatever their session"), ("session", "within one session")):
        pairs = [
            f"{constraints.label(pair.a)} x {constraints.label(pair.b)}"
            for pair in constraints.pairs
            if any(c.object == item.id and c.verdict == verdict for c in pair.conflicts)
        ]
        if pairs:
            text = f"keeps {plural(len(pairs), 'pair')} apart {where}: {some(pairs, 12)}"
            lines += wrapped(text, "  ", width, "    ")
    best: dict[tuple[int, str], Access] = {}
    for access in constraints.accesses:
        if access.object == item.id:
            known = best.setdefault((access.handler, access.mode), access)
            if len(access.path) < len(known.path):
                best[access.handler, access.mode] = access
    # Writing accesses first, and of those the shortest way.
    accesses = sorted(best.values(), key=lambda access: (access.mode == "read", len(access.path), access.id))
    shown = accesses if all_of_it else accesses[:_ACCESSES_SHOWN]
    for access in shown:
        lines += steps(constraints, access, "  ", width, sources)
    if len(shown) < len(accesses):
        rest = [f"{constraints.label(a.handler)} ({a.mode})" for a in accesses[len(shown) :]]
        lines += wrapped(f"and {len(rest)} more (--all shows them): {some(rest, 12)}", "  ", width, "    ")
    return lines


def about_handler(constraints: Constraints, name: str, width: int = 100, colour: Palette = PLAIN) -> list[str]:
    """With whom it conflicts and on what, the heaviest object first."""
    handler = find(constraints, name)
    lines = [colour("bold", constraints.label(handler.id)), *_introduced(handler, width)]
    if handler.dispatch:
        lines += wrapped(f"goes on to {', '.join(map(str, handler.dispatch))}", "    ", width, "      ")
    met = [constraints.pair(handler.id, other.id) for other in constraints.handlers]
    weight = Counter(c.object for pair in met for c in pair.conflicts if c.verdict == "always")
    for verdict, words in (("always", "Waits for"), ("session", "Waits within one session for")):
        rows = [
            (constraints.label(pair.b if pair.a == handler.id else pair.a), _shared(constraints, pair, verdict, weight))
            for pair in met
            if pair.verdict == verdict
        ]
        if rows:
            lines += ["", f"  {words}:", *(clipped(line, width) for line in columns(rows, "    "))]
    free = [constraints.label(p.b if p.a == handler.id else p.a) for p in met if p.verdict == "never"]
    if free:
        lines += ["", *wrapped(f"Runs beside: {', '.join(free)}", "  ", width, "    ")]
    return lines


def _shared(constraints: Constraints, pair: Pair, verdict: str, weight: Counter[int]) -> str:
    objects = [conflict.object for conflict in pair.conflicts if conflict.verdict == verdict]
    names = [constraints.objects[item].name for item in sorted(objects, key=lambda item: (-weight[item], item))]
    return f"on {some(names, 3)}" if names else "on what is not known"
