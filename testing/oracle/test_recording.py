"""What the pass and the runtime record of small programs: each test is one rule of docs/internals/oracle.md."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from heddle.oracle import accesses
from heddle.oracle.accesses import ATOMIC, FILE, HEAP, WRITES, Accesses
from testing.oracle.small_programs import LIBRARIES, PASS, RUNTIME, SPECS

COMPILER = ("clang-19", "-w", "-g", "-O1", f"-fpass-plugin={PASS}")

HEAD = """
#define _GNU_SOURCE
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>
static struct event_base *base;
static const struct timeval now = {0, 0};
struct thing { long a, b; struct thing *next; struct event ev; };
static struct thing *kept;
static long counter, other;
#define UNUSED (void)fd, (void)what, (void)arg
#define HANDLER(name) static void name(int fd, short what, void *arg)
static void once(event_callback_fn handler, void *arg) { event_base_once(base, -1, EV_TIMEOUT, handler, arg, &now); }
"""


def record(folder: Path, source: str, *, ended_by: int = 0) -> Accesses:
    program, trace = folder / "program", folder / "trace"
    (folder / "program.c").write_text(HEAD + source)
    subprocess.run(
        [*COMPILER, folder / "program.c", "-o", program, f"-Wl,-rpath,{RUNTIME.parent}", *LIBRARIES],
        env={**os.environ, "HEDDLE_SPECS": str(SPECS)},
        check=True,
    )
    done = subprocess.run([program], env={"HEDDLE_ACCESSES": str(trace)}, cwd=folder, check=False, timeout=20)
    assert done.returncode == -ended_by
    return accesses.load(trace)


def main(*calls: str) -> str:
    body = "".join(f"  {call}\n" for call in calls)
    return f"int main(void) {{\n  base = event_base_new();\n{body}  event_base_dispatch(base);\n  return 0;\n}}\n"


def handlers(trace: Accesses) -> list[str]:
    return [trace.sites[int(site)].function for site in trace.invocations["handler"]]


def touched(trace: Accesses, name: str) -> list[tuple[int, int, int]]:
    """Invocation, flags and step of each access to the global."""
    (variable,) = (item for item in trace.globals if item.name == name)
    found = []
    for access in trace.accesses:
        if access["object"] == 0 and variable.address <= access["offset"] < variable.address + variable.bytes:
            found.append((int(access["invocation"]), int(access["flags"]), int(access["step"])))
    return found


def test_only_handlers_are_invocations_and_what_they_call_is_theirs(tmp_path: Path) -> None:
    source = """
    static int compare(const void *a, const void *b) { counter++; return *(int *)a - *(int *)b; }
    static void helper(void) { int all[3] = {3, 1, 2}; qsort(all, 3, sizeof *all, compare); }
    HANDLER(on_a) { UNUSED; helper(); }
    HANDLER(on_b) { UNUSED; other++; }
    """
    trace = record(tmp_path, source + main("counter++;", "helper();", "once(on_a, NULL);", "once(on_b, NULL);"))
    assert handlers(trace) == ["on_a", "on_b"]
    assert {access[0] for access in touched(trace, "counter")} == {1}
    assert sorted(touched(trace, "other")) == [(2, 0, 0), (2, WRITES, 0)]


def test_handlers_of_bufferevents_are_seen_with_their_session(tmp_path: Path) -> None:
    source = """
    static void on_read(struct bufferevent *b, void *arg) {
      counter += *(long *)arg;
      event_base_loopbreak(base);
    }
    static long session = 5;
    """
    calls = (
        "struct bufferevent *pair[2]; bufferevent_pair_new(base, 0, pair);",
        "bufferevent_setcb(pair[1], on_read, NULL, NULL, &session); bufferevent_enable(pair[1], EV_READ);",
        'bufferevent_write(pair[0], "x", 1);',
    )
    trace = record(tmp_path, source + main(*calls))
    assert handlers(trace) == ["on_read"]
    (variable,) = (item for item in trace.globals if item.name == "session")
    assert trace.invocations["session"].tolist() == [variable.address]


def test_each_thing_is_logged_once_in_an_invocation(tmp_path: Path) -> None:
    source = "HANDLER(on_a) { UNUSED; for (volatile int i = 0; i < 1000; i++) counter++; }\n"
    trace = record(tmp_path, source + main("once(on_a, NULL);"))
    assert sorted(touched(trace, "counter")) == [(1, 0, 0), (1, WRITES, 0)]


def test_stack_thread_local_constant_and_errno_are_not_logged(tmp_path: Path) -> None:
    source = """
    static _Thread_local long mine;
    static const char *const names[] = {"a", "b"};
    static void fill(long *where) { *where = 3; }
    HANDLER(on_a) { UNUSED; long local; fill(&local); mine += local; errno = 0; puts(names[fd & 1]); }
    """
    trace = record(tmp_path, source + main("once(on_a, NULL);"))
    assert {trace.sites[int(access["site"])].object for access in trace.accesses if access["flags"] & WRITES} == set()


def test_atomic_accesses_are_marked(tmp_path: Path) -> None:
    source = "static _Atomic long hits;\nHANDLER(on_a) { UNUSED; hits++; counter = atomic_load(&hits); }\n"
    trace = record(tmp_path, source + main("once(on_a, NULL);"))
    assert sorted(touched(trace, "hits")) == [(1, ATOMIC, 0), (1, ATOMIC | WRITES, 0)]


def test_a_block_is_private_until_it_is_published(tmp_path: Path) -> None:
    source = """
    HANDLER(on_a) {
      UNUSED;
      struct thing *first = calloc(1, sizeof *first), *second = calloc(1, sizeof *second);
      first->a = 1, second->a = 2;
      first->next = second;
      kept = first;
      first->b = 3, second->b = 4;
    }
    """
    trace = record(tmp_path, source + main("once(on_a, NULL);"))
    written = {trace.sites[int(access["site"])].object for access in trace.accesses if access["object"] != 0}
    assert written == {"thing->b"}
    assert len({int(access["object"]) for access in trace.accesses if access["object"] != 0}) == 2


def test_memory_that_was_freed_and_allocated_again_is_another_object(tmp_path: Path) -> None:
    source = """
    HANDLER(on_free) { UNUSED; kept->a = 1; free(kept); }
    HANDLER(on_again) { UNUSED; kept = malloc(sizeof *kept); kept->a = 2; }
    HANDLER(on_use) { UNUSED; kept->a = 3; }
    """
    calls = ("kept = malloc(sizeof *kept);", "once(on_free, NULL);", "once(on_again, NULL);", "once(on_use, NULL);")
    trace = record(tmp_path, source + main(*calls))
    blocks = [item for item in trace.objects if item["kind"] == HEAP]
    assert len(blocks) == 2
    assert blocks[0]["address"] == blocks[1]["address"], "the allocator is expected to hand the block out again"
    assert blocks[0]["id"] != blocks[1]["id"]
    whole = [int(a["invocation"]) for a in trace.accesses if a["object"] == blocks[0]["id"] and a["bytes"] > 100]
    assert whole == [1], "freeing writes the whole block"


def test_the_one_that_adds_an_event_is_the_parent(tmp_path: Path) -> None:
    source = """
    HANDLER(on_late) { UNUSED; other++; }
    HANDLER(on_a) {
      UNUSED;
      counter++;
      struct thing *t = calloc(1, sizeof *t);
      evtimer_assign(&t->ev, base, on_late, t);
      evtimer_add(&t->ev, &now);
      other++;
    }
    """
    trace = record(tmp_path, source + main("once(on_a, NULL);"))
    assert handlers(trace) == ["on_a", "on_late"]
    assert trace.invocations["parent"].tolist() == [0, 1]
    (step,) = {access[2] for access in touched(trace, "counter")}
    (after,) = {access[2] for access in touched(trace, "other") if access[0] == 1}
    assert step <= trace.invocations["parent_step"][1] < after


def test_an_event_that_was_pending_anyway_gets_no_parent(tmp_path: Path) -> None:
    source = """
    static struct event late;
    HANDLER(on_late) { UNUSED; other++; }
    HANDLER(on_a) { UNUSED; counter++; evtimer_add(&late, &now); }
    """
    calls = ("evtimer_assign(&late, base, on_late, NULL);", "struct timeval t = {30, 0}; evtimer_add(&late, &t);")
    trace = record(tmp_path, source + main(*calls, "once(on_a, NULL);"))
    assert handlers(trace) == ["on_a", "on_late"]
    assert trace.invocations["parent"].tolist() == [0, 0]


def test_two_descriptors_of_one_open_file_are_one_object(tmp_path: Path) -> None:
    source = """
    static int one, two, three;
    HANDLER(on_a) { UNUSED; write(one, "x", 1); }
    HANDLER(on_b) { UNUSED; write(two, "x", 1); }
    HANDLER(on_c) { UNUSED; write(three, "x", 1); }
    """
    opened = 'one = open("/dev/null", O_WRONLY); two = dup(one); three = open("/dev/null", O_WRONLY);'
    trace = record(tmp_path, source + main(opened, "once(on_a, NULL);", "once(on_b, NULL);", "once(on_c, NULL);"))
    files = {int(item["id"]) for item in trace.objects if item["kind"] == FILE}
    users = {int(a["invocation"]): int(a["object"]) for a in trace.accesses if int(a["object"]) in files}
    assert users[1] == users[2] != users[3]


def test_hidden_state_is_an_object_by_its_name(tmp_path: Path) -> None:
    source = 'static char text[] = "a b";\nHANDLER(on_a) { UNUSED; strtok(text, " "); chdir("."); getenv("HOME"); }\n'
    trace = record(tmp_path, source + main("once(on_a, NULL);"))
    of_chdir = ["identity of the process", "signal handlers", "state of the system", "working directory"]
    assert sorted(trace.hidden.values()) == ["environment", "hidden state of strtok", *of_chdir]


@pytest.mark.parametrize(("call", "signal"), [("raise(15)", 15), ("abort()", 6), ("*(volatile int *)8 = 1", 11)])
def test_a_signal_that_ends_the_program_ends_the_trace(tmp_path: Path, call: str, signal: int) -> None:
    source = f"#include <signal.h>\nHANDLER(on_a) {{ UNUSED; counter++; }}\nHANDLER(on_b) {{ UNUSED; {call}; }}\n"
    trace = record(tmp_path, source + main("once(on_a, NULL);", "once(on_b, NULL);"), ended_by=signal)
    assert handlers(trace) == ["on_a", "on_b"]
    assert {access[0] for access in touched(trace, "counter")} == {1}


def test_a_thread_that_enters_a_loop_while_the_process_ends_leaves_the_trace_alone(tmp_path: Path) -> None:
    source = """
    static struct event_base *second;
    static void *serve(void *arg) { for (;;) event_base_loop(second, EVLOOP_NONBLOCK); }
    static ssize_t slowly(void *cookie, const char *text, size_t bytes) { usleep(50000); return bytes; }
    HANDLER(on_a) { UNUSED; counter++; }
    """
    calls = (
        'FILE *closed_last = fopencookie(NULL, "w", (cookie_io_functions_t){.write = slowly});',
        'fputs("x", closed_last); second = event_base_new(); once(on_a, NULL);',
        "pthread_t thread; pthread_create(&thread, NULL, serve, NULL);",
    )
    trace = record(tmp_path, "#include <pthread.h>\n" + source + main(*calls))
    assert handlers(trace) == ["on_a"]


def test_a_child_writes_no_trace_of_its_parent(tmp_path: Path) -> None:
    source = "HANDLER(on_a) { UNUSED; if (fork() == 0) { counter++; _exit(0); } wait(NULL); other++; }\n"
    trace = record(tmp_path, "#include <sys/wait.h>\n" + source + main("once(on_a, NULL);"))
    assert touched(trace, "counter") == []
    assert touched(trace, "other") != []
