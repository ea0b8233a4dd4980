"""The command line with the real runtime: what it hands over, and that what comes back can be read here."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_support import TOY_SOURCE, Heddle, compile_c

from heddle.documents import schemas, trace
from heddle.program.elf import Elf
from heddle.system import machine, places

pytestmark = pytest.mark.skipif(not places.multivent().is_file(), reason="the runtime is not built")

WriteConstraints = Callable[..., Path]

TICK = {
    "handlers": [
        {
            "id": 0,
            "name": "on_tick",
            "file": "toy.c",
            "line": 7,
            "kind": "timer",
            "session": {"kind": "unknown", "offset": 0},
            "registrations": [],
        }
    ],
    "objects": [],
    "accesses": [],
    "pairs": [{"a": 0, "b": 0, "verdict": "session", "conflicts": []}],
    "assumptions": [],
}


@pytest.fixture
def real(tmp_path: Path) -> Heddle:
    return Heddle(tmp_path, places.build())


def fitting(toy: Path, constraints_for: WriteConstraints) -> Path:
    return constraints_for(toy, Elf(toy).build_id() or "", **TICK)


@pytest.mark.parametrize("how", [("--serial",), ("--threads", "1")])
def test_a_serial_run_names_its_handlers(
    real: Heddle, toy: Path, constraints_for: WriteConstraints, how: tuple[str, ...]
) -> None:
    fitting(toy, constraints_for)
    done = real("run", *how, "--trace", "trace.bin", "--run-file", "run.json", "./toy")
    assert done.code == 3, done.err
    found = trace.load(real.folder / "trace.bin")
    assert (found.handlers, found.header["threads"]) == (["on_tick"], 1)
    assert set(found.records["handler"]) == {0}
    assert schemas.load(real.folder / "run.json", "run")["mode"] == "serial"


def test_constraints_that_do_not_fit_are_nothing_to_a_serial_run(
    real: Heddle, toy: Path, constraints_for: WriteConstraints
) -> None:
    constraints_for(toy, "00c0ffee", **TICK)
    done = real("run", "--serial", "--trace", "trace.bin", "--run-file", "run.json", "./toy")
    assert done.code == 3, done.err
    assert trace.load(real.folder / "trace.bin").handlers == []
    assert schemas.load(real.folder / "run.json", "run")["settings"]["constraints"] is None


def test_a_parallel_run_leaves_a_run_file_and_a_trace_that_hold_to_the_schemas(
    real: Heddle, toy: Path, constraints_for: WriteConstraints
) -> None:
    file = fitting(toy, constraints_for)
    done = real("run", "--threads", "2", "--run-file", "run.json", "--trace", "trace.bin", "./toy", "hello")
    assert (done.code, done.out) == (3, "hello\n"), done.err
    run = schemas.load(real.folder / "run.json", "run")
    assert schemas.problems(run, "run") == []
    assert (run["mode"], run["settings"]["threads"], run["settings"]["constraints"]) == ("parallel", 2, str(file))
    assert run["program"]["arguments"] == ["hello"]
    assert [(h["name"], h["known"], h["invocations"]) for h in run["handlers"]] == [("on_tick", True, 3)]
    found = trace.load(real.folder / "trace.bin")
    ticks = found.of("on_tick")
    assert len(ticks) == 3
    assert (ticks["ready_ns"] <= ticks["start_ns"]).all()
    assert (ticks["start_ns"] <= ticks["end_ns"]).all()


def test_a_summary_follows_unless_the_run_is_quiet(real: Heddle, toy: Path, constraints_for: WriteConstraints) -> None:
    fitting(toy, constraints_for)
    assert "on_tick" in real("run", "--threads", "2", "./toy").err
    assert real("run", "--threads", "2", "--quiet", "./toy").err == ""


def test_a_program_that_is_linked_with_the_runtime_alone_is_run_as_any_other(real: Heddle) -> None:
    folder = places.multivent().parent
    compile_c(
        TOY_SOURCE + "int step(int by) { return by; }",
        real.folder / "linked",
        "-Wl,--build-id,--as-needed",
        f"-L{folder}",
        "-lmultivent",
        "-levent",
        f"-Wl,-rpath,{folder}",
    )
    assert not [name for name in Elf(real.folder / "linked").needed() if name.startswith("libevent")]
    done = real("run", "./linked")
    assert done.err.startswith("heddle: running ./linked serial, because there is no linked.constraints.json beside it")
    assert "on_tick" in done.err


@pytest.mark.parametrize("words", [("--serial",), ("--threads", "1"), ()])
def test_a_serial_run_says_why_in_its_summary_and_its_run_file(real: Heddle, toy: Path, words: tuple[str, ...]) -> None:
    del toy
    done = real("run", *(words or ("--threads", "2")), "--run-file", "run.json", "./toy")
    assert done.code == 3, done.err
    run = schemas.load(real.folder / "run.json", "run")
    assert schemas.problems(run, "run") == []
    assert run["mode"] == "serial"
    assert run["why"]
    assert f"serial, because {run['why']}" in done.err.splitlines()[0]
    assert sum(run["why"] in line for line in done.err.splitlines()) >= 2


@pytest.mark.parametrize(
    ("words", "documented", "said"),
    [
        (("--threads", "2"), True, "with 2 threads (as asked)"),
        (("--serial",), True, "serial, because --serial was given"),
        (("--serial",), False, "serial, because --serial was given"),
        (("--threads", "1"), True, "serial, because --threads 1 was given"),
        (("--threads", "1"), False, "serial, because --threads 1 was given"),
        (
            ("--threads", "2"),
            False,
            "serial, because there is no toy.constraints.json beside it: run heddle analyze ./toy first",
        ),
    ],
)
def test_how_a_program_is_run_is_said_once_before_anything_else(
    real: Heddle, toy: Path, constraints_for: WriteConstraints, words: tuple[str, ...], documented: bool, said: str
) -> None:
    if documented:
        fitting(toy, constraints_for)
    done = real("run", *words, "--run-file", "run.json", "./toy")
    lines = done.err.splitlines()
    assert (done.code, lines[0]) == (3, f"heddle: running ./toy {said}")
    assert sum(line.startswith("heddle: running") for line in lines) == 1
    run = schemas.load(real.folder / "run.json", "run")
    assert said.removeprefix("serial, because ") == run.get("why", said)
    assert real("run", *words, "--quiet", "./toy").err == ""


def test_auto_begins_with_the_cores_this_process_may_use(
    real: Heddle, toy: Path, constraints_for: WriteConstraints
) -> None:
    fitting(toy, constraints_for)
    cores = machine.cores()
    how = f"with as many threads as suit, {cores} (the cores it may use) or more"
    if cores == 1:
        how = "serial, because this process may use one core only (--threads N overrides)"
    assert real("run", "./toy").err.splitlines()[0] == f"heddle: running ./toy {how}"
    pinned = Heddle(real.folder, places.build())
    core = min(os.sched_getaffinity(0))
    done = subprocess.run(
        ["taskset", "-c", str(core), sys.executable, "-m", "heddle", "run", "./toy"],
        cwd=pinned.folder,
        env=pinned.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.stderr.splitlines()[0] == (
        "heddle: running ./toy serial, because this process may use one core only (--threads N overrides)"
    )


CHILDREN = """
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <unistd.h>
void on_tick(evutil_socket_t fd, short what, void *arg) { (void)fd; (void)what; (void)arg; }
int main(int argc, char **argv) {
  fprintf(stderr, "main %d\\n", argc);
  pid_t child = argc > 1 ? 0 : fork();
  struct event_base *base = event_base_new();
  if (child == 0 && argc == 1) execl(argv[0], argv[0], "again", (char *)NULL);
  if (child > 0) waitpid(child, NULL, 0);
  event_base_free(base);
  return 0;
}
"""


def test_children_of_a_program_say_nothing(real: Heddle, constraints_for: WriteConstraints) -> None:
    program = compile_c(CHILDREN, real.folder / "toy", "-levent", "-Wl,--build-id")
    fitting(program, constraints_for)
    lines = real("run", "--threads", "2", "./toy").err.splitlines()
    assert lines[:3] == ["heddle: running ./toy with 2 threads (as asked)", "main 1", "main 2"]
    assert sum("running" in line for line in lines) == 1


def test_a_program_that_only_has_pinned_handlers_runs_on_one_thread(
    real: Heddle, toy: Path, constraints_for: WriteConstraints
) -> None:
    where = {"function": "on_tick", "file": "toy.c", "line": 8}
    pinned = {"pinned": [{"by": "pthread_self", "state": "thread", "path": [where]}]}
    file = constraints_for(toy, Elf(toy).build_id() or "", **TICK | {"handlers": [TICK["handlers"][0] | pinned]})
    assert schemas.problems(schemas.load(file, "constraints"), "constraints") == []
    why = "what may run beside others stays on one thread, such as on_tick (pthread_self)"
    done = real("run", "--threads", "2", "--run-file", "run.json", "./toy")
    assert done.err.splitlines()[0] == f"heddle: running ./toy serial, because {why}"
    run = schemas.load(real.folder / "run.json", "run")
    assert (run["mode"], run["why"]) == ("serial", why)
    # Nor does the runtime by itself do otherwise.
    settings = {"LD_PRELOAD": str(places.multivent()), "HEDDLE_THREADS": "2", "HEDDLE_CONSTRAINTS": str(file)}
    alone = real.folder / "alone.json"
    subprocess.run([toy], env=os.environ | settings | {"HEDDLE_RUN_FILE": str(alone)}, check=False)
    run = schemas.load(alone, "run")
    assert (run["mode"], run["why"]) == ("serial", why)


def test_a_program_of_which_nothing_may_overlap_runs_as_on_libevent(
    real: Heddle, toy: Path, constraints_for: WriteConstraints
) -> None:
    alone = {"pairs": [{"a": 0, "b": 0, "verdict": "always", "conflicts": []}]}
    file = constraints_for(toy, Elf(toy).build_id() or "", **TICK | alone)
    why = "none of its handlers may run beside another one or itself"
    done = real("run", "--threads", "2", "./toy")
    assert done.err.splitlines()[0] == f"heddle: running ./toy serial, because {why}"
    settings = {"LD_PRELOAD": str(places.multivent()), "HEDDLE_THREADS": "2", "HEDDLE_CONSTRAINTS": str(file)}
    for promote, expected in (("", ("serial", why)), ("always", ("parallel", None))):
        run_file = real.folder / f"run{promote}.json"
        more = {"HEDDLE_RUN_FILE": str(run_file), "HEDDLE_PROMOTE": promote}
        subprocess.run([toy], env=os.environ | settings | more, check=False)
        run = schemas.load(run_file, "run")
        assert (run["mode"], run.get("why")) == expected


def test_the_runtime_itself_refuses_constraints_of_another_build(toy: Path, constraints_for: WriteConstraints) -> None:
    file = constraints_for(toy, "0123abcd", **TICK)
    settings = {"HEDDLE_THREADS": "2", "HEDDLE_CONSTRAINTS": str(file), "LD_PRELOAD": str(places.multivent())}

    done = subprocess.run([toy], env=dict(os.environ) | settings, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("heddle: ")
    assert len(done.stderr.splitlines()) == 1


def test_a_run_file_names_the_program_and_its_build(real: Heddle, toy: Path, constraints_for: WriteConstraints) -> None:
    fitting(toy, constraints_for)
    real("run", "--threads", "2", "--quiet", "--run-file", "run.json", "./toy")
    program = json.loads((real.folder / "run.json").read_text())["program"]
    assert (program["name"], program["build_id"]) == ("toy", Elf(toy).build_id())


CRASH = """
#include <event2/event.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
static const char *how;
static void own(int number) { (void)number; if (write(2, "own\\n", 4) < 0) _exit(1); _exit(7); }
void on_tick(evutil_socket_t fd, short what, void *arg) {
  (void)fd; (void)what; (void)arg;
  if (strcmp(how, "abort") == 0) abort();
  if (strcmp(how, "sent") == 0) kill(getpid(), SIGBUS), pause();
  *(volatile int *)8 = 1;
}
int main(int argc, char **argv) {
  how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "own") == 0) signal(SIGSEGV, own);
  struct event_base *base = event_base_new();
  event_active(event_new(base, -1, 0, on_tick, NULL), EV_TIMEOUT, 0);
  return event_base_dispatch(base);
}
"""


@pytest.mark.parametrize("mode", [("--threads", "2"), ("--serial",)])
@pytest.mark.parametrize(
    ("how", "code", "said"),
    [
        ("fault", -signal.SIGSEGV, "heddle: SIGSEGV in handler on_tick\n"),
        ("abort", -signal.SIGABRT, "heddle: SIGABRT in handler on_tick\n"),
        ("sent", -signal.SIGBUS, "heddle: SIGBUS in handler on_tick\n"),
        ("own", 7, "own\n"),
    ],
)
def test_a_crash_names_its_handler_and_ends_as_without_heddle(
    real: Heddle, constraints_for: WriteConstraints, mode: tuple[str, ...], how: str, code: int, said: str
) -> None:
    program = real.folder / "toy"
    command = ["gcc", "-x", "c", "-", "-o", str(program), "-levent", "-Wl,--build-id"]
    subprocess.run(command, input=CRASH, text=True, check=True)
    assert subprocess.run([program, how], capture_output=True).returncode == code
    fitting(program, constraints_for)
    done = real("run", *mode, "./toy", how)
    assert done.code == code
    assert done.err.endswith(said)
