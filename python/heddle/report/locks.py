"""The locks that do their work: handlers take them and may run at once all the same."""

from heddle.documents.constraints import Constraints
from heddle.explain.causes import is_of_lock
from heddle.output.layout import some, wrapped
from heddle.output.terminal import PLAIN, Palette

_SHOWN = 8


def locks(constraints: Constraints, width: int = 100, colour: Palette = PLAIN, all_of_it: bool = False) -> list[str]:
    """Each lock that handlers take briefly, so that it keeps none of them apart by itself, and who takes it."""
    takers: dict[int, dict[int, None]] = {}
    for access in constraints.accesses:
        if access.mode == "atomic" and is_of_lock(access):
            takers.setdefault(access.object, {})[access.handler] = None
    if not takers:
        return []
    lines = [colour("bold", "Locks: handlers that take one may run at once; what it protects still counts")]
    found = sorted(takers.items(), key=lambda entry: (-len(entry[1]), constraints.objects[entry[0]].name))
    shown = found if all_of_it else found[:_SHOWN]
    for number, handlers in shown:
        lock = constraints.objects[number]
        place = f" ({lock.place})" if lock.place else ""
        who = some([constraints.label(handler) for handler in handlers], _SHOWN)
        lines += wrapped(f"{lock.name}{place}: {who}", "  ", width, "    ")
    if len(shown) < len(found):
        lines.append(f"  and {len(found) - len(shown)} more (--all shows them)")
    return [*lines, ""]
