"""Accesses and causes in words: how a handler got hold of what it touches, and what a cause is."""

from heddle.documents.constraints import Access, Assumption, Constraints, Handler, call_of
from heddle.explain.causes import GIVEN_FUNCTION, UNKNOWN_EXTERNAL, Cause, link_of
from heddle.output.layout import some

_ARROW = " -> "


def how(constraints: Constraints, access: Access) -> str:
    """How the pointer got there; empty for what a handler names itself, such as a global."""
    handler = constraints.handlers[access.handler]
    if access.by == "event loop":
        return f"the event loop reads this event to call {handler.name}"
    if not access.alias:
        return f"taken in {call_of(access.taken_in)}" if access.taken_in and access.root != "global" else ""
    chain = _ARROW.join(access.alias)
    if access.root == "session":
        if len(access.alias) == 1:
            return f"in its own session ({_argument(handler, access)})"
        return f"through its own session: {chain}"
    if access.alias_root == "argument":
        return _out_of_the_session(handler, access, chain)
    where = f", taken in {call_of(access.taken_in)}" if access.taken_in else ""
    return f"through {chain}{where}"


def _out_of_the_session(handler: Handler, access: Access, chain: str) -> str:
    link = link_of(handler, access)
    linked = {known.field: known.type for known in handler.links}
    if link in linked:
        kind = f"struct {linked[link]}" if linked[link] else "session"
        return f"{chain}: {link} reaches another session ({kind})"
    if len(access.alias) == 1:
        return f"through its argument {chain}, which is not its session's alone"
    return f"through {chain}, which its session shares"


def _argument(handler: Handler, access: Access) -> str:
    name = f"struct {handler.session_type}" if handler.session_type else "an object"
    return f"{access.alias[0]}, {name}"


def deed(access: Access) -> str:
    """`write`, or `write by free()`."""
    if access.by in ("", "event loop"):
        return access.mode
    return f"{access.mode} by {call_of(access.by)}"


def assumption(item: Assumption) -> str:
    """What is not known, without its place: `unknown external gss_wrap`, `indirect call in serve`."""
    if item.kind == "unknown_external" and item.name == GIVEN_FUNCTION:
        return f"call of a {GIVEN_FUNCTION}"
    if item.kind == "indirect_call":
        return f"indirect call in {item.name}"
    if item.kind == "limit":
        return f"functions around {item.name}"
    if item.kind == "at_any_time":
        return f"{item.name} at any time"
    return f"{item.kind.replace('_', ' ')} {item.name}"


def dispatch(handler: Handler) -> str:
    """`on_event goes on to serve (peer->arg)`; empty where it does not."""
    if not handler.dispatch:
        return ""
    return f"{handler.name} goes on to {some([str(one) for one in handler.dispatch], 6)}"


def links(handler: Handler) -> list[str]:
    """`client->next` reaches other sessions (struct client)."""
    by_type: dict[str, list[str]] = {}
    for link in handler.links:
        by_type.setdefault(link.type, []).append(f"`{link.field}`")
    return [
        f"{some(fields, 4)} {'reaches' if len(fields) == 1 else 'reach'} "
        f"{'other sessions' if name == handler.session_type else 'sessions of other handlers'} (struct {name or '?'})"
        for name, fields in by_type.items()
    ]


def title(constraints: Constraints, cause: Cause) -> str:
    name = cause.name
    match cause.key.kind:
        case "function":
            own = any(handler.name == name for handler in constraints.handlers)
            return f"{name}{'' if own else '()'} works on sessions that are not its own"
        case "links":
            fields = sorted(
                {
                    link_of(constraints.handlers[access.handler], access)
                    for _, conflict in cause.conflicts
                    for access in constraints.sides(conflict)
                    if access.root != "session"
                }
                - {""}
            )
            return f"{some(fields, 4)} {'reaches' if len(fields) == 1 else 'reach'} other sessions"
        case "shared":
            return f"{name}, shared by handlers"
        case "unknown" if len(cause.objects) > 1:
            return f"{name} and {len(cause.objects) - 1} more"
        case "unknown" if name == UNKNOWN_EXTERNAL + GIVEN_FUNCTION:
            return GIVEN_FUNCTION
        case "process" if name.startswith("contents of ") and name != "contents of some file":
            return f"contents of files that are named {name.removeprefix('contents of ')}"
        case "process" if name == "contents of some file":
            return "contents of files whose names are not known"
        case "process":
            whole = "process" in name or name.startswith(
                ("file that ", "directory entry of ", "addresses of ", "what ")
            )
            return name if whole else f"{name} of the process"
        case "hidden state":
            return f"hidden state of {name}"
        case _:
            return name
