"""The analyser's annotated programs, run: no overlap that the verdicts would have allowed.

elyze/tests/verdict_test.cpp holds the verdicts against what a person read; this holds them against what happens.
"""

from __future__ import annotations

import json
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from heddle.documents.constraints import Constraints
from heddle.oracle import accesses
from heddle.oracle.check import Outcome, check
from heddle.oracle.predictions import predictions
from testing.oracle.small_programs import CANNOT_RUN, PROGRAMS, Program, build

SEEDS = (1, 2)
# Where a handler ends the program, or an error does, a run is over after a few of them: then there are others, unless
# it had to be stopped.
MORE_SEEDS = (3, 4, 5, 6, 7, 8)
ENOUGH_INVOCATIONS = 60

NOT_RUN = CANNOT_RUN | {
    "alias_by_assembler_of_a_known_function": "puts a function in the place of strlen(), which the recorder calls",
    "data_between_the_linkers_symbols": "changes all data of the process, the recorder's too",
    **dict.fromkeys(
        ("http_request_is_answered_later", "peers_of_requests_are_printed"), "answers a client, which it does not have"
    ),
    "pinned_by_cancellation": "cancels the thread of its loop, in the middle of the recorder",
    "closefrom_closes_every_file": "closes the file of its trace too",
}
# The words of their command lines: files, a connection of the agitator (3), standard output (1).
ARGUMENTS = {
    "accepted_socket_beside_a_descriptor_of_unknown_origin": ("3",),
    "descriptor_of_unknown_origin_may_be_a_file": ("1",),
    "referenced_bytes_of_an_argument": ("word",),
    "timer_event_with_a_descriptor_of_unknown_origin": ("1",),
    "two_logs_that_are_appended_to": ("access.log", "error.log"),
    "word_of_the_command_line_or_a_constant": ("word",),
}
# Its steps activate each other for ever, so that the loop never looks at the clock.
SECONDS = {"steps_activate_each_other_in_one_session": 0.1}

Runs = tuple[Program, list[Outcome]]


def runs_of(source: Path, folder: Path, late: bool) -> Runs:
    program = build(source, folder, late, ARGUMENTS.get(source.stem, ()))
    longest_s = SECONDS.get(source.stem, 4.0)
    begun = time.monotonic()
    outcomes = [program.run(seed, longest_s=longest_s) for seed in SEEDS]
    waits = time.monotonic() - begun > longest_s
    for seed in () if waits else MORE_SEEDS:
        if sum(outcome.invocations for outcome in outcomes) < ENOUGH_INVOCATIONS:
            outcomes.append(program.run(seed, longest_s=longest_s))
    return program, outcomes


def all_runs(folder: Path, late: bool) -> dict[str, Future[Runs]]:
    pool = ThreadPoolExecutor(2)
    runs = {p.stem: pool.submit(runs_of, p, folder, late) for p in PROGRAMS if p.stem not in NOT_RUN}
    pool.shutdown(wait=False)  # each test waits for its own program
    return runs


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Future[Runs]]:
    return all_runs(tmp_path_factory.mktemp("programs"), late=False)


@pytest.fixture(scope="module")
def late_results(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Future[Runs]]:
    """With late points wherever there can be one."""
    return all_runs(tmp_path_factory.mktemp("late"), late=True)


every_program = pytest.mark.parametrize("name", [path.stem for path in PROGRAMS])


def assert_no_failure(name: str, results: dict[str, Future[Runs]]) -> None:
    if name in NOT_RUN:
        pytest.skip(NOT_RUN[name])
    _, outcomes = results[name].result()
    assert sum(outcome.invocations for outcome in outcomes) > 0, "no handler was called"
    assert [failure for outcome in outcomes for failure in outcome.failures] == []


@pytest.mark.timeout(600)
@every_program
def test_no_overlap_that_the_verdicts_would_have_allowed(name: str, results: dict[str, Future[Runs]]) -> None:
    assert_no_failure(name, results)


@pytest.mark.slow
@pytest.mark.timeout(600)
@every_program
def test_nor_one_before_a_late_point(name: str, late_results: dict[str, Future[Runs]]) -> None:
    assert_no_failure(name, late_results)


@pytest.mark.slow
def test_in_many_programs_something_waits_for_a_late_point(late_results: dict[str, Future[Runs]]) -> None:
    """If all handlers were trusted to start together, some runs would fail: the oracle sees early accesses."""
    waiting = blamed = 0
    for future in late_results.values():
        program, _ = future.result()
        weaker = [pair for pair in program.constraints.pairs if pair.together != pair.verdict]
        waiting += bool(weaker)
        document = json.loads((program.executable.with_suffix(".json")).read_text())
        for pair in document["pairs"]:
            pair["starts"] = {"a": "never", "b": "never"}
        blamed += bool(recheck(Program(program.executable, Constraints(document))).failures)
    print(f"late points let handlers start together in {waiting} programs, too early in {blamed} if all were trusted")
    assert min(waiting, blamed) >= 10


_NOT_RECORDED = ("event loop", "end of the process", "process whose copy goes on", "addresses of sockets")


def is_recorded(thing: dict[str, Any]) -> bool:
    """Whether the oracle can see an overlap on the object at all (docs/internals/oracle.md, "What it does not see")."""
    kind, name, use = thing["kind"], thing["name"], thing.get("use", {})
    if kind == "os":
        return name not in _NOT_RECORDED and not name.startswith(("contents of ", "directory entry of ", "what "))
    if kind == "unknown":
        return name != "inline assembly" and not name.startswith("unknown external ")
    if name.startswith("stream ") or thing.get("type", "").startswith("pthread_"):
        return False
    others = ("reads", "adds", "sets", "constants", "calls")
    return not (use.get("complete") and use["atomics"] > 0 and all(use[one] == 0 for one in others))


def with_recorded_pairs(program: Program) -> Constraints:
    document = json.loads(program.executable.with_suffix(".json").read_text())
    for pair in document["pairs"]:
        if not any(is_recorded(document["objects"][conflict["object"]]) for conflict in pair["conflicts"]):
            pair["verdict"] = "never"
    return Constraints(document)


def test_most_predicted_pairs_are_witnessed(results: dict[str, Future[Runs]]) -> None:
    """Otherwise the test above would prove nothing. The pairs that are missing need particular input."""
    predicted = run = witnessed = 0
    for future in results.values():
        program, outcomes = future.result()
        called = set().union(*(outcome.called for outcome in outcomes))
        witnesses = [overlap for outcome in outcomes for overlap in outcome.witnesses]
        found = predictions(with_recorded_pairs(program), replace(outcomes[0], called=called, witnesses=witnesses))
        predicted += found.pairs
        run += found.pairs_run
        witnessed += found.pairs_witnessed
    print(f"the oracle witnessed {witnessed} of {predicted} pairs, of {run} whose handlers were called")
    assert run >= 0.94 * predicted, "too many handlers wait for a client that is not there"
    assert witnessed >= 0.72 * run


def test_a_wrong_verdict_is_found(results: dict[str, Future[Runs]]) -> None:
    """With every verdict taken away, the same runs show failures in most programs that have a conflict."""
    blamed = conflicting = 0
    for future in results.values():
        program, _ = future.result()
        document = json.loads((program.executable.with_suffix(".json")).read_text())
        if not any(pair["verdict"] != "never" for pair in document["pairs"]):
            continue
        conflicting += 1
        for pair in document["pairs"]:
            pair["verdict"] = "never"
        wrong = Program(program.executable, Constraints(document))
        blamed += bool(recheck(wrong).failures)
    print(f"wrong verdicts were found in {blamed} of {conflicting} programs")
    assert blamed >= 0.7 * conflicting


def recheck(program: Program) -> Outcome:
    return check(accesses.load(program.executable.with_suffix(f".{SEEDS[0]}.accesses")), program.constraints)
