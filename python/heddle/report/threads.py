"""Which handlers only the thread of the loop may run, by what, and what to do about it."""

from heddle.documents.constraints import Constraints, Handler, Pin, Tie
from heddle.explain.causes import GIVEN_FUNCTION
from heddle.output.layout import path, plural, some, wrapped
from heddle.output.terminal import PLAIN, Palette

_SHOWN = 6
_NAMES_SHOWN = 8
_LOCKS = ("pthread_mutex_", "pthread_rwlock_", "pthread_spin_", "mtx_")
_ACTS = (
    *("fork", "vfork", "exec", "fexec", "daemon", "kill", "raise", "posix_spawn", "system", "popen", "wait"),
    *("nanosleep", "clock_nanosleep", "usleep", "sleep", "poll", "ppoll", "select", "pselect", "flock", "sem_wait"),
    *("event_base_dispatch", "event_base_loop", "pthread_setsched", "sched_set", "setpriority", "nice"),
)
_STATE = {
    "mode": "the rounding mode, the flags of the floating-point unit or the locale of the thread",
    "system": "what the kernel keeps for the thread, such as its signal mask or its identity",
    "thread": "the thread",
}


def pinned_line(constraints: Constraints) -> str:
    """One line for the head of the report; empty if any thread may run each handler."""
    pinned = [handler for handler in constraints.handlers if handler.pinned]
    if not pinned:
        return ""
    size = len(constraints.handlers)
    count = "all handlers run" if len(pinned) == size else f"{plural(len(pinned), 'handler')} of {size} run"
    verb = count.replace(" run", " runs") if len(pinned) == 1 < size else count
    names = some([constraints.label(handler.id) for handler in pinned], 4)
    return f"{verb} only on the thread of the loop: {names}, because of {_reasons(constraints, pinned)}"


def _reasons(constraints: Constraints, handlers: list[Handler]) -> str:
    names: dict[str, None] = {}
    for handler in handlers:
        for pin in handler.pinned:
            names[_tie(constraints, pin).by if pin.tie is not None else pin.by] = None
    return some([_named(name) for name in names], 3)


def _named(name: str) -> str:
    return f"a {name}" if name == GIVEN_FUNCTION else name


def _tie(constraints: Constraints, pin: Pin) -> Tie:
    assert pin.tie is not None
    return constraints.ties[pin.tie]


def threads(constraints: Constraints, width: int = 100, colour: Palette = PLAIN, all_of_it: bool = False) -> list[str]:
    """A paragraph for each thing that pins, by one function or several, then for each that ties."""
    by_themselves: dict[str, list[tuple[Handler, Pin]]] = {}
    by_ties: dict[int, list[tuple[Handler, Pin]]] = {}
    for handler in constraints.handlers:
        for pin in handler.pinned:
            if pin.tie is None:
                by_themselves.setdefault(pin.by, []).append((handler, pin))
            else:
                by_ties.setdefault(pin.tie, []).append((handler, pin))
    unknown = _unknown(constraints) - {GIVEN_FUNCTION}
    unknown = set() if all_of_it or len(unknown & by_themselves.keys()) == 1 else unknown
    libraries = {name: places for name, places in by_themselves.items() if name in unknown}
    known = _alike({name: places for name, places in by_themselves.items() if name not in unknown})
    paragraphs = [_of_pins(constraints, places, width, colour) for places in known]
    if libraries:
        paragraphs.append(_of_libraries(constraints, libraries, width, colour))
    paragraphs += [
        _of_tie(constraints, constraints.ties[tie], places, width, colour) for tie, places in by_ties.items()
    ]
    if not paragraphs:
        return []
    shown = paragraphs if all_of_it else paragraphs[:_SHOWN]
    lines = [colour("bold", "What runs only on the thread of the loop, while other handlers run beside it"), ""]
    for paragraph in shown:
        lines += [*paragraph, ""]
    if len(shown) < len(paragraphs):
        lines += [f"  and {plural(len(paragraphs) - len(shown), 'more cause')} (--all shows them)", ""]
    return lines


def _alike(found: dict[str, list[tuple[Handler, Pin]]]) -> list[list[tuple[Handler, Pin]]]:
    """What takes and gives back locks is one thing, and so is what acts on the process in the same handlers."""
    in_lock_functions = {
        pin.path[-1].function for name, places in found.items() if name.startswith(_LOCKS) for _, pin in places
    }
    groups: dict[object, list[tuple[Handler, Pin]]] = {}
    for name, places in found.items():
        key: object = name
        # A lock that notes its owner.
        notes_owner = name == "pthread_self" and {pin.path[-1].function for _, pin in places} <= in_lock_functions
        if name.startswith(_LOCKS) or notes_owner:
            key = _LOCKS
        elif name.startswith(_ACTS):
            key = tuple(handler.id for handler, _ in places)
        groups.setdefault(key, []).extend(places)
    return list(groups.values())


def _unknown(constraints: Constraints) -> set[str]:
    return {item.name for item in constraints.assumptions if item.kind == "unknown_external"}


def _of_pins(constraints: Constraints, places: list[tuple[Handler, Pin]], width: int, colour: Palette) -> list[str]:
    names = list(dict.fromkeys(pin.by for _, pin in places))
    names.sort(key=lambda name: not name.startswith(_LOCKS))
    unknown = names[0] in _unknown(constraints)
    what = "is not known to do without its thread" if unknown else "depends on the thread that it is on"
    if len(names) > 1:
        what = "depend on the thread that they are on"
    places = sorted(places, key=lambda place: names.index(place[1].by))
    return _pinning(constraints, names, what, places, _remedy(names, places, unknown), width, colour)


def _of_libraries(
    constraints: Constraints, found: dict[str, list[tuple[Handler, Pin]]], width: int, colour: Palette
) -> list[str]:
    """Functions without bitcode and spec, those that pin most first: often they are a whole library."""
    names = sorted(found, key=lambda name: -len(found[name]))
    places = [place for name in names for place in found[name]]
    remedy = (
        'build their source with heddle build, or, if they need no certain thread, say so in a spec file ("on any '
        'thread" in elyze/specs/README.md)'
    )
    return _pinning(constraints, names, "are not known to do without their thread", places, remedy, width, colour)


def _pinning(
    constraints: Constraints,
    names: list[str],
    what: str,
    places: list[tuple[Handler, Pin]],
    remedy: str,
    width: int,
    colour: Palette,
) -> list[str]:
    pinned = list(dict.fromkeys(constraints.label(handler.id) for handler, _ in places))
    verb = "it pins" if len(names) == 1 else "they pin"
    text = f"{some([_named(name) for name in names], _NAMES_SHOWN)} {what}: {verb} {some(pinned, _NAMES_SHOWN)}"
    lines = wrapped(text, "  ", width, "     ")
    lines[0] = lines[0].replace(names[0], colour("bold", names[0]), 1)
    lines += path(places[0][1].path, "     ", width)
    return lines + wrapped(f"remedy: {remedy}", "     ", width, "            ")


def _of_tie(
    constraints: Constraints, tie: Tie, places: list[tuple[Handler, Pin]], width: int, colour: Palette
) -> list[str]:
    names = [constraints.label(handler.id) for handler, _ in places]
    who = constraints.label(tie.handler) if tie.handler is not None else "the program, outside its handlers,"
    state = "any state of its thread" if tie.state == "thread" else _STATE[tie.state]
    lines = wrapped(
        f"{tie.by}: {who} may change {state}; others that depend on it stay on that thread: {some(names, 8)}",
        "  ",
        width,
        "     ",
    )
    lines[0] = lines[0].replace(tie.by, colour("bold", tie.by), 1)
    lines += path(tie.path, "     ", width)
    _, pin = places[0]
    lines += wrapped(f"{names[0]} depends on it by {pin.by} ({pin.path[-1].place})", "     ", width, "       ")
    if tie.state == "thread":
        advice = f"say in a spec file what {tie.by} does (elyze/specs/README.md)"
    else:
        advice = "make the change before the loop is entered, once, where every thread of the loop starts with it"
    return lines + wrapped(f"remedy: {advice}", "     ", width, "            ")


def _remedy(names: list[str], places: list[tuple[Handler, Pin]], unknown: bool) -> str:
    by = names[0]
    if by == GIVEN_FUNCTION:
        return "build the source that gives it with heddle build: which function it is cannot be seen"
    if unknown or by == "inline assembly":
        return (
            f'if {by} needs no certain thread, say so in a spec file ("on any thread" in elyze/specs/README.md); '
            "otherwise call it from fewer handlers"
        )
    if by.startswith(_LOCKS):
        way = f"take the lock and give it back in one and the same function, on every path through it{_halves(places)}"
    elif by.startswith(_ACTS):
        way = f"do what needs {some(names, _NAMES_SHOWN)} in a handler of its own"
    else:
        way = (
            "keep the value in the session or in a variable of the program instead, or do what needs "
            f"{by} in a handler of its own"
        )
    return f"none is needed where these handlers are short: others run beside them. If they are long, {way}"


def _halves(places: list[tuple[Handler, Pin]]) -> str:
    """Where one function takes the lock and another one gives it back."""
    takes, gives = (
        {pin.path[-1].function for _, pin in places if pin.by.startswith(_LOCKS) and ("unlock" in pin.by) == back}
        for back in (False, True)
    )
    if not takes or not gives or takes & gives:
        return ""
    return f" (here {min(takes)}() takes it, and {min(gives)}() gives it back)"
