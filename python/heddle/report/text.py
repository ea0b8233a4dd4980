"""The report of `heddle analyze`: handlers, the matrix, what keeps handlers apart and where, what is not known."""

from collections.abc import Sequence

from heddle.constraints import Access, Cause, Constraints, Pair
from heddle.report.layout import columns, path, plural, some, wrapped
from heddle.report.matrix import matrix
from heddle.terminal import PLAIN, Palette

_CAUSES_SHOWN = 12
_ASSUMPTIONS_SHOWN = 12
_GROUPS_SHOWN = 5


def report(constraints: Constraints, width: int = 100, colour: Palette = PLAIN, all_of_it: bool = False) -> list[str]:
    size = len(constraints.handlers)
    if not size:
        return [
            f"{constraints.program}: no event handlers were found.",
            "  Nothing in the bitcode registers a callback with an event library that heddle knows.",
            *_assumptions(constraints, width, colour, all_of_it),
        ]
    pairs = size * (size + 1) // 2
    lines = [
        colour("bold", f"{constraints.program}: {plural(size, 'handler')}, {plural(pairs, 'pair')} of handlers"),
        f"  {constraints.count('never')} never conflict, {constraints.count('session')} only within one session, "
        f"{constraints.count('always')} always",
        "",
        colour("bold", "Handlers"),
        *_handlers(constraints),
        "",
        colour("bold", "Which handlers conflict") + "  (- never, s in the same session, A always)",
        *matrix(constraints, width, colour),
        "",
        *_causes(constraints, width, colour, all_of_it),
        *_session_objects(constraints, width, colour),
        *_assumptions(constraints, width, colour, all_of_it),
    ]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _handlers(constraints: Constraints) -> list[str]:
    rows = [("", "", "where", "kind", "session")]
    for handler in constraints.handlers:
        where = f"{handler.file}:{handler.line}"
        rows.append((str(handler.id + 1), handler.name, where, handler.kind, handler.session))
    return columns(rows, "  ")


def _causes(constraints: Constraints, width: int, colour: Palette, all_of_it: bool) -> list[str]:
    causes = constraints.causes()
    unexplained = constraints.unexplained()
    lines: list[str] = []
    if causes:
        lines += [colour("bold", "What keeps handlers apart whatever their session (A)"), ""]
        shown = causes if all_of_it else causes[:_CAUSES_SHOWN]
        for number, cause in enumerate(shown, 1):
            lines += [*cause_lines(constraints, cause, number, width, colour), ""]
        if len(shown) < len(causes):
            others = some([cause.object.name for cause in causes[len(shown) :]], 8)
            text = f"and {plural(len(causes) - len(shown), 'more object')} (--all shows them): {others}"
            lines += [*wrapped(text, "  ", width), ""]
    if unexplained:
        names = _pairs(constraints, unexplained)
        text = f"{plural(len(unexplained), 'pair')} kept apart by what is not known, see the assumptions: {names}"
        lines += [*wrapped(text, "  ", width, "    "), ""]
    return lines


def cause_lines(constraints: Constraints, cause: Cause, number: int, width: int, colour: Palette) -> list[str]:
    item = cause.object
    place = f", {item.place}" if item.place else ""
    alone = f", {cause.only} of them alone" if cause.only else ""
    lines = wrapped(
        f"{number}. {item.name} ({item.kind}{place}) keeps {plural(len(cause.pairs), 'pair')} apart{alone}",
        " " if number > 9 else "  ",
        width,
        "     ",
    )
    lines[0] = lines[0].replace(item.name, colour("bold", item.name), 1)
    lines += meeting(*constraints.witnesses(cause), "     ", width)
    return lines + wrapped(f"pairs: {_pairs(constraints, cause.pairs)}", "     ", width, "            ")


def _pairs(constraints: Constraints, pairs: Sequence[Pair]) -> str:
    """`a x a, b, c; b x c`: pairs that share a handler stand together."""
    partners: dict[int, list[str]] = {}
    for pair in pairs:
        partners.setdefault(pair.a, []).append(constraints.label(pair.b))
    groups = [f"{constraints.label(a)} x {', '.join(names)}" for a, names in list(partners.items())[:_GROUPS_SHOWN]]
    left = sum(len(names) for names in list(partners.values())[_GROUPS_SHOWN:])
    return "; ".join(groups) + (f" and {plural(left, 'more pair')}" if left else "")


def meeting(first: Access, second: Access, indent: str, width: int, with_alias: bool = False) -> list[str]:
    """Two accesses that conflict; one that conflicts with itself is shown once."""
    if first == second:
        return [*access_lines(first, indent, width, with_alias), f"{indent}       (in two invocations at once)"]
    return [*access_lines(first, indent, width, with_alias), *access_lines(second, indent, width, with_alias)]


def access_lines(access: Access, indent: str, width: int, with_alias: bool = False) -> list[str]:
    """`write` or `read`, then the call path from the handler to the access."""
    lines = path(access.path, f"{indent}       ", width)
    lines[0] = f"{indent}{access.mode:6} {lines[0].lstrip()}"
    if with_alias and access.alias:
        lines += wrapped(f"reached as {' -> '.join(access.alias)}", f"{indent}       ", width)
    return lines


def _session_objects(constraints: Constraints, width: int, colour: Palette) -> list[str]:
    objects = constraints.session_objects()
    if not objects:
        return []
    return [
        colour("bold", "What orders the invocations of one session (s); others run beside them"),
        *wrapped(some([item.name for item in objects], 16), "  ", width),
        "",
    ]


def _assumptions(constraints: Constraints, width: int, colour: Palette, all_of_it: bool) -> list[str]:
    found = sorted(constraints.assumptions, key=lambda a: (-len(a.handlers), -a.count, a.name))
    if not found:
        return []
    shown = found if all_of_it else found[:_ASSUMPTIONS_SHOWN]
    lines = [colour("bold", "What is not known, and therefore assumed to conflict")]
    for item in shown:
        where = f" ({item.place})" if item.place else ""
        effect = f": {item.effect}" if item.effect else ""
        reach = f"; reached by {some([constraints.label(h) for h in item.handlers], 5)}" if item.handlers else ""
        places = f", {plural(item.count, 'place')}" if item.count else ""
        text = f"{item.kind.replace('_', ' ')} {item.name}{where}{places}{effect}{reach}"
        lines += wrapped(text, "  ", width, "    ")
    if len(shown) < len(found):
        lines.append(f"  and {len(found) - len(shown)} more (--all shows them)")
    return [*lines, ""]
