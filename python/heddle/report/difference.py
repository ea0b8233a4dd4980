"""The differences between two analyses, as a person reads them."""

import re

from heddle.documents.constraints import Constraints
from heddle.explain.difference import Change, Changed, Difference
from heddle.explain.identity import Known
from heddle.output.layout import columns, plural, some, wrapped
from heddle.output.terminal import PLAIN, Palette
from heddle.report.text import meeting

_SHOWN = 10
_PAIRS_SHOWN = 6
_TITLES: dict[Change, tuple[str, str]] = {
    "added": ("red", "New"),
    "stronger": ("red", "Now whatever the session, before within one session"),
    "moved": ("yellow", "Moved: the same conflict by another path or in another handler"),
    "weaker": ("green", "Now within one session, before whatever the session"),
    "removed": ("green", "Gone"),
}


def report(
    found: Difference,
    old: Constraints,
    new: Constraints,
    width: int = 100,
    colour: Palette = PLAIN,
    all_of_it: bool = False,
) -> list[str]:
    lines = [colour("bold", f"{old.program} -> {new.program}: {_summary(found)}")]
    for names, what in ((found.handlers_added, "new"), (found.handlers_removed, "gone")):
        if names:
            lines += wrapped(f"{plural(len(names), 'handler')} {what}: {some(names, 8)}", "  ", width, "    ")
    for change, (style, title) in _TITLES.items():
        changes = found.of(change)
        if not changes:
            continue
        lines += ["", colour(style, f"{title} ({len(changes)})")]
        by_object: dict[str, list[Changed]] = {}
        for item in changes:
            by_object.setdefault(item.known.identity.object, []).append(item)
        groups = list(by_object.items())
        for name, group in groups if all_of_it else groups[:_SHOWN]:
            lines += _changed(name, group, old, new, width, all_of_it)
        if len(groups) > _SHOWN and not all_of_it:
            lines.append(f"  and on {plural(len(groups) - _SHOWN, 'more object')} (--all shows them)")
    pairs = [(f"{pair.first} x {pair.second}", f"{pair.old} -> {pair.new}") for pair in found.pairs]
    starts = [(f"{start.handler} beside {start.beside}", f"{start.old} -> {start.new}") for start in found.starts]
    for title, rows in (
        ("Verdicts that changed", pairs),
        ("What keeps a handler from starting while another one runs, where that changed", starts),
    ):
        if not rows:
            continue
        lines += ["", colour("bold", title), *columns(rows if all_of_it else rows[:_SHOWN], "  ")]
        if len(rows) > _SHOWN and not all_of_it:
            lines.append(f"  and {len(rows) - _SHOWN} more (--all shows them)")
    called = old.names | new.names
    return [re.sub(r"\b_Z\w+", lambda found: called.get(found[0], found[0]), line) for line in lines]


def _summary(found: Difference) -> str:
    count = {change: len(found.of(change)) for change in _TITLES}
    worse, better = count["added"] + count["stronger"], count["removed"] + count["weaker"]
    if not (worse or better or count["moved"]):
        return "no conflict came, went or moved"
    return f"{plural(worse, 'new conflict')}, {better} gone, {count['moved']} moved"


def _changed(
    name: str, group: list[Changed], old: Constraints, new: Constraints, width: int, all_of_it: bool
) -> list[str]:
    """All changes of one kind on one object. The first of an added or stronger conflict is shown with its paths."""
    pairs = [_pair(change) for change in group]
    lines = wrapped(f"{name}: {some(pairs, len(pairs) if all_of_it else _PAIRS_SHOWN)}", "  ", width, "    ")
    first = group[0]
    if first.change == "moved" and first.old is not None and first.new is not None:
        lines += ["    before:", *_where(first.old, old, "      ", width)]
        return [*lines, "    now:", *_where(first.new, new, "      ", width)]
    if first.change in ("added", "stronger") and first.new is not None:
        lines += _where(first.new, new, "    ", width)
    return lines


def _pair(change: Changed) -> str:
    name = change.known.identity
    text = f"{name.first} x {name.second}"
    if change.old is None or change.old.identity == name:
        return text
    return f"{text} (before {change.old.identity.first} x {change.old.identity.second})"


def _where(known: Known, constraints: Constraints, indent: str, width: int) -> list[str]:
    if known.conflict is None:
        return [f"{indent}nothing is said about this pair"]
    return meeting(*constraints.sides(known.conflict), indent, width)
