"""The report of `heddle analyze`: handlers, the matrix, what keeps handlers apart and where, what is not known."""

from collections import Counter
from collections.abc import Sequence

from heddle.documents.constraints import Access, Assumption, Constraints, Pair
from heddle.explain import causes, prose, remedies
from heddle.explain.causes import GIVEN_FUNCTION, Cause
from heddle.explain.review import EVERYTHING, Review
from heddle.output.layout import clipped, columns, path, plural, some, wrapped
from heddle.output.terminal import PLAIN, Palette
from heddle.report.locks import locks
from heddle.report.matrix import matrix
from heddle.report.threads import pinned_line, threads

_CAUSES_SHOWN = 12
_ASSUMPTIONS_SHOWN = 12
_GROUPS_SHOWN = 5
_PARTNERS_SHOWN = 9
_PAIRS_LISTED = 20
_SMALL = 3  # handlers whose pairs are listed even where all are meant
_OBJECTS_SHOWN = 6
_ALIKE_SHOWN = 6


def report(
    constraints: Constraints,
    width: int = 100,
    colour: Palette = PLAIN,
    all_of_it: bool = False,
    review: Review = EVERYTHING,
) -> list[str]:
    size = len(constraints.handlers)
    if not size:
        said = (
            "Nothing in the bitcode registers a callback with an event library that heddle knows, so there is nothing "
            "that could run in parallel."
        )
        unknown = _assumptions(constraints, width, colour, all_of_it)
        more = "" if all_of_it or not unknown else " (--all shows what is not known of the program)"
        return [
            f"{constraints.program}: no event handlers were found.",
            *wrapped(f"{said}{more}", "  ", width),
            *(unknown[:-1] if all_of_it else []),
        ]
    pairs = size * (size + 1) // 2
    title = f"{constraints.program}: {plural(size, 'handler')}, {plural(pairs, 'pair')} of handlers"
    lines = [
        *(colour("bold", line) for line in wrapped(title, "", width, "  ")),
        f"  {constraints.count('never')} never conflict, {constraints.count('session')} only within one session, "
        f"{constraints.count('always')} always",
        *wrapped(pinned_line(constraints), "  ", width, "    "),
        "",
        *threads(constraints, width, colour, all_of_it),
        colour("bold", "Handlers"),
        *_handlers(constraints, width),
        *_links(constraints, width),
        "",
        colour("bold", "Which handlers conflict") + "  (- never, s in the same session, A always)",
        *matrix(constraints, width, colour),
        "",
        *_causes(constraints, width, colour, all_of_it, review),
        *review.remarks(width),
        *locks(constraints, width, colour, all_of_it),
        *_session_objects(constraints, width, colour),
        *_late(constraints, width, colour),
        *_assumptions(constraints, width, colour, all_of_it),
    ]
    while lines and not lines[-1]:
        lines.pop()
    return lines


def _handlers(constraints: Constraints, width: int) -> list[str]:
    rows = [("", "", "where", "kind", "session")]
    for handler in constraints.handlers:
        rows.append((str(handler.id + 1), handler.name, handler.place, handler.kind, handler.session))
    lines = columns(rows, "  ")
    too_wide = max(map(len, lines)) - width
    if too_wide > 0:
        # The end of a path tells files apart; --handler shows the whole path.
        room = max(16, max(len(row[2]) for row in rows) - too_wide)
        rows = [(*row[:2], row[2] if len(row[2]) <= room else f"...{row[2][3 - room :]}", *row[3:]) for row in rows]
        lines = [clipped(line, width) for line in columns(rows, "  ")]
    return lines


def _links(constraints: Constraints, width: int) -> list[str]:
    """Each kind of session once, however many handlers have it; then what handlers go on to."""
    said = list(dict.fromkeys(line for handler in constraints.handlers for line in prose.links(handler)))
    said += [line for line in map(prose.dispatch, constraints.handlers) if line]
    return [line for text in said for line in wrapped(text, "  ", width, "    ")]


def _causes(constraints: Constraints, width: int, colour: Palette, all_of_it: bool, review: Review) -> list[str]:
    found = [cause for cause in causes.causes(constraints) if review.shows(cause)]
    unexplained = constraints.unexplained()
    lines: list[str] = []
    if found:
        lines += [colour("bold", "What keeps handlers apart whatever their session (A), and what to do about it"), ""]
        shown = found if all_of_it else found[:_CAUSES_SHOWN]
        for number, cause in enumerate(shown, 1):
            lines += [*cause_lines(constraints, cause, number, width, colour), ""]
        if len(shown) < len(found):
            others = some([cause.name for cause in found[len(shown) :]], 8)
            text = f"and {plural(len(found) - len(shown), 'more cause')} (--all shows them): {others}"
            lines += [*wrapped(text, "  ", width), ""]
    if unexplained:
        names = _pairs(constraints, unexplained)
        text = f"{plural(len(unexplained), 'pair')} kept apart by what is not known, see the assumptions: {names}"
        lines += [*wrapped(text, "  ", width, "    "), ""]
    return lines


def all_causes(
    constraints: Constraints, width: int = 100, colour: Palette = PLAIN, review: Review = EVERYTHING
) -> list[str]:
    lines = _causes(constraints, width, colour, all_of_it=True, review=review) + review.remarks(width)
    return lines[:-1] or [f"{constraints.program}: nothing keeps handlers apart whatever their session."]


def cause_lines(constraints: Constraints, cause: Cause, number: int, width: int, colour: Palette) -> list[str]:
    title = prose.title(constraints, cause)
    place = f" ({cause.place})" if cause.place else ""
    lines = wrapped(f"{number}. {title}{place}", " " if number > 9 else "  ", width, "     ")
    lines[0] = lines[0].replace(cause.name, colour("bold", cause.name), 1)
    lines += wrapped(_weight(constraints, cause), "     ", width)
    names = [item.name for item in cause.objects]
    if names not in ([cause.name], [title]):
        lines += wrapped(f"on {some(names, _OBJECTS_SHOWN)}", "     ", width, "        ")
    _, conflict = causes.witness(constraints, cause)
    lines += meeting(*constraints.sides(conflict), "     ", width)
    lines += wrapped(f"pairs: {_pairs(constraints, cause.pairs)}", "     ", width, "            ")
    return lines + wrapped(f"remedy: {remedies.remedy(constraints, cause).text}", "     ", width, "            ")


def _weight(constraints: Constraints, cause: Cause) -> str:
    alone = f", {cause.only} of them alone" if cause.only else ""
    free = f"without it and those above {cause.so_far} of {constraints.count('always')} are free"
    return f"keeps {plural(len(cause.pairs), 'pair')} apart{alone}; {free}"


def _pairs(constraints: Constraints, pairs: Sequence[Pair]) -> str:
    """`a x a, b, c; b x c`: pairs that share a handler stand together. Where they are many, who is in them."""
    count = Counter(handler for pair in pairs for handler in {pair.a, pair.b})
    whole = len(pairs) == len(count) * (len(count) + 1) // 2
    if len(pairs) > _PAIRS_LISTED or (whole and len(count) > _SMALL):
        names = [constraints.label(handler) for handler, _ in count.most_common()]
        return f"{len(pairs)} among {len(count)} handlers{', each with each' if whole else ''}: {some(names, 8)}"
    partners: dict[int, list[str]] = {}
    for pair in pairs:
        partners.setdefault(pair.a, []).append(constraints.label(pair.b))
    shown = list(partners.items())[:_GROUPS_SHOWN]
    groups = [f"{constraints.label(a)} x {some(names, _PARTNERS_SHOWN)}" for a, names in shown]
    left = sum(len(names) for names in list(partners.values())[_GROUPS_SHOWN:])
    return "; ".join(groups) + (f" and {plural(left, 'more pair')}" if left else "")


def meeting(first: Access, second: Access, indent: str, width: int) -> list[str]:
    """Two accesses that conflict, the writing one first; one that conflicts with itself is shown once."""
    if first == second:
        return [*access_lines(first, indent, width), f"{indent}       (in two invocations at once)"]
    if first.mode == "read":
        first, second = second, first
    return [*access_lines(first, indent, width), *access_lines(second, indent, width)]


def access_lines(access: Access, indent: str, width: int) -> list[str]:
    """`write` or `read`, then the call path from the handler to the access."""
    lines = path(access.path, f"{indent}       ", width)
    lines[0] = f"{indent}{access.mode:6} {lines[0].lstrip()}"
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


def _late(constraints: Constraints, width: int, colour: Palette) -> list[str]:
    """The late points: where they are, which objects lie behind them, and which handlers run together before them."""
    if not constraints.late_points:
        return []
    lines = [colour("bold", "What handlers wait for only when they get to it (built with --late)")]
    for number in sorted({number for point in constraints.late_points for number in point.objects}):
        points = [point for point in constraints.late_points if number in point.objects]
        places = some([f"{point.function} {point.place}" for point in points], _OBJECTS_SHOWN)
        lines += wrapped(f"{constraints.objects[number].name}, behind {places}", "  ", width, "    ")
    weaker = [pair for pair in constraints.pairs if pair.together != pair.verdict]
    for verdict, until in (("never", "run together"), ("session", "run together in different sessions")):
        pairs = [pair for pair in weaker if pair.together == verdict]
        if pairs:
            lines += wrapped(f"{until} until then: {_pairs(constraints, pairs)}", "  ", width, "    ")
    one_way = [
        f"{constraints.label(late)} beside {constraints.label(other)}"
        for pair in constraints.pairs
        for late, other in ((pair.a, pair.b), (pair.b, pair.a))
        if pair.starts(late) != pair.verdict == pair.starts(other)
    ]
    if one_way:
        text = f"start while the other one runs, and not the other way round: {some(one_way, _GROUPS_SHOWN)}"
        lines += wrapped(text, "  ", width, "    ")
    return [*lines, ""]


def _count(assumption: Assumption) -> int:
    return assumption.count


def _assumptions(constraints: Constraints, width: int, colour: Palette, all_of_it: bool) -> list[str]:
    # One line of the source may hold several such calls.
    most = {(a.kind, a.name, a.place, a.effect, a.handlers): a for a in sorted(constraints.assumptions, key=_count)}
    found = sorted(most.values(), key=lambda a: (-len(a.handlers), -a.count, a.name))
    if not found:
        return []
    groups: dict[object, list[Assumption]] = {}
    for item in found:
        alike = item.kind in ("indirect_call", "unknown_external") and item.name != GIVEN_FUNCTION and not all_of_it
        groups.setdefault((item.kind, item.effect, item.handlers) if alike else item, []).append(item)
    told = list(groups.values())
    shown = told if all_of_it else told[:_ASSUMPTIONS_SHOWN]
    lines = [colour("bold", "What is not known, and therefore assumed to conflict (--unknown: what it costs)")]
    for items in shown:
        first = items[0]
        effect = f": {first.effect}" if first.effect else ""
        reach = f"; reached by {some([constraints.label(h) for h in first.handlers], 5)}" if first.handlers else ""
        lines += wrapped(f"{_not_known(items)}{effect}{reach}", "  ", width, "    ")
    if len(shown) < len(told):
        lines.append(f"  and {sum(map(len, told[len(shown) :]))} more (--all shows them)")
    return [*lines, ""]


def _not_known(items: Sequence[Assumption]) -> str:
    """One thing with its place, or several of one kind that the same handlers reach."""
    first = items[0]
    total = sum(item.count for item in items)
    if len(items) == 1:
        where = f" ({first.place})" if first.place else ""
        if first.kind == "limit":
            return f"{total} {prose.assumption(first)}{where}"
        if first.kind == "at_any_time":
            return f"{prose.assumption(first)}{where}"
        noun = "possible target" if first.kind == "indirect_call" else "place"
        return f"{prose.assumption(first)}{where}{f', {plural(total, noun)}' if total else ''}"
    names = some([f"{item.name} ({item.place})" if item.place else item.name for item in items], _ALIKE_SHOWN)
    if first.kind == "indirect_call":
        return f"{len(items)} indirect calls with up to {plural(first.count, 'possible target')} each, in {names}"
    return f"{len(items)} unknown externals, called in {plural(total, 'place')}: {names}"
