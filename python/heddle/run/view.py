"""The live view: one second of a program, from two of its run documents."""

import re
import time
from collections.abc import Sequence

from heddle.documents import contracts
from heddle.documents.schemas import Document
from heddle.output.layout import clipped, columns
from heddle.run import live

_HANDLERS = 20
_WAITS = 6
_LEAST_NAME = 20
_EVERY_S = 1.0


def as_in_the_source(name: str) -> str:
    """What the source calls a function of C++, if the library for that is there; any other name as it is."""
    if not name.startswith("_Z"):
        return name
    import ctypes

    try:
        library = ctypes.CDLL("libstdc++.so.6")
    except OSError:
        return name
    demangle = library.__cxa_demangle
    demangle.restype = ctypes.c_void_p
    found = demangle(name.encode(), None, None, None)
    if not found:
        return name
    text = ctypes.string_at(found).decode(errors="replace")
    ctypes.CDLL(None).free(ctypes.c_void_p(found))
    return re.sub(r"(?<=\w)\([^()]*\)( const)?$", "", text)


def watch(pid: int) -> None:
    """Until the program ends or the user presses Ctrl-C."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(highlight=False)
    before: Document | None = None
    now = live.fresh(pid)
    with Live(console=console, auto_refresh=False, screen=True) as screen:
        try:
            while now is not None:
                screen.update(Text("\n".join(lines(now, before, console.width))), refresh=True)
                time.sleep(_EVERY_S)
                before, now = now, live.fresh(pid)
        except KeyboardInterrupt:
            return
    console.print(f"process {pid} has ended")


def lines(now: Document, before: Document | None, width: int) -> list[str]:
    """What happened since `before`, or since the start."""
    seconds = now["seconds"] - (before["seconds"] if before else 0.0)
    per = max(seconds, 1e-9)
    cpu = now["cpu_seconds"] - (before["cpu_seconds"] if before else 0.0)
    since = "in the last second" if before else f"in {seconds:.1f} s"
    mode = (
        f"{now['settings']['threads']} threads"
        if now["mode"] == contracts.MODE_PARALLEL
        else contracts.reason_serial_because(now["why"])
    )
    title = f"{now['program']['name']}: {mode}; {cpu / per:.2f} processors busy {since}"
    return [clipped(title, width), "", *_handlers(now, before, per, width), *_waits(now, before, width)]


def _handlers(now: Document, before: Document | None, seconds: float, width: int) -> list[str]:
    old = {handler["name"]: handler for handler in before["handlers"]} if before else {}
    rows = []
    for handler in now["handlers"]:
        earlier = old.get(handler["name"])
        calls = handler["invocations"] - (earlier["invocations"] if earlier else 0)
        busy = _total(handler, "run") - (_total(earlier, "run") if earlier else 0.0)
        waited = _total(handler, "wait") - (_total(earlier, "wait") if earlier else 0.0)
        rows.append((busy, calls, waited, handler))
    rows.sort(key=lambda row: (-row[0], row[3]["name"]))
    table = [["handler", "calls/s", "busy", "run mean", "run p99", "wait mean", "due"]]
    for busy, calls, waited, handler in rows[:_HANDLERS]:
        mark = "" if handler["known"] or now["mode"] == contracts.MODE_SERIAL else " *"
        table.append(
            [
                as_in_the_source(handler["name"]) + mark,
                f"{calls / seconds:.0f}",
                f"{busy / seconds:.0%}",
                duration(busy / calls) if calls else "-",
                duration(handler["run"].get("p99", 0.0)),
                duration(waited / calls) if calls else "-",
                str(handler.get("pending", 0)),
            ]
        )
    figures = max(sum(len(cell) + 2 for cell in row[1:]) for row in _right(table))
    for row in table:
        row[0] = clipped(row[0], max(width - figures, _LEAST_NAME))
    found = [clipped(line, width) for line in columns(_right(table), "  ")]
    if len(rows) > _HANDLERS:
        found.append(f"  and {len(rows) - _HANDLERS} more")
    if any(cell[0].endswith(" *") for cell in table):
        found.append("  * not in the constraints, so it runs alone")
    return found


def _waits(now: Document, before: Document | None, width: int) -> list[str]:
    old = {(e["waiter"], e["holder"], e["verdict"]): e for e in before["contention"]} if before else {}
    rows = []
    for entry in now["contention"]:
        earlier = old.get((entry["waiter"], entry["holder"], entry["verdict"]))
        count = entry["count"] - (earlier["count"] if earlier else 0)
        seconds = entry["seconds"] - (earlier["seconds"] if earlier else 0.0)
        if count:
            rows.append((seconds, count, entry))
    if not rows:
        return []
    rows.sort(key=lambda row: -row[0])
    found = ["", "  held back most"]
    for seconds, count, entry in rows[:_WAITS]:
        on = f" on {', '.join(entry['objects'][:2])}" if entry["objects"] else ""
        who, holder = as_in_the_source(entry["waiter"]), as_in_the_source(entry["holder"])
        text = f"    {who} waited {duration(seconds)} for {holder}, {count} times{on}"
        found.append(clipped(text, width))
    return found


def duration(seconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1.0), ("ms", 1e-3), ("us", 1e-6)):
        if seconds >= size:
            return f"{seconds / size:.3g} {unit}"
    return f"{seconds * 1e9:.0f} ns" if seconds > 0 else "0"


def _total(handler: Document, what: str) -> float:
    return float(handler[what]["mean"] * handler["invocations"])


def _right(table: Sequence[Sequence[str]]) -> list[list[str]]:
    """The table with all columns but the first aligned on the right."""
    widths = [max(len(row[i]) for row in table) for i in range(len(table[0]))]
    return [[row[0], *(cell.rjust(size) for cell, size in zip(row[1:], widths[1:], strict=True))] for row in table]
