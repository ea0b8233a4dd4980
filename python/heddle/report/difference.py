"""The differences between two analyses, as a person reads them."""

from heddle.constraints import Constraints
from heddle.difference import Change, Changed, Difference
from heddle.identity import Known
from heddle.report.layout import columns, plural, some, wrapped
from heddle.report.text import meeting
from heddle.terminal import PLAIN, Palette

_SHOWN = 10
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
        shown = changes if all_of_it else changes[:_SHOWN]
        for item in shown:
            lines += _changed(item, old, new, width)
        if len(shown) < len(changes):
            lines.append(f"  and {len(changes) - len(shown)} more (--all shows them)")
    if found.pairs:
        lines += ["", colour("bold", "Verdicts that changed")]
        rows = [(f"{pair.first} x {pair.second}", f"{pair.old} -> {pair.new}") for pair in found.pairs]
        lines += columns(rows if all_of_it else rows[:_SHOWN], "  ")
        if len(rows) > _SHOWN and not all_of_it:
            lines.append(f"  and {len(rows) - _SHOWN} more (--all shows them)")
    return lines


def _summary(found: Difference) -> str:
    count = {change: len(found.of(change)) for change in _TITLES}
    worse, better = count["added"] + count["stronger"], count["removed"] + count["weaker"]
    if not (worse or better or count["moved"]):
        return "no conflict came, went or moved"
    return f"{plural(worse, 'new conflict')}, {better} gone, {count['moved']} moved"


def _changed(change: Changed, old: Constraints, new: Constraints, width: int) -> list[str]:
    name = change.known.identity
    if change.change == "moved" and change.old is not None and change.old.identity != name:
        lines = wrapped(
            f"{name} (before: {change.old.identity.first} x {change.old.identity.second})", "  ", width, "    "
        )
    else:
        lines = wrapped(str(name), "  ", width, "    ")
    if change.change == "moved" and change.old is not None and change.new is not None:
        lines += ["    before:", *_where(change.old, old, "      ", width)]
        return [*lines, "    now:", *_where(change.new, new, "      ", width)]
    side, constraints = (change.new, new) if change.new is not None else (change.old, old)
    return lines + (_where(side, constraints, "    ", width) if side is not None else [])


def _where(known: Known, constraints: Constraints, indent: str, width: int) -> list[str]:
    if known.conflict is None:
        return [f"{indent}nothing is said about this pair"]
    return meeting(*constraints.sides(known.conflict), indent, width)
