"""What to change in a program so that a cause of conflicts goes away, chosen by what the accesses really are.

The choice goes from the special to the general: a function with a reentrant counterpart, a number that is only counted,
a flag, a table filled on first use, a buffer of one function, a configuration that one handler replaces; a lock stays
where it is, for what it protects is what conflicts; for another session's memory, handing the work over to that
session's own handler; and for what is left, moving the part of each handler that touches the object into a handler of
its own. A remedy is advice: nothing is concluded from it.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from heddle.documents.constraints import Access, Constraints, SharedObject, call_of
from heddle.explain.causes import GIVEN_FUNCTION, UNKNOWN_EXTERNAL, Cause, foreign, is_of_lock, link_of

Code = Literal[
    "describe",
    "reentrant",
    "process-state",
    "atomic-counter",
    "atomic-flag",
    "initialise-early",
    "own-buffer",
    "swap",
    "one-owner",
    "hand-over",
    "session-copy",
    "split-handler",
    "lock",
]

# The reentrant counterpart that POSIX or the C library offers.
_REENTRANT = {
    "strtok": "strtok_r()",
    "localtime": "localtime_r()",
    "gmtime": "gmtime_r()",
    "ctime": "ctime_r() or strftime()",
    "asctime": "asctime_r() or strftime()",
    "rand": "rand_r() with a seed in the session, or getrandom()",
    "random": "random_r(), or getrandom()",
    "drand48": "erand48()",
    "gethostbyname": "getaddrinfo(), or the event loop's own resolver",
    "gethostbyaddr": "getnameinfo(), or the event loop's own resolver",
    "getservbyname": "getaddrinfo()",
    "getprotobyname": "getprotobyname_r()",
    "inet_ntoa": "inet_ntop()",
    "getpwnam": "getpwnam_r()",
    "getpwuid": "getpwuid_r()",
    "getgrnam": "getgrnam_r()",
    "getgrgid": "getgrgid_r()",
    "ttyname": "ttyname_r()",
    "crypt": "crypt_r()",
    "basename": "strrchr() on a copy",
    "dirname": "strrchr() on a copy",
    "readdir": "a directory stream of its own for each handler",
    "getopt": "a parser that keeps its state in its arguments",
}
_PROCESS = {
    "contents of": "let one handler use the file; if each handler opens files of its own, tell heddle analyze: "
    "--assume files-apart",
    "directory entry of": "let one handler make, look for and take away the entry; if handlers never mean the same "
    "one, tell heddle analyze: --assume files-apart",
    "addresses of sockets": "bind sockets before the loop starts, or let one handler do it",
    "may see half done": "a thread, or a signal function, finds two handlers half done: let it see what one has "
    "made ready, such as a copy, or an atomic variable that is set once",
    "working directory": "open the directory once and use openat(), fstatat() and the like relative to it",
    "environment": "read the environment before the loop starts and keep what is needed",
    "umask": "set the umask once before the loop starts, and give the mode to open() or fchmod()",
    "signal mask": "set the signal mask before the loop starts, and let signal events do the rest",
    "end of the process": "let one handler end the process, such as one that the others activate; a child made by fork "
    "that becomes another program is best made by posix_spawn()",
    "process whose copy goes on": "what the child does counts as done by the handler: let it call exec or _exit() soon "
    "after fork(), in the same function",
    "names of directories": "a name that one handler makes, renames or removes may be part of a path that another one "
    "opens: let one handler do that, or open the directory once before the loop and use openat() and the like",
    "descriptor": "handlers read, write or replace it, and the order shows: let one handler do that",
    "event loop": "who leaves the loop decides which handlers are still called: let one handler do that, or use "
    "event_base_loopexit(), which lets the loop finish its round",
    "limits of the process": "set the limits once before the loop starts",
    "signal handlers": "install signal handlers before the loop starts, and let signal events do the rest",
    "signals of the process": "send signals from one handler, or wake the other end through a descriptor",
    "identity": "change the identity once before the loop starts",
    "settings of": "set it up once before the loop starts, and take it down behind the loop",
    "name for syslog": "call openlog() once before the loop starts, and closelog() behind it",
    "flush of all streams": "instead of fflush(NULL) flush the streams that were written to",
    "children": "let one handler (for SIGCHLD) reap children and activate an event of the session that waits",
}


@dataclass(frozen=True)
class Remedy:
    code: Code
    text: str


def remedy(constraints: Constraints, cause: Cause) -> Remedy:
    kind = cause.key.kind
    if kind == "unknown":
        return _describe(cause)
    if cause.name.startswith("stream "):
        return _records(cause)
    if kind == "hidden state":
        return _reentrant(constraints, cause)
    if kind == "process":
        return _process(cause)
    locks = [item for item in cause.objects if _is_lock(constraints, cause, item)]
    if locks and len(locks) == len(cause.objects):
        return _lock(constraints, cause)
    if locks:
        cause = _without(cause, locks)
    if kind in ("function", "links"):
        return _stay_at_home(constraints, cause)
    return _share_less(constraints, cause)


# ---- locks ----

_LOCK_TYPES = ("pthread_mutex_t", "pthread_rwlock_t", "pthread_spinlock_t", "pthread_cond_t", "sem_t", "mtx_t", "cnd_t")


def _is_lock(constraints: Constraints, cause: Cause, item: SharedObject) -> bool:
    if item.value is not None and item.value.type.removeprefix("volatile ") in _LOCK_TYPES:
        return True
    uses = [access for access in _accesses(constraints, cause) if access.object == item.id]
    return any(is_of_lock(access) for access in uses) and all(is_of_lock(access) for access in uses)


def _without(cause: Cause, locks: list[SharedObject]) -> Cause:
    numbers = {item.id for item in locks}
    return replace(
        cause,
        objects=[item for item in cause.objects if item.id not in numbers],
        conflicts=[(pair, conflict) for pair, conflict in cause.conflicts if conflict.object not in numbers],
    )


def _lock(constraints: Constraints, cause: Cause) -> Remedy:
    """Taking a lock keeps nobody apart by itself. What does is said by the calls that are listed."""
    accesses = _accesses(constraints, cause)
    names = [item.name for item in cause.objects]
    text = f"{_listed(names)} {'is a lock and stays' if len(names) == 1 else 'are locks and stay'} where it is: "
    text = text if len(names) == 1 else text.replace("where it is", "where they are")
    reasons: list[str] = []

    def who(chosen: list[Access]) -> str:
        places = dict.fromkeys(f"{constraints.label(a.handler)} ({a.last.place})" for a in chosen)
        return _listed(places)

    tried = [a for a in accesses if "try" in a.by or "timed" in a.by or "clock" in a.by.removesuffix("lock")]
    made = [a for a in accesses if a.by.endswith(("_init", "_destroy"))]
    waits = [a for a in accesses if a.by.startswith(("pthread_cond_", "sem_"))]
    held = [a for a in accesses if a.mode == "write" and a.by.endswith(("lock",)) and a not in tried]
    rest = [a for a in accesses if a.mode == "write" and a not in tried + made + waits + held]
    if tried:
        reasons.append(f"{who(tried)} only tries to take it, which fails where others have it: wait for it instead")
    if made:
        reasons.append(f"{who(made)} makes or destroys it: do that where no other handler can have it")
    if waits:
        reasons.append(f"{who(waits)} waits for other handlers or wakes them: activate an event instead")
    if held:
        reasons.append(
            f"{who(held)} may do more than compute while it has it (take a second lock, wait, call what is not known), "
            "or gives it back in another function: take and give it back in one function, around the accesses alone"
        )
    if rest:
        reasons.append(f"{who(rest)} writes over it")
    return Remedy("lock", text + "; ".join(reasons or ["what it protects is what conflicts"]))


# ---- what is outside the program ----


def _describe(cause: Cause) -> Remedy:
    if cause.name == UNKNOWN_EXTERNAL + GIVEN_FUNCTION:
        text = "which function that is cannot be seen (--unknown says where it is called)"
        return Remedy("describe", f"{text}: build the source that gives it with heddle build")
    names = sorted(item.name.removeprefix(UNKNOWN_EXTERNAL) for item in cause.objects)
    if all(name.isidentifier() for name in names) and cause.name.startswith(UNKNOWN_EXTERNAL):
        text = f"say in a specification what {_calls(names)} {'does' if len(names) == 1 else 'do'}"
        return Remedy("describe", f"{text} (elyze/specs/README.md), or build the source with heddle build")
    if "assembly" in cause.name:
        return Remedy("describe", f"what {cause.name} does cannot be seen: use C or an intrinsic instead")
    what = f"it cannot be seen what {cause.name.removeprefix(UNKNOWN_EXTERNAL)} is"
    return Remedy("describe", f"{what}: --object shows who touches it, --unknown what is not known")


def _reentrant(constraints: Constraints, cause: Cause) -> Remedy:
    callers = sorted({access.by for access in _accesses(constraints, cause) if access.by})
    found = [(name, _REENTRANT[name]) for name in callers if name in _REENTRANT]
    if found:
        return Remedy("reentrant", "; ".join(f"instead of {call_of(name)} use {other}" for name, other in found))
    if cause.name == "the time zone":
        return Remedy(
            "one-owner",
            f"{_calls(callers) or 'each call'} may read the time zone anew and keep it for the process: convert the "
            "time in one handler, or keep it as a number",
        )
    if cause.name == "syslog":
        return Remedy("one-owner", "call openlog() once before the loop starts, and closelog() behind it")
    if not callers or not cause.name.isidentifier():
        who = _calls(callers) or "it"
        text = f"{who} {'keeps' if len(callers) < 2 else 'keep'} state of its own"
    elif callers == [cause.name]:
        text = f"{call_of(cause.name)} keeps state of its own"
    else:
        # Others use it too, or touch the memory that it gives out: glob() looks users up, free() is given a name.
        text = f"{_calls(callers)} {'uses' if len(callers) == 1 else 'use'} what {call_of(cause.name)} keeps for all"
    return Remedy("one-owner", f"{text}: call it before the loop starts, or from one handler only")


def _records(cause: Cause) -> Remedy:
    text = (
        f"a record goes to {cause.name.removeprefix('stream ')} in several calls: print it in one call; "
        "if parts of records may interleave, tell heddle analyze: --assume streams-unordered"
    )
    return Remedy("one-owner", text)


def _process(cause: Cause) -> Remedy:
    advice = next((text for name, text in _PROCESS.items() if name in cause.name), None)
    return Remedy("process-state", advice or "the process has it only once: leave it to one handler")


# ---- another session's memory ----


def _stay_at_home(constraints: Constraints, cause: Cause) -> Remedy:
    outsiders = [access for access in _accesses(constraints, cause) if foreign(access)]
    if cause.key.kind == "function":
        outsiders = [a for a in outsiders if cause.name in (a.taken_in, constraints.handlers[a.handler].name)]
    names = sorted({constraints.objects[access.object].name for access in outsiders})
    scalars = all(_is_scalar(constraints.objects[access.object]) for access in outsiders)
    if scalars and all(access.mode == "read" for access in outsiders) and len(names) <= _FEW:
        return Remedy(
            "atomic-flag",
            f"other sessions' {_listed(names)} {_is(names)} only read there: make {_it(names)} atomic",
        )
    if cause.key.kind == "links":
        fields = sorted({link_of(constraints.handlers[a.handler], a) for a in outsiders} - {""})
        return Remedy(
            "one-owner",
            f"{_listed(fields)} {'leads' if len(fields) == 1 else 'lead'} from one session into another: let one "
            "handler insert into and remove from the list, and event_active() it with the session as its argument",
        )
    who = sorted({constraints.label(access.handler) for access in outsiders})
    through = sorted({access.alias[0] for access in outsiders if access.alias_root == "global"})
    way = f" (reached through {_listed(through)})" if through else ""
    return Remedy(
        "hand-over",
        f"{_listed(who)} {'works' if len(who) == 1 else 'work'} on sessions that are not "
        f"{'its' if len(who) == 1 else 'their'} own{way}: only note there what is to be done and event_active() "
        "an event of that session, whose own handler then does it",
    )


# ---- shared memory ----

_FEW = 4


def _share_less(constraints: Constraints, cause: Cause) -> Remedy:
    if all(_is_event(item) for item in cause.objects):
        return _events(constraints, cause)
    sorts = {item.id: _sort(item) for item in cause.objects}
    for sort in ("counter", "flag"):
        if all(found == sort for found in sorts.values()):
            return _atomic(cause.objects, sort)
    if all(item.use and item.use.first_use and not item.use.before_loop for item in cause.objects):
        functions = sorted({name for item in cause.objects if item.use for name in item.use.functions})
        return Remedy(
            "initialise-early",
            f"handlers write it only on first use ({_calls(functions)}): do that once before the loop starts, "
            "and it is a constant in the loop",
        )
    buffer = _scratch(cause)
    if buffer:
        return buffer
    swap = _replaced_by_one(constraints, cause)
    if swap:
        return swap
    if cause.key.kind == "shared" and _held_by_sessions(constraints, cause):
        return Remedy(
            "session-copy",
            f"sessions share {cause.name} through {_listed(_holders(constraints, cause))}: give each session a copy "
            "of its own, made where the pointer is stored now",
        )
    return _split(constraints, cause, sorts)


def _sort(item: SharedObject) -> str:
    """`counter` if it is only counted up or down and read, `flag` if it is only set and read, else empty."""
    use = item.use
    if use is not None and item.value is None and use.adds and not (use.sets or use.calls):
        return "counter"  # its type is not known, but nothing else is done with it
    if use is None or use.calls or not _is_scalar(item):
        return ""
    integer = item.value is not None and item.value.kind == "integer"
    if integer and use.adds and use.sets == use.constants:
        return "counter"
    return "flag" if integer and use.sets and not use.adds and not use.first_use else ""


def _atomic(items: Iterable[SharedObject], sort: str) -> Remedy:
    some = list(items)
    names = [item.name for item in some]
    if all(item.use and item.use.atomics for item in some):
        text = (
            f"{_listed(names)} {_is(names)} atomic, but read and set in two steps: do it in one "
            "(__atomic_fetch_add, or a compare-and-swap)"
        )
        return Remedy("atomic-counter" if sort == "counter" else "atomic-flag", text)
    if sort == "flag":
        return Remedy("atomic-flag", f"{_listed(names)} {_is(names)} only set and read: make {_it(names)} atomic")
    tested = [item.name for item in some if item.use and item.use.tested]
    reset = [item.name for item in some if item.use and item.use.sets]
    text = f"{_listed(names)} only {'counts' if len(names) == 1 else 'count'}: make {_it(names)} atomic (_Atomic, or "
    text += "__atomic_fetch_add)"
    if reset:
        text += f"; {_listed(reset)} {_is(reset)} also set to a constant, which an atomic store does"
    if tested:
        text += f"; a branch depends on {_listed(tested)}, so look whether it may be late by one"
    return Remedy("atomic-counter", text)


def _scratch(cause: Cause) -> Remedy | None:
    """A buffer that one function fills and hands out, or that nothing but handlers ever fills."""
    item = cause.objects[0]
    if len(cause.objects) > 1 or item.value is None or item.value.kind not in ("array", "structure") or not item.use:
        return None
    function = item.variable.function if item.variable else ""
    if not function and (len(item.use.functions) != 1 or item.use.before_loop):
        return None
    function = function or item.use.functions[0]
    return Remedy(
        "own-buffer",
        f"it is a buffer of {call_of(function)} ({item.value.type}): let the caller pass one in, a local variable or a "
        "part of the session",
    )


def _replaced_by_one(constraints: Constraints, cause: Cause) -> Remedy | None:
    writers = {a.handler for a in _accesses(constraints, cause) if a.mode != "read"}
    readers = {a.handler for a in _accesses(constraints, cause) if a.mode == "read"} - writers
    counted = any(item.use and item.use.adds for item in cause.objects)
    if len(writers) != 1 or len(readers) < 2 or counted or any(_is_event(item) for item in cause.objects):
        return None
    writer = constraints.label(next(iter(writers)))
    return Remedy(
        "swap",
        f"only {writer} writes it and {len(readers)} handlers read it: let {writer} fill a new one and publish it "
        "with one atomic store of a pointer, and free the old one when no reader can have it any more",
    )


def _events(constraints: Constraints, cause: Cause) -> Remedy:
    who = sorted({constraints.label(a.handler) for a in _accesses(constraints, cause) if a.mode != "read"})
    names = [item.name for item in cause.objects]
    return Remedy(
        "one-owner",
        f"{_listed(who)} add, delete or activate the event{'' if len(names) == 1 else 's'} {_listed(names)}: "
        "let one handler do that",
    )


def _held_by_sessions(constraints: Constraints, cause: Cause) -> bool:
    return all(a.alias_root == "argument" for a in _accesses(constraints, cause)) and all(
        item.kind in ("heap", "field") and not (item.use and item.use.adds) for item in cause.objects
    )


def _holders(constraints: Constraints, cause: Cause) -> list[str]:
    return sorted({access.alias[-1] for access in _accesses(constraints, cause) if len(access.alias) > 1})


def _split(constraints: Constraints, cause: Cause, sorts: dict[int, str]) -> Remedy:
    """Says by which call each handler gets there: that call is what would move."""
    entries: dict[str, set[str]] = {}
    for access in _accesses(constraints, cause):
        handler = constraints.label(access.handler)
        through = f"through {call_of(access.path[1].function)}" if len(access.path) > 1 else "directly"
        entries.setdefault(through, set()).add(handler)
    common = sorted(entries.items(), key=lambda entry: (-len(entry[1]), entry[0]))
    parts = [f"{_listed(sorted(handlers))} {through}" for through, handlers in common[:_FEW]]
    more = f" and in {len(common) - _FEW} more ways" if len(common) > _FEW else ""
    text = (
        f"touched by {'; by '.join(parts)}{more}: move these steps into a short handler of their own and "
        "event_active() it, so that the rest of each handler runs beside others"
    )
    for sort, what in (("counter", "only counted"), ("flag", "only set and read")):
        names = [item.name for item in cause.objects if sorts[item.id] == sort]
        if names:
            text += f". {_listed(names)} {_is(names)} {what}: atomic would do"
    return Remedy("split-handler", text)


# ---- words ----


def _accesses(constraints: Constraints, cause: Cause) -> list[Access]:
    numbers = {number for _, conflict in cause.conflicts for number in (conflict.a_access, conflict.b_access)}
    return [constraints.accesses[number] for number in sorted(numbers)]


def _is_scalar(item: SharedObject) -> bool:
    return item.value is not None and item.value.kind in ("integer", "float", "pointer") and item.value.bytes <= 8


def _is_event(item: SharedObject) -> bool:
    return item.kind == "event" or (item.value is not None and item.value.type == "struct event")


def _listed(names: Iterable[str]) -> str:
    found = list(names)
    shown, rest = found[:_FEW], len(found) - _FEW
    if rest > 0:
        return f"{', '.join(shown)} and {rest} more"
    return " and ".join([", ".join(shown[:-1]), shown[-1]]) if len(shown) > 1 else "".join(shown)


def _calls(functions: list[str]) -> str:
    return _listed(call_of(name) for name in functions)


def _is(names: list[str]) -> str:
    return "is" if len(names) == 1 else "are"


def _it(names: list[str]) -> str:
    return "it" if len(names) == 1 else "them"
