"""What the analysis does not know, and what each such thing costs: `heddle analyze --unknown`."""

from dataclasses import dataclass

from heddle.documents.constraints import Assumption, Constraints
from heddle.explain import prose
from heddle.output.layout import plural, some, wrapped
from heddle.output.terminal import PLAIN, Palette

_NAMES_SHOWN = 12


@dataclass(frozen=True)
class Cost:
    assumption: Assumption
    conflicts: int  # that rest on it
    pairs: int  # that it keeps apart
    only: int  # pairs that nothing else keeps apart


def costs(constraints: Constraints) -> list[Cost]:
    """What each assumption costs; first those that alone keep most pairs apart."""
    by_name: dict[str, list[tuple[int, int]]] = {}
    weight: dict[tuple[int, int], set[str]] = {}
    for pair, conflict in constraints.conflicts("always"):
        name = constraints.objects[conflict.object].name
        by_name.setdefault(name, []).append((pair.a, pair.b))
        # Conflicts that the document leaves out keep a pair apart, too.
        weight.setdefault((pair.a, pair.b), {""} if pair.unlisted else set()).add(name)
    found = []
    for assumption in constraints.assumptions:
        names = [name for name in (f"unknown external {assumption.name}", assumption.name) if name in by_name]
        met = [pair for name in names for pair in by_name[name]]
        if not names and assumption.kind in ("unknown_external", "inline_asm"):
            # An analysis that says nothing about the pairs keeps them apart all the same.
            met = [(p.a, p.b) for p in constraints.unexplained() if {p.a, p.b} & set(assumption.handlers)]
        alone = sum(weight.get(pair, set()) <= set(names) for pair in set(met))
        found.append(Cost(assumption, len(met), len(set(met)), alone))
    return sorted(found, key=lambda c: (-c.only, -c.pairs, -len(c.assumption.handlers), c.assumption.name))


def unknown(constraints: Constraints, width: int = 100, colour: Palette = PLAIN, all_of_it: bool = False) -> list[str]:
    found = costs(constraints)
    if not found:
        return [f"{constraints.program}: everything that its handlers call is known."]
    lines = [colour("bold", f"{constraints.program}: {plural(len(found), 'thing')} not known"), ""]
    groups: dict[tuple[object, ...], list[Cost]] = {}
    for cost in found:
        item = cost.assumption
        alike = (item.kind, item.effect, item.handlers, cost.conflicts, cost.pairs, cost.only)
        groups.setdefault(alike if cost.conflicts else (*alike, item.name, item.place), []).append(cost)
    for group in groups.values():
        lines += _group(constraints, group, width, colour, all_of_it)
    externals = [c.assumption.name for c in found if c.assumption.kind == "unknown_external"]
    if externals:
        text = (
            f"To make {some(externals, 3)} known, say what {'it does' if len(externals) == 1 else 'they do'} in a "
            "specification: elyze/specs/README.md"
        )
        lines += ["", *wrapped(text, "  ", width)]
    return lines


def _group(constraints: Constraints, group: list[Cost], width: int, colour: Palette, all_of_it: bool) -> list[str]:
    """Things that the same handlers reach and that cost the same: a library that nothing is known of."""
    item = group[0].assumption
    names = [f"{c.assumption.name} ({c.assumption.place})" if c.assumption.place else c.assumption.name for c in group]
    if len(group) == 1:
        where = f" ({item.place})" if item.place else ""
        lines = wrapped(f"{prose.assumption(item)}{where}", "  ", width, "    ")
        lines[0] = lines[0].replace(item.name, colour("bold", item.name), 1)
    else:
        shown = some(names, len(names) if all_of_it else _NAMES_SHOWN)
        lines = wrapped(f"{len(group)} of kind {item.kind.replace('_', ' ')}: {shown}", "  ", width, "    ")
    lines += wrapped(_price(group), "    ", width, "      ")
    if item.effect:
        lines += wrapped(f"assumed: {item.effect}", "    ", width, "      ")
    if item.handlers:
        reached = some([constraints.label(handler) for handler in item.handlers], 8)
        lines += wrapped(f"reached by {reached}", "    ", width, "      ")
    return lines


def _price(group: list[Cost]) -> str:
    cost = group[0]
    total = sum(one.assumption.count for one in group)
    if cost.assumption.kind == "indirect_call":
        count = f"may call {plural(total, 'function')}"
    elif cost.assumption.kind == "limit":
        count = plural(total, "function")
    elif cost.assumption.kind == "at_any_time":
        count = f"meets {plural(total, 'handler')}"
    else:
        count = plural(total, "place")
    if not cost.conflicts:
        return f"{count}; no conflict is on it"
    alone = f", {cost.only} of them alone" if cost.only else ""
    each = "each: " if len(group) > 1 else ""
    return f"{count}; {each}{plural(cost.conflicts, 'conflict')}, keeps {plural(cost.pairs, 'pair')} apart{alone}"
