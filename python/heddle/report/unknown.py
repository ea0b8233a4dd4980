"""What the analysis does not know, and what each such thing costs: `heddle analyze --unknown`."""

from dataclasses import dataclass

from heddle.constraints import Assumption, Constraints
from heddle.report.layout import plural, some, wrapped
from heddle.terminal import PLAIN, Palette


@dataclass(frozen=True)
class Cost:
    assumption: Assumption
    conflicts: int  # that rest on it
    pairs: int  # that it keeps apart
    only: int  # pairs that nothing else keeps apart


def costs(constraints: Constraints) -> list[Cost]:
    """The dearest first."""
    by_name: dict[str, list[tuple[int, int]]] = {}
    weight: dict[tuple[int, int], set[str]] = {}
    for pair, conflict in constraints.conflicts("always"):
        name = constraints.objects[conflict.object].name
        by_name.setdefault(name, []).append((pair.a, pair.b))
        weight.setdefault((pair.a, pair.b), set()).add(name)
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


def unknown(constraints: Constraints, width: int = 100, colour: Palette = PLAIN) -> list[str]:
    found = costs(constraints)
    if not found:
        return [f"{constraints.program}: everything that its handlers call is known."]
    lines = [colour("bold", f"{constraints.program}: {plural(len(found), 'thing')} not known"), ""]
    for cost in found:
        item = cost.assumption
        where = f" ({item.place})" if item.place else ""
        lines += wrapped(f"{item.kind.replace('_', ' ')} {colour('bold', item.name)}{where}", "  ", width, "    ")
        lines += wrapped(_price(cost), "    ", width, "      ")
        if item.effect:
            lines += wrapped(f"assumed: {item.effect}", "    ", width, "      ")
        if item.handlers:
            names = some([constraints.label(handler) for handler in item.handlers], 8)
            lines += wrapped(f"reached by {names}", "    ", width, "      ")
    externals = [c.assumption.name for c in found if c.assumption.kind == "unknown_external"]
    if externals:
        text = (
            f"To make {some(externals, 3)} known, say what {'it does' if len(externals) == 1 else 'they do'} in a "
            "specification: elyze/specs/README.md"
        )
        lines += ["", *wrapped(text, "  ", width)]
    return lines


def _price(cost: Cost) -> str:
    if cost.assumption.kind == "indirect_call":
        count = f"may call {plural(cost.assumption.count, 'function')}"
    else:
        count = plural(cost.assumption.count, "place")
    if not cost.conflicts:
        return f"{count}; no conflict is on it"
    alone = f", {cost.only} of them alone" if cost.only else ""
    return f"{count}; {plural(cost.conflicts, 'conflict')}, keeps {plural(cost.pairs, 'pair')} apart{alone}"
