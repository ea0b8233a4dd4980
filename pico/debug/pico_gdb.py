"""pico's threads in gdb, of a process or a core file, with debug information or without.

    gdb -x pico/debug/pico_gdb.py ./program        or, inside gdb, source pico/debug/pico_gdb.py

    pico threads      a line for each thread that has started: number, worker, state, and the function that waits
    pico bt           the calls that each of them is in
    pico bt NUMBER    those of one

A thread that has not started yet has no calls and is not shown. For x86-64.
"""

from collections.abc import Iterator
from typing import NamedTuple

import gdb
from gdb.unwinder import Unwinder

# What jump_fcontext() of Boost.Context leaves where the stack pointer of a context points; the stack goes on behind it.
SAVED = {"r12": 0x08, "r13": 0x10, "r14": 0x18, "r15": 0x20, "rbx": 0x28, "rbp": 0x30, "rip": 0x38}
FRAME = 0x40
OURS = ("/pico/core/", "/pico/sync/", "/pico/io/", "/pico/c/", "/pico/pico.hpp", "/pico/time.hpp", "/usr/include/")
FIRST = "heddle::pico::Worker::enter"  # on each stack
MOST_CALLS = 200


def word(address: int) -> int:
    memory = gdb.selected_inferior().read_memory(address, 8)
    return int.from_bytes(memory.tobytes(), "little")


class Thread(NamedTuple):
    number: int
    worker: int
    running: bool
    context: int  # where its registers are


def threads() -> Iterator[Thread]:
    """By the offsets that the library tells (Layout in pico/core/backtraces.cpp)."""
    try:
        numbers = word(int(gdb.parse_and_eval("(long)&pico_layout")))
    except gdb.error:
        raise gdb.GdbError("there is no pico in this program, or it does not run yet") from None
    layout = [word(numbers + 8 * i) for i in range(10)]
    listed, most, workers, index, running, started, where, number, stack, behind = layout
    for place in range(most):
        runtime = word(listed + 8 * place)
        if runtime == 0:
            continue
        for entry in range(word(runtime + workers), word(runtime + workers + 8), 8):
            worker = word(entry)
            task = word(worker + started)
            while task != 0:
                runs = word(worker + running) == task
                yield Thread(word(task + number), word(worker + index), runs, word(task + where))
                task = word(word(task + stack) + behind)


class FrameId(NamedTuple):
    """What gdb 13 asks for, which has none itself."""

    sp: gdb.Value
    pc: gdb.Value


class Parked(Unwinder):  # type: ignore[misc]
    """Has a stack that does not run appear as what called the innermost frame, so that nothing need be written."""

    def __init__(self) -> None:
        super().__init__("pico")
        self.context = 0

    def __call__(self, frame: gdb.PendingFrame) -> object:
        if self.context == 0 or frame.level() != 0:
            return None
        here = FrameId(frame.read_register("rsp"), frame.read_register("rip"))
        caller = frame.create_unwind_info(here)
        for name, offset in SAVED.items():
            caller.add_saved_register(name, gdb.Value(word(self.context + offset)).cast(frame.read_register(name).type))
        stack_pointer = frame.read_register("rsp")
        caller.add_saved_register("rsp", gdb.Value(self.context + FRAME).cast(stack_pointer.type))
        return caller


PARKED = Parked()
gdb.unwinder.register_unwinder(None, PARKED, replace=True)


def calls(thread: Thread) -> list[tuple[str, str]]:
    """The function and the place of each call, the innermost first."""
    PARKED.context = thread.context
    gdb.invalidate_cached_frames()
    try:
        found = []
        frame = gdb.newest_frame().older()
        while frame is not None and len(found) < MOST_CALLS:
            name = frame.name() or f"0x{frame.pc():x}"
            line = frame.find_sal()
            found.append((name, f"{line.symtab.filename}:{line.line}" if line.symtab else f"0x{frame.pc():x}"))
            if name.startswith(FIRST):
                break
            frame = frame.older()
        return found
    finally:
        PARKED.context = 0
        gdb.invalidate_cached_frames()


def shown(thread: Thread) -> str:
    return f"thread {thread.number}, worker {thread.worker}"


class Pico(gdb.Command):
    """The threads of pico: pico threads, pico bt."""

    def __init__(self) -> None:
        super().__init__("pico", gdb.COMMAND_STACK, prefix=True)


class Threads(gdb.Command):
    """A line for each thread of pico that has started."""

    def __init__(self) -> None:
        super().__init__("pico threads", gdb.COMMAND_STACK)

    def invoke(self, _argument: str, _from_tty: bool) -> None:
        for thread in sorted(threads()):
            known = [] if thread.running else calls(thread)
            theirs = next((name for name, place in known if not any(part in place for part in OURS)), "pico itself")
            print(f"{shown(thread)}: " + ("running" if thread.running else f"waits in {theirs}"))


class Backtrace(gdb.Command):
    """The calls that each thread of pico is in, or one of them: pico bt [NUMBER]"""

    def __init__(self) -> None:
        super().__init__("pico bt", gdb.COMMAND_STACK)

    def invoke(self, argument: str, _from_tty: bool) -> None:
        chosen = [thread for thread in sorted(threads()) if argument in ("", str(thread.number))]
        if not chosen:
            raise gdb.GdbError(f"there is no thread {argument}" if argument else "no thread has started")
        for thread in chosen:
            if thread.running:
                print(f"{shown(thread)}: running, see bt of its kernel thread")
                continue
            print(shown(thread))
            for depth, (name, place) in enumerate(calls(thread)):
                print(f"#{depth:<3} {name} at {place}")


Pico()
Threads()
Backtrace()
