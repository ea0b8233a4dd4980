"""Predictions of runs whose right answer is known: what can overlap does, and what conflicts never does."""

from __future__ import annotations

import itertools
import json
import random
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from cli_support import GOLDEN, Heddle
from test_documents import TRACE_HEADER, trace_bytes

from heddle.documents import trace
from heddle.documents.constraints import Constraints, Verdict
from heddle.errors import BadInputError
from heddle.predict import outlook, simulation, workload
from heddle.predict.workload import ALONE, UNKNOWN, Workload

MS = 1e-3


def work(jobs: list[tuple[int, int, float, float, int, float]], threads: int = 1) -> Workload:
    """From (handler, session, cpu, blocked, after, delay) each."""
    handler, session, cpu, blocked, after, delay = (list(column) for column in zip(*jobs, strict=True))
    names = [f"h{number}" for number in range(max(handler) + 1)]
    ended = np.arange(1.0, len(jobs) + 1)
    return Workload(names, handler, session, cpu, blocked, after, delay, delay, ended, threads, [True] * len(jobs))


def alone(count: int, cpu: float = MS, blocked: float = 0.0) -> Workload:
    """Invocations that are all due at once, each of a session of its own."""
    return work([(0, number + 1, cpu, blocked, ALONE, 0.0) for number in range(count)])


def verdicts(verdict: Verdict) -> simulation.Rules:
    size = 3
    row = (1 << size) - 1
    return simulation.Rules([row if verdict == "always" else 0] * size, [row if verdict == "session" else 0] * size)


def length(jobs: Workload, verdict: Verdict, threads: int, cores: int) -> float:
    return float(simulation.simulate(jobs, verdicts(verdict), threads, cores).max())


@pytest.mark.parametrize("threads", [1, 2, 4, 8])
def test_what_never_conflicts_uses_every_thread(threads: int) -> None:
    assert length(alone(64), "never", threads, threads) == pytest.approx(64 * MS / threads)


@pytest.mark.parametrize("threads", [1, 2, 8])
def test_what_always_conflicts_gains_nothing(threads: int) -> None:
    assert length(alone(64), "always", threads, threads) == pytest.approx(64 * MS)


def test_sessions_overlap_and_one_session_does_not() -> None:
    two = work([(0, 1 + number % 2, MS, 0.0, ALONE, 0.0) for number in range(40)])
    assert length(two, "session", 8, 8) == pytest.approx(20 * MS)


def test_computing_needs_cores_and_blocking_needs_threads() -> None:
    assert length(alone(64), "never", 8, 2) == pytest.approx(32 * MS)
    assert length(alone(64, cpu=0.0, blocked=MS), "never", 8, 2) == pytest.approx(8 * MS)


def test_short_handlers_run_one_after_the_other() -> None:
    """No other thread is woken for them."""
    assert length(alone(64, cpu=1e-5), "never", 8, 8) == pytest.approx(64e-5)


def test_short_handlers_run_beside_a_long_one() -> None:
    short = [(1, 0, 1e-5, 0.0, ALONE, 0.0) for _ in range(100)]
    assert length(work([(0, 0, 5 * MS, 0.0, ALONE, 0.0), *short]), "never", 2, 2) == pytest.approx(5 * MS)


def test_what_came_while_nobody_asked_waits_behind_what_a_handler_made_due() -> None:
    """A handler of 1 ms activates another; a descriptor is ready meanwhile."""
    jobs = work([(0, 0, MS, 0.0, ALONE, 0.0), (0, 0, MS, 0.0, ALONE, MS / 2), (0, 0, MS, 0.0, 0, 0.0)])
    jobs.reported[2] = False
    assert simulation.simulate(jobs, verdicts("never"), 1, 1).tolist() == pytest.approx([MS, 3 * MS, 2 * MS])
    # A second thread asks at once.
    assert simulation.simulate(jobs, verdicts("never"), 2, 2).tolist() == pytest.approx([MS, 1.5 * MS, 2 * MS])


def test_nobody_asks_the_kernel_beside_a_short_handler() -> None:
    """A long handler ends, and what it made due is short; a descriptor gets ready while that runs."""
    short = 1e-4
    jobs = work(
        [(0, 0, MS, 0.0, ALONE, 0.0), (1, 0, short, 0.0, 0, 0.0), (2, 0, MS, 0.0, ALONE, MS + short / 2)], threads=2
    )
    jobs.reported[1] = False
    ends = simulation.simulate(jobs, verdicts("never"), 2, 2)
    assert ends[2] == pytest.approx(2 * MS + short)


def test_questions_in_vain_are_left_to_the_watchdog() -> None:
    """Six that conflict with a long handler get ready beside it; so does, later, one that does not."""
    free = 2
    waiting = [(1, 0, 0.3 * MS, 0.0, ALONE, 0.1 * MS * number) for number in range(1, 7)]
    jobs = work([(0, 0, 10 * MS, 0.0, ALONE, 0.0), *waiting, (free, 0, 0.3 * MS, 0.0, ALONE, 4.2 * MS)])
    rules = simulation.Rules([0b010, 0b011, 0b000], [0, 0, 0])
    ends = simulation.simulate(jobs, rules, 4, 4)
    assert ends[7] == pytest.approx(5.3 * MS)  # the tick behind 4.2 ms
    assert ends[1] == pytest.approx(10.3 * MS)


def test_what_a_handler_makes_due_stands_before_what_is_found_later() -> None:
    """A long handler makes a second one due at its end; a third was found meanwhile, and conflicts with the second."""
    jobs = work(
        [
            (0, 0, 2 * MS, 0.0, ALONE, 0.0),  # runs beside both
            (1, 0, MS, 0.0, ALONE, 0.0),
            (2, 0, MS, 0.0, 1, 0.0),  # the first has to wait for it no longer
            (1, 0, MS, 0.0, ALONE, 0.5 * MS),
        ]
    )
    jobs.reported[2] = False
    rules = simulation.Rules([0b000, 0b110, 0b010], [0, 0, 0])
    ends = simulation.simulate(jobs, rules, 3, 3)
    assert (ends[2], ends[3]) == (pytest.approx(2 * MS), pytest.approx(3 * MS))


def test_a_chain_takes_its_time_whatever_the_threads() -> None:
    chain = work([(0, 1, MS, 0.0, number - 1, 0.5 * MS if number else 0.0) for number in range(10)])
    assert length(chain, "session", 8, 8) == pytest.approx(10 * MS + 9 * 0.5 * MS)


def test_what_is_due_starts_in_order_among_those_that_conflict() -> None:
    jobs = work([(0, 0, MS, 0.0, ALONE, number * 1e-6) for number in range(20)])
    ends = simulation.simulate(jobs, verdicts("always"), 4, 4)
    assert list(np.argsort(ends)) == list(range(20))


def test_what_is_not_named_runs_alone() -> None:
    jobs = work([(0, 1, MS, 0.0, ALONE, 0.0), (0, 2, MS, 0.0, ALONE, 0.0)])
    jobs.handler[0] = UNKNOWN
    assert length(jobs, "never", 2, 2) == pytest.approx(2 * MS)


def test_random_work_never_overlaps_where_it_must_not() -> None:
    chance = random.Random(7)
    for _ in range(60):
        size = 3
        always = [[chance.random() < 0.3 for _ in range(size)] for _ in range(size)]
        session = [[chance.random() < 0.5 for _ in range(size)] for _ in range(size)]
        rows = [
            [sum(1 << b for b in range(size) if table[min(a, b)][max(a, b)]) for a in range(size)]
            for table in (always, session)
        ]
        jobs = work(
            [
                (
                    chance.randrange(size),
                    chance.randrange(4),
                    chance.choice([1e-5, MS]),
                    chance.choice([0.0, MS]),
                    chance.randrange(-1, number) if number else ALONE,
                    chance.random() * MS,
                )
                for number in range(80)
            ]
        )
        ends = simulation.simulate(jobs, simulation.Rules(*rows), 3, 2)
        assert (ends > 0).all()  # all came to an end
        # Without sharing of cores a span is known from its end; here it can only have been longer.
        spans = [(ends[i] - jobs.cpu[i] - jobs.blocked[i], ends[i], i) for i in range(80)]
        for begin_a, end_a, a in spans:
            for begin_b, end_b, b in spans:
                if a >= b or min(end_a, end_b) - max(begin_a, begin_b) < 1e-9:
                    continue
                first, second = sorted((jobs.handler[a], jobs.handler[b]))
                same = jobs.session[a] and jobs.session[a] == jobs.session[b]
                assert not always[first][second]
                assert not (session[first][second] and same)


# ---- from traces ----

NS = 1_000_000  # a millisecond


def record(
    number: int, ready: int, start: int, end: int, session: int, what: int, cpu: int = 0, late_us: int = 0
) -> tuple[int, ...]:
    flags = trace.GOT_TO_LATE_POINT if late_us else 0
    return (ready, start, end, cpu or end - start, session, number, 0, trace.NONE, late_us, 0, what, flags)


def trace_of(records: list[tuple[int, ...]], folder: Path, **header: object) -> trace.Trace:
    usual = {"program": {"name": "server", "build_id": "00c0ffee"}, "threads": 1}
    names = {"handlers": ["on_accept", "on_lookup", "on_store"]}
    path = folder / "server.trace"
    path.write_bytes(trace_bytes(TRACE_HEADER | usual | names | header, *records))
    return trace.load(path)


def test_an_activated_handler_follows_the_one_that_activated_it(tmp_path: Path) -> None:
    records = [record(1, 0, 0, NS, 5, 2), record(2, NS // 2, NS, 2 * NS, 5, 0), record(3, NS, 2 * NS, 3 * NS, 0, 0)]
    found = workload.read(trace_of(records, tmp_path), "t")
    assert (found.after, found.delay) == ([ALONE, 0, 1], [0.0, 0.0, 0.0])


def test_an_idle_loop_knows_when_the_client_asked(tmp_path: Path) -> None:
    records = [record(1, 0, 0, NS, 5, 2), record(2, 4 * NS, 4 * NS, 5 * NS, 5, 2)]
    found = workload.read(trace_of(records, tmp_path), "t")
    assert found.after == [ALONE, 0]
    assert found.delay[1] == pytest.approx(3 * MS)


def test_a_busy_loop_may_have_learnt_late(tmp_path: Path) -> None:
    """Two clients in turn; while one is served nobody looks whether the other asks."""
    records = [record(number, number * NS, number * NS, (number + 1) * NS, 5 + number % 2, 2) for number in range(1, 9)]
    found = workload.read(trace_of(records, tmp_path), "t")
    assert found.after[2:] == list(range(6))
    assert found.delay[2:] == [0.0] * 6
    assert found.most_delay[2:] == pytest.approx([MS] * 6)
    assert found.outside(0.25).delay[2:] == pytest.approx([MS / 4] * 6)


def test_what_one_look_found_was_found_at_one_time(tmp_path: Path) -> None:
    """A loop of one thread notes its events one after the other, and may have been idle before that for a while."""
    clients, rounds, noted = 8, 6, 500
    records = []
    for number in range(clients * rounds):
        turn, client = divmod(number, clients)
        begin = turn * (clients * NS + 60_000)  # the look takes so long, for so many
        start = begin + client * NS + clients * noted
        records.append(record(number, begin + client * noted, start, start + NS, 5 + client, 2))
    found = workload.read(trace_of(records, tmp_path), "t")
    assert found.after[clients:] == list(range(clients * (rounds - 1)))
    assert found.delay[clients:] == [0.0] * (clients * (rounds - 1))
    assert found.delay[:clients] == [0.0] * clients


def test_blocking_is_told_from_waiting_for_a_processor(tmp_path: Path) -> None:
    long = [record(n, n * 10 * NS, n * 10 * NS, n * 10 * NS + 4 * NS, 0, 2, cpu=NS) for n in range(1, 11)]
    often = workload.read(trace_of(long, tmp_path, threads=3), "t")
    assert often.blocked[0] == pytest.approx(3 * MS)
    once = [record(n, n * 10 * NS, n * 10 * NS, n * 10 * NS + NS, 0, 2, cpu=NS) for n in range(2, 11)] + long[:1]
    rarely = workload.read(trace_of(once, tmp_path, threads=3), "t")
    assert sum(rarely.blocked) == 0


def test_what_was_waited_at_a_late_point_is_no_work(tmp_path: Path) -> None:
    records = [record(1, 0, 0, 4 * NS, 5, 2, cpu=NS, late_us=2000), record(2, 0, NS, 2 * NS, 6, 2)]
    found = workload.read(trace_of(records, tmp_path), "t")
    assert (found.cpu[0], found.blocked[0]) == (pytest.approx(MS), pytest.approx(MS))
    assert found.late == {0}


def test_who_gets_to_a_late_point_waits_and_others_do_not(golden: dict[str, Any], tmp_path: Path) -> None:
    """on_store of many sessions, which run together until they get to a late point; every fourth one does."""
    handler = 2
    golden["pairs"] = [
        pair | ({"verdict": "always", "starts": {"a": "never", "b": "never"}} if pair["a"] == pair["b"] else {})
        for pair in golden["pairs"]
    ]
    constraints = Constraints(golden)
    assert constraints.pair(handler, handler).together == "never"

    def speed_up(every: int) -> float:
        records = []
        for n in range(1, 401):
            late = trace.GOT_TO_LATE_POINT if n % every == 0 else 0
            start, end, session = n * NS, (n + 1) * NS, 100 + n
            records.append((n * NS // 10, start, end, NS, session, n, handler, trace.NONE, 0, 0, 2, late))
        names = [known.name for known in constraints.handlers]
        header = {"handlers": names, "program": {"name": "server", "build_id": constraints.build_id}}
        predictor = outlook.Predictor(trace_of(records, tmp_path, **header), "t", constraints)
        return predictor.outlook([4]).rates[0] / predictor.outlook([1]).rates[0]

    assert speed_up(1) == pytest.approx(1, abs=0.1)
    assert 1.2 < speed_up(4) < 3
    assert speed_up(1000) > 3.5


def test_what_comes_to_a_busy_loop_without_a_session_was_sent_by_what_ran(tmp_path: Path) -> None:
    """As between the links of a relay: a faster run gets it sooner. To an idle loop it comes at a time of its own."""
    busy = [record(number, number * NS, number * NS, (number + 1) * NS, 0, 2) for number in range(6)]
    idle = record(6, 9 * NS, 9 * NS, 10 * NS, 0, 2)
    found = workload.read(trace_of([*busy, idle], tmp_path), "t")
    assert ALONE not in found.after[1:6]
    assert found.delay[1:6] == [0.0] * 5
    assert found.after[6] == ALONE


def test_a_client_that_asks_late_comes_behind_its_own_call_too(tmp_path: Path) -> None:
    """Client 5 was answered, was not there at the next look, and asks again beside client 6, which runs meanwhile."""
    records = [
        record(0, 0, 500, NS, 5, 2),
        record(1, NS, NS + 500, 2 * NS, 6, 2),  # this look did not find client 5
        record(2, 2 * NS, 2 * NS + 500, 3 * NS, 5, 2),
    ]
    found = workload.read(trace_of(records, tmp_path), "t")
    assert (found.after[2], found.behind[2]) == (1, 0)
    # Even where client 6 is done long before, one session's calls come one after the other, with both of them past.
    quick = work([(0, 5, 4 * MS, 0.0, ALONE, 0.0), (0, 6, MS, 0.0, ALONE, 0.0), (0, 5, MS, 0.0, 1, 0.5 * MS)])
    ends = simulation.simulate(replace(quick, behind=(ALONE, ALONE, 0)), verdicts("never"), 3, 3)
    assert ends.tolist() == pytest.approx([4 * MS, MS, 5 * MS])
    slow = work([(0, 5, MS, 0.0, ALONE, 0.0), (0, 6, 4 * MS, 0.0, ALONE, 0.0), (0, 5, MS, 0.0, 1, 0.5 * MS)])
    ends = simulation.simulate(replace(slow, behind=(ALONE, ALONE, 0)), verdicts("never"), 3, 3)
    assert ends.tolist() == pytest.approx([MS, 4 * MS, 5.5 * MS])


def test_a_trace_without_names_or_load_says_what_to_do(tmp_path: Path) -> None:
    records = [record(1, 0, 0, NS, 0, 2), record(2, 0, NS, 2 * NS, 0, 2)]
    with pytest.raises(BadInputError, match="names no handlers"):
        workload.read(trace_of(records, tmp_path, handlers=[]), "t")
    with pytest.raises(BadInputError, match="next to nothing"):
        workload.read(trace_of(records[:1], tmp_path), "t")


# ---- with constraints ----


def loaded(tmp_path: Path) -> tuple[trace.Trace, Constraints]:
    """on_store of many sessions under way at once, which the golden document keeps apart."""
    golden = Constraints(json.loads((GOLDEN / "server.constraints.json").read_text()))
    names = [handler.name for handler in golden.handlers]
    blocked = next(
        pair for pair in golden.pairs if pair.a == pair.b and any(c.verdict == "always" for c in pair.conflicts)
    )
    records = [
        (n * NS // 10, n * NS, (n + 1) * NS, NS, 100 + n, n, blocked.a, trace.NONE, 0, 0, 2, 0) for n in range(1, 200)
    ]
    return trace_of(records, tmp_path, handlers=names), golden


def test_removing_all_causes_of_a_pair_frees_it(tmp_path: Path) -> None:
    recorded, golden = loaded(tmp_path)
    predictor = outlook.Predictor(recorded, "t", golden)
    as_it_is = predictor.outlook([4])
    assert as_it_is.rates[0] == pytest.approx(predictor.outlook([1]).rates[0], rel=0.02)
    assert predictor.outlook([4], predictor.causes).rates[0] > 3 * as_it_is.rates[0]


def test_time_outside_the_program_is_found_from_the_speed_of_the_whole(tmp_path: Path) -> None:
    """Two clients that take 3 ms between answer and question, and a loop that is busy for 1 ms with each."""
    golden = Constraints(json.loads((GOLDEN / "server.constraints.json").read_text()))
    records = []
    for number in range(1, 401, 2):
        begin = number * 2 * NS
        for step in range(2):
            start = begin + step * NS
            # Both were found ready in one look; a timer that ran just before hides since when.
            records.append((begin, start, start + NS, NS, 100 + step, number + step, 0, trace.NONE, 0, 0, 2, 0))
    names = [handler.name for handler in golden.handlers]
    predictor = outlook.Predictor(trace_of(records, tmp_path, handlers=names), "t", golden)
    assert abs(predictor.error) < 0.06


def test_steps_end_where_nothing_more_is_gained(tmp_path: Path) -> None:
    recorded, golden = loaded(tmp_path)
    predictor = outlook.Predictor(recorded, "t", golden)
    steps = predictor.steps(4)
    assert steps
    assert steps[-1].after.rates[0] > 3 * steps[0].before.rates[0]
    for earlier, later in itertools.pairwise(steps):
        assert later.before == earlier.after


def test_constraints_of_another_build_are_refused(tmp_path: Path) -> None:
    recorded, golden = loaded(tmp_path)
    golden.build_id = "00"
    with pytest.raises(BadInputError, match="another build"):
        outlook.Predictor(recorded, "t", golden)


def test_predict_finds_the_constraints_beside_the_trace(heddle: Heddle) -> None:
    loaded(heddle.folder)
    missing = heddle("predict", "server.trace")
    assert (missing.code, missing.err.count("\n")) == (2, 1)
    assert "no server.constraints.json" in missing.err
    (heddle.folder / "server.constraints.json").write_bytes((GOLDEN / "server.constraints.json").read_bytes())
    done = heddle("predict", "server.trace", "--threads", "1,4")
    assert done.code == 0, done.err
    assert "as it is" in done.out
    data = json.loads(heddle("predict", "server.trace", "--threads", "1,4", "--json").out)
    assert data["threads"] == [1, 4]
    assert len(data["outlooks"][0]["rates"]) == 2
    name = json.loads(heddle("analyze", "server.constraints.json", "--causes", "--json").out)[0]["name"]
    assert f"without {name}" in heddle("predict", "server.trace", "--without", name).out


@pytest.mark.parametrize(
    ("words", "what"),
    [
        (["--without", "nobody"], "no cause is called nobody"),
        (["--threads", "0"], "--threads 0 is not possible"),
        (["--threads", "1,x"], "--threads x is not possible"),
    ],
)
def test_bad_questions_get_one_line(heddle: Heddle, words: list[str], what: str) -> None:
    loaded(heddle.folder)
    (heddle.folder / "server.constraints.json").write_bytes((GOLDEN / "server.constraints.json").read_bytes())
    done = heddle("predict", "server.trace", *words)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert what in done.err


def test_advise_names_place_and_remedy(heddle: Heddle, toy: Path) -> None:
    loaded(heddle.folder)
    beside = toy.with_name(toy.name + ".constraints.json")
    none = heddle("advise", "./toy", "server.trace")
    assert (none.code, "run heddle analyze ./toy first" in none.err) == (2, True)
    beside.write_bytes((GOLDEN / "server.constraints.json").read_bytes())
    done = heddle("advise", "./toy", "server.trace", "--threads", "4")
    assert done.code == 0, done.err
    assert "remedy: " in done.out
    assert " becomes " in done.out
    data = json.loads(heddle("advise", "./toy", "server.trace", "--threads", "4", "--json").out)
    assert data["steps"][-1]["after"] > data["steps"][0]["before"]
    assert len(data["outlooks"]) == len(data["steps"]) + 1
    assert done.out.count("as it is") == 1
    assert len([line for line in done.out.splitlines() if "without " in line and "x  " in line]) == len(data["steps"])


@pytest.mark.parametrize(("name", "start"), [("speed.svg", b"<?xml"), ("speed.png", b"\x89PNG")])
def test_advise_draws_speed_against_cores(heddle: Heddle, toy: Path, name: str, start: bytes) -> None:
    loaded(heddle.folder)
    toy.with_name(toy.name + ".constraints.json").write_bytes((GOLDEN / "server.constraints.json").read_bytes())
    done = heddle("advise", "./toy", "server.trace", "--threads", "4", "--plot", name)
    assert done.code == 0, done.err
    assert (heddle.folder / name).read_bytes().startswith(start)


@pytest.mark.parametrize(("name", "told"), [("speed.doc", "ends in .svg or .png"), ("none/speed.svg", "folder")])
def test_a_picture_that_cannot_be_drawn_is_refused(heddle: Heddle, toy: Path, name: str, told: str) -> None:
    loaded(heddle.folder)
    toy.with_name(toy.name + ".constraints.json").write_bytes((GOLDEN / "server.constraints.json").read_bytes())
    done = heddle("advise", "./toy", "server.trace", "--plot", name)
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert told in done.err
