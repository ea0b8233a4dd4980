"""Handlers that only the thread of the loop may run: what the analyser says of them, and what the report says first."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest
from analysed import ELYZE_PROGRAMS, document, needs_analyser
from cli_support import compile_c

from heddle.documents.constraints import Constraints, check_references
from heddle.errors import BadInputError
from heddle.program.elf import Elf
from heddle.report import data, text
from heddle.report.threads import pinned_line
from heddle.system import places

needs_runtime = pytest.mark.skipif(not places.multivent().is_file(), reason="the runtime is not built")

GOLDEN = Path(__file__).with_name("golden") / "server.constraints.json"


def pins(name: str) -> dict[str, list[str]]:
    found = document(ELYZE_PROGRAMS / name)
    return {handler["name"]: [pin["by"] for pin in handler.get("pinned", ())] for handler in found["handlers"]}


@needs_analyser
def test_a_thread_local_variable_of_a_handler() -> None:
    assert pins("thread_local_state.c") == {"on_a": ["depth"]}


@needs_analyser
def test_who_asks_for_its_thread_and_who_does_not() -> None:
    assert pins("asks_for_its_thread.c") == {
        "on_checked": ["pthread_self"],
        "on_twice": ["pthread_self"],
        "on_value": ["pthread_getspecific"],
        "on_quiet": [],
        "on_end": ["pthread_exit"],
    }


@needs_analyser
def test_the_report_begins_with_what_is_pinned_by_which_call_and_what_to_do() -> None:
    lines = text.report(Constraints(document(ELYZE_PROGRAMS / "asks_for_its_thread.c")))
    head = " ".join(" ".join(lines[2:4]).split())
    assert head == (
        "4 handlers of 5 run only on the thread of the loop: on_checked, on_twice, on_value, on_end, "
        "because of pthread_self, pthread_getspecific, pthread_exit"
    )
    said = "\n".join(lines[5:20])
    assert "pthread_self depends on the thread that it is on: it pins on_checked, on_twice" in said
    assert "on_checked asks_for_its_thread.c:17 > at_home" in said
    assert "remedy: none is needed where these handlers are short" in said


@pytest.fixture
def pinned() -> dict[str, Any]:
    """The first handler changes the signal mask, and the second makes system calls."""
    found: dict[str, Any] = json.loads(GOLDEN.read_text())
    where = {"function": "on_any", "file": "server.c", "line": 3}
    tie = {"by": "sigprocmask", "state": "system", "path": [where], "handler": 0}
    found["ties"] = [tie]
    found["handlers"][0]["pinned"] = [{"by": "sigprocmask", "state": "thread", "path": [where]}]
    found["handlers"][1]["pinned"] = [{"by": "read", "state": "system", "path": [where], "tie": 0}]
    return found


def test_who_is_pinned_by_what_another_handler_changes_is_told_so(pinned: dict[str, Any]) -> None:
    constraints = Constraints(pinned)
    first, second = (constraints.label(number) for number in (0, 1))
    said = " ".join(" ".join(text.report(constraints)).split())
    assert f"2 handlers of {len(constraints.handlers)} run only on the thread of the loop: {first}, {second}, " in said
    assert f"sigprocmask: {first} may change what the kernel keeps for the thread" in said
    assert f"{second} depends on it by read (server.c:3)" in said
    assert data.handler(constraints, constraints.handlers[1])["pinned"] == [
        {"by": "read", "state": "system", "path": ["on_any server.c:3"]}
    ]


def report_of(pinned: dict[str, Any], *names: str, unknown: bool, all_of_it: bool = False) -> str:
    where = {"function": "on_any", "file": "server.c", "line": 3}
    pinned["ties"] = []
    pinned["handlers"][1]["pinned"] = []
    pinned["handlers"][0]["pinned"] = [{"by": name, "state": "thread", "path": [where]} for name in names]
    if unknown:
        pinned["assumptions"] = [{"kind": "unknown_external", "name": name, "count": 1} for name in names]
    return " ".join(" ".join(text.report(Constraints(pinned), all_of_it=all_of_it)).split())


def test_a_library_that_is_not_known_is_one_paragraph_unless_all_is_asked_for(pinned: dict[str, Any]) -> None:
    said = report_of(pinned, "gss_wrap", "gss_unwrap", unknown=True)
    assert "gss_wrap, gss_unwrap are not known to do without their thread: they pin" in said
    assert said.count("remedy: build their source with heddle build") == 1
    said = report_of(pinned, "gss_wrap", "gss_unwrap", unknown=True, all_of_it=True)
    assert "gss_wrap is not known to do without its thread" in said
    assert "gss_unwrap is not known to do without its thread" in said


def test_the_advice_fits_what_pins(pinned: dict[str, Any]) -> None:
    assert "If they are long, take the lock and give it back in one" in report_of(
        pinned, "pthread_mutex_lock", unknown=False
    )
    said = report_of(pinned, "fork", unknown=False)
    assert "If they are long, do what needs fork in a handler of its own" in said
    assert "keep the value" not in said
    assert "keep the value in the session" in report_of(pinned, "pthread_self", unknown=False)
    said = report_of(pinned, "function that unknown code gave", unknown=True)
    assert "remedy: build the source that gives it with heddle build" in said


def test_what_takes_and_gives_back_a_lock_is_one_paragraph(pinned: dict[str, Any]) -> None:
    def pin(by: str, function: str) -> dict[str, Any]:
        return {"by": by, "state": "thread", "path": [{"function": function, "file": "server.c", "line": 3}]}

    pinned["ties"] = []
    pinned["handlers"][1]["pinned"] = []
    pinned["handlers"][0]["pinned"] = [
        pin("pthread_self", "protect"),
        pin("pthread_mutex_lock", "protect"),
        pin("pthread_mutex_unlock", "unprotect"),
        pin("fork", "spawn"),
        pin("execl", "spawn"),
        pin("pthread_getspecific", "value"),
    ]
    said = " ".join(" ".join(text.report(Constraints(pinned))).split())
    assert "pthread_mutex_lock, pthread_mutex_unlock, pthread_self depend on the thread that they are on: they" in said
    assert "(here protect() takes it, and unprotect() gives it back)" in said
    assert "do what needs fork, execl in a handler of its own" in said
    assert said.count("remedy: none is needed where") == 3
    pinned["handlers"][0]["pinned"][0] = pin("pthread_self", "value")
    said = " ".join(" ".join(text.report(Constraints(pinned))).split())
    assert "pthread_self depends on the thread that it is on" in said


def test_nothing_is_said_where_nothing_is_pinned() -> None:
    assert pinned_line(Constraints(json.loads(GOLDEN.read_text()))) == ""


def test_a_tie_that_is_not_there_is_refused(pinned: dict[str, Any]) -> None:
    pinned["handlers"][1]["pinned"][0]["tie"] = 1
    with pytest.raises(BadInputError, match=r"handlers\[1\] names ties\[1\]"):
        check_references(pinned, "x")


@needs_analyser
@needs_runtime
@pytest.mark.parametrize("threads", [2, 4])
@pytest.mark.parametrize("promote", ["adaptive", "shared", "always"])
def test_pinned_handlers_find_their_thread_as_they_left_it_while_others_run(
    tmp_path: Path, threads: int, promote: str
) -> None:
    source = Path(__file__).with_name("keeps_its_thread.c")
    program = compile_c(source.read_text(), tmp_path / "keeps_its_thread", "-levent", "-lm", "-Wl,--build-id")
    found = json.loads(json.dumps(document(source)))
    pinned = {handler["name"] for handler in found["handlers"] if handler.get("pinned")}
    assert pinned == {"on_identity", "on_value", "on_mask", "on_mode", "on_sum", "on_round"}
    found["program"] |= {"name": program.name, "build_id": Elf(program).build_id()}
    constraints = tmp_path / "constraints.json"
    constraints.write_text(json.dumps(found))
    settings = {
        "LD_PRELOAD": str(places.multivent()),
        "HEDDLE_THREADS": str(threads),
        "HEDDLE_CONSTRAINTS": str(constraints),
        "HEDDLE_PROMOTE": promote,
        "HEDDLE_RUN_FILE": str(tmp_path / "run.json"),
        "HEDDLE_ORACLE": "1",
        "HEDDLE_SUMMARY": "0",
    }
    alone = subprocess.run([program], capture_output=True, text=True, check=True)
    done = subprocess.run([program], env=os.environ | settings, capture_output=True, text=True, check=True)
    assert done.stdout == alone.stdout == "identity 0 values 0 masks 0 modes 0 rounds 200\n"
    assert json.loads((tmp_path / "run.json").read_text())["peak_parallel"] >= 2
