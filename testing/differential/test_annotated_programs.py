"""The analyser's annotated programs do the same on libevent and on the runtime, with the verdicts that they are given.

elyze/tests/verdict_test.cpp holds the verdicts against what a person read, testing/oracle against what code touches;
this holds them, and the order in which the runtime calls what is in conflict, against what comes out.
"""

from __future__ import annotations

import json
import zlib
from collections import Counter
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from testing.differential.annotated_programs import Program, build, differences, run
from testing.oracle.small_programs import CANNOT_RUN, PROGRAMS

# By their names: a new program does not change which others are run.
SAMPLE = [program for program in PROGRAMS if zlib.crc32(program.stem.encode()) % 12 == 5]
THREADS = (2, 4)
ROUNDS = 20
PLAIN_RUNS = 3

NOT_RUN = CANNOT_RUN | {
    **dict.fromkeys(
        (
            "allocations_of_a_loop_are_freed_again",
            "both_ends_of_a_pipe",
            "mixed_bytes_through_writev",
            "mutex_is_held_while_its_owner_waits",
            "own_loop_passes_what_a_client_owns",
            "pointer_sent_with_writev",
            "sigsuspend_reads_its_mask",
            "steps_activate_each_other_in_one_session",
            "touched_after_it_was_sent",
            "value_of_a_timer_comes_back",
        ),
        "has a handler, or a chain of them, that never ends on libevent either",
    ),
    "alias_by_assembler_of_a_known_function": "puts a function in the place of strlen(), which the runtime calls",
    "blocks_of_libevent_come_from_malloc": "has an allocator that lets nothing grow, which the runtime's own blocks do",
    "host_that_fails_calls_back_at_once": "waits for a resolver that is not there",
    "own_malloc_under_strdup": "has an allocator of its own",
    "pointer_in_the_time_of_a_timer": "points beside its object, for the kernel rounds the time that has it",
    "watcher_is_owned_by_a_session": "calls libev, which is not installed",
    "asks_for_its_thread": "ends the thread of its loop, and with it its process where it has no others",
    "base_freed_by_a_handler_calls_finalizers": "frees a base twice, which libevent does not survive",
    "priorities_are_set_by_a_handler": "changes the priorities of a base with due calls, which ends libevent",
}

# What comes out is not determined by the order of what conflicts, or differs on libevent by itself.
NOT_REPEATABLE = {
    **dict.fromkeys(
        (
            "atomic_compare_and_swap_loop_is_one_step",
            "atomic_store_alone_is_one_step",
            "atomic_sums_of_one_invocation",
        ),
        "shows the value of an atomic variable, for whose sake handlers are kept in no order",
    ),
    "limits_of_a_session_are_given_to_its_peer": "frees a block twice, and the C library's words depend on the thread",
    "loops_of_two_threads_see_halves": "has two loops at once, and keeps whether one saw one half of the other",
    **dict.fromkeys(
        ("global_jump_buffer_is_shared", "pinned_by_jumps", "scratch_is_left_by_a_jump"),
        "keeps a jump buffer, in which are addresses of stacks and what was there before",
    ),
    **dict.fromkeys(
        ("pinned_by_clock_of_the_thread", "results_of_system_calls_are_written"), "keeps times that were measured"
    ),
    "events_lie_in_the_pool": "keeps its events in a pool, whose links are libevent's or the runtime's",
    "halves_that_a_thread_sees": "has a thread that looks once, when the kernel lets it run",
    "limits_shared_by_two_bufferevents": "frees twice on libevent, too, which one of two checks reports",
    "list_of_open_files": "lists descriptors, of which the runtime has some, too",
    "pinned_by_thread_local": "keeps the number of a key of threads, of which the runtime has one, too",
    "pinned_by_the_depth_of_the_stack": "keeps how deep the stack is, with the frames of the loop",
    "pinned_by_parents_of_processes": "keeps numbers of processes, and looks whether they have ended",
    "allocator_given_to_libevent_counts_in_handlers": "counts what libevent allocates for itself",
    "child_of_fork_writes_shared_memory": "has a child that runs beside it",
    **dict.fromkeys(
        ("filter_leaves_its_writer_to_the_loop", "finalizer_runs_as_a_handler"),
        "has a call that was made due by one from before the loop, and goes before what the first poll had found",
    ),
    "contents_of_a_file_are_shared_by_its_path": "prints more than it has read",
    "data_between_the_linkers_symbols": "adds up all of its data, with the addresses of other libraries",
    "previous_action_is_called": "keeps a structure of which the C library fills one part",
    "shared_directory_stream": "lists a folder that others change",
}


@dataclass
class Compared:
    """One program; `found` says what differs, by seed and number of threads."""

    found: dict[str, list[str]] = field(default_factory=dict)
    parallel: bool = False
    overlapped: bool = False
    crashed: bool = False  # on plain libevent, too, and the same way


def compare(program: Program, seeds: Iterable[int]) -> Compared:
    result = Compared()
    for seed in seeds:
        plain = [run(program, seed, ROUNDS, None) for _ in range(PLAIN_RUNS)]
        result.crashed |= plain[0].code is None or plain[0].code < 0
        for threads in THREADS:
            ours = run(program, seed, ROUNDS, threads)
            different = differences(plain, ours)
            if different:
                result.found[f"seed {seed}, {threads} threads"] = different
            result.parallel |= ours.figures.get("mode") == "parallel"
            result.overlapped |= ours.figures.get("peak_parallel", 0) >= 2
    return result


def compare_all(
    sources: list[Path], folder: Path, seeds: Iterable[int], change: Callable[[Program], None] = lambda _: None
) -> dict[str, Compared]:
    def one(source: Path) -> Compared:
        (folder / source.stem).mkdir()
        program = build(source, folder / source.stem)
        change(program)
        return compare(program, seeds)

    run_here = [source for source in sources if source.stem not in NOT_RUN]
    with ThreadPoolExecutor(2) as pool:
        return dict(zip((source.stem for source in run_here), pool.map(one, run_here), strict=True))


def said(compared: dict[str, Compared], sources: list[Path]) -> str:
    reasons = Counter(NOT_RUN[source.stem] for source in sources if source.stem in NOT_RUN)
    return "\n".join(
        [
            f"{len(compared)} of {len(sources)} programs run, {sum(one.parallel for one in compared.values())} in "
            f"parallel, {sum(one.overlapped for one in compared.values())} with invocations that overlapped, "
            f"{sum(one.crashed for one in compared.values())} that crash or hang on libevent, too",
            *(f"  {count} not run: {reason}" for reason, count in reasons.most_common()),
            *(f"  not repeatable: {name} {NOT_REPEATABLE[name]}" for name in compared if name in NOT_REPEATABLE),
        ]
    )


def assert_same(sources: list[Path], folder: Path, seeds: Iterable[int], overlapping: float) -> None:
    compared = compare_all(sources, folder, seeds)
    print(said(compared, sources))
    different = [
        f"{name}, {which}: {'; '.join(found[:4])}"
        for name, one in compared.items()
        if name not in NOT_REPEATABLE
        for which, found in one.found.items()
    ]
    assert not different, f"{len(different)} runs differ\n" + "\n".join(different)
    assert sum(one.overlapped for one in compared.values()) >= overlapping * len(compared)


@pytest.mark.timeout(600)
def test_a_sample_does_what_it_does_on_libevent(tmp_path: Path) -> None:
    assert_same(SAMPLE, tmp_path, [1], overlapping=0.2)


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_all_do_what_they_do_on_libevent(tmp_path: Path) -> None:
    assert_same(PROGRAMS, tmp_path, [1, 2], overlapping=0.3)


def trusted_blindly(program: Program) -> None:
    document = json.loads(program.constraints.read_text())
    for pair in document["pairs"]:
        pair |= {"verdict": "never", "conflicts": []}
        pair.pop("starts", None)
    program.constraints.write_text(json.dumps(document))


@pytest.mark.timeout(600)
def test_wrong_verdicts_are_found(tmp_path: Path) -> None:
    """With every verdict taken away, the same runs differ in many of the programs that have a conflict."""
    compared = compare_all(SAMPLE, tmp_path, [1], trusted_blindly)
    found = sum(bool(one.found) and one.parallel for one in compared.values())
    print(f"wrong verdicts were found in {found} of {len(compared)} programs")
    assert found >= 0.3 * len(compared)


SCRATCH = next(program for program in PROGRAMS if program.stem == "scratch_text_of_each_session")


def without_scratch(program: Program) -> None:
    """The verdicts that hold where each thread has its own scratch objects, and none has."""
    document = json.loads(program.constraints.read_text())
    del document["scratch"]
    for pair in document["pairs"]:
        if "apart" in pair:
            pair |= {"verdict": pair.pop("apart"), "conflicts": []}
    program.constraints.write_text(json.dumps(document))


@pytest.mark.timeout(300)
def test_threads_have_their_own_scratch(tmp_path: Path) -> None:
    compared = compare_all([SCRATCH], tmp_path, [1])[SCRATCH.stem]
    assert compared.overlapped
    assert not compared.found


@pytest.mark.timeout(300)
def test_without_it_they_would_write_over_each_others_texts(tmp_path: Path) -> None:
    assert compare_all([SCRATCH], tmp_path, [1], without_scratch)[SCRATCH.stem].found
