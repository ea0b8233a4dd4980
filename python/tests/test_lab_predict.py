"""Predictions of scenarios whose right answer is known: by queueing theory, by the critical path, by hand."""

from __future__ import annotations

import itertools
import math
import random
from dataclasses import replace
from typing import Any

import pytest
from lab_documents import MS, command, document, loads, one_after_the_other, part

from heddle.errors import BadInputError
from heddle.lab import recorded
from heddle.lab.prediction import outlook, simulation, work
from heddle.lab.prediction.simulation import Setting
from heddle.lab.prediction.work import Job, Phase, Work


def run_of(*arguments: Any, **fields: Any) -> recorded.Run:  # noqa: ANN401
    return recorded.read(document(*arguments, **fields), "made up")


def seconds(run: recorded.Run, workers: int, cores: int, **fields: Any) -> float:  # noqa: ANN401
    return simulation.length(work.read(run), Setting(run.model.name, workers, cores, **fields))


# Closed forms


def customers(count: int, rate: float, service: float, seed: int) -> Work:
    """They come at random (Poisson) and need exponentially distributed processor time."""
    chance = random.Random(seed)
    idle = run_of([command(0, [part(0, 0)])]).commands[0]
    comes = itertools.accumulate(chance.expovariate(rate) for _ in range(count))
    jobs = (
        Job(idle, (Phase("compute"), Phase("wait", at), Phase("compute", chance.expovariate(1 / service))), {})
        for at in comes
    )
    return Work(tuple(jobs), releases=True, uncertain=False)


def erlang_c(servers: int, load: float) -> float:
    """The share of customers that wait in M/M/c (Kleinrock, Queueing Systems I, 3.5)."""
    last = load**servers / math.factorial(servers) * servers / (servers - load)
    return last / (sum(load**n / math.factorial(n) for n in range(servers)) + last)


def response(servers: int, rate: float, service: float) -> float:
    load = rate * service
    return service + erlang_c(servers, load) * service / (servers - load)


@pytest.mark.parametrize(
    ("workers", "cores"),
    [(1, 1), (2, 2), (4, 4), (1000, 1), (1000, 2)],
    ids=["M/M/1", "M/M/2", "M/M/4", "shared processor", "two shared processors"],
)
def test_queues_are_as_long_as_theory_says(workers: int, cores: int) -> None:
    """First come first served, and shared evenly, too: both have the M/M/c mean (Kleinrock II, 4.4)."""
    rate, service = 0.7 * cores, 1.0
    means = []
    for seed in range(4):
        made = customers(20_000, rate, service, seed)
        ends = simulation.finished(made, Setting("pool", workers, cores))
        means.append(sum(end - job.phases[1].seconds for end, job in zip(ends, made.jobs, strict=True)) / len(ends))
    assert sum(means) / len(means) == pytest.approx(response(cores, rate, service), rel=0.04)


@pytest.mark.parametrize("workers", [1, 2, 4, 8])
def test_independent_commands_use_every_core(workers: int) -> None:
    assert seconds(run_of(one_after_the_other(64, MS)), workers, workers) == pytest.approx(64 * MS / workers)


def test_cores_limit_what_computes_and_workers_what_runs() -> None:
    run = run_of(one_after_the_other(64, MS))
    assert seconds(run, 8, 2) == pytest.approx(32 * MS)
    assert seconds(run, 2, 8) == pytest.approx(32 * MS)


def test_a_chain_gains_nothing_and_a_fork_gains_its_width() -> None:
    chain = one_after_the_other(10, MS)
    for item in chain[1:]:
        item["after"] = [item["id"] - 1]
    assert seconds(run_of(chain), 8, 8) == pytest.approx(10 * MS)
    fork = one_after_the_other(10, MS)
    for item in fork[1:9]:
        item["after"] = [0]
    fork[9]["after"] = list(range(1, 9))
    assert seconds(run_of(fork), 8, 8) == pytest.approx(3 * MS)
    assert seconds(run_of(fork), 4, 4) == pytest.approx(4 * MS)


@pytest.mark.parametrize("seed", range(20))
def test_random_graphs_keep_grahams_bounds(seed: int) -> None:
    """Work and critical path bound every greedy schedule from both sides (Graham, 1969)."""
    chance = random.Random(seed)
    commands, clock, longest = [], 0.0, []
    for number in range(60):
        length = chance.uniform(1, 20) * MS
        after = chance.sample(range(number), min(number, chance.randrange(3)))
        commands.append(command(number, [part(clock, clock + length)], after=after))
        clock += length
        longest.append(length + max((longest[other] for other in after), default=0.0))
    for workers in (1, 2, 4, 16):
        found = seconds(run_of(commands), workers, workers)
        assert max(clock / workers, max(longest)) <= found * 1.000001
        assert found <= (clock / workers + (1 - 1 / workers) * max(longest)) * 1.000001


# What waits


def test_waiting_for_the_network_needs_workers_where_they_are_kept() -> None:
    run = run_of(loads(12, 30 * MS, MS))
    assert not work.read(run).releases
    assert seconds(run, 1, 1) == pytest.approx(12 * 32 * MS)
    assert seconds(run, 4, 64) == pytest.approx(3 * 32 * MS)


def test_connections_limit_who_loads() -> None:
    run = run_of(loads(12, 30 * MS, 0.0))
    assert seconds(run, 12, 2, connections=3) == pytest.approx(4 * 30 * MS)


def test_a_worker_that_is_given_back_serves_others() -> None:
    """Three ask at once, one worker takes the answers."""
    commands = [
        command(n, [part(n * MS, (n + 1) * MS, "wait", "socket"), part((30 + n) * MS, (31 + n) * MS)], "load_url")
        for n in range(3)
    ]
    run = run_of(commands)
    assert work.read(run).releases
    assert seconds(run, 1, 1) == pytest.approx(33 * MS, rel=0.05)


def test_an_answer_that_lay_there_is_not_taken_for_a_long_wait() -> None:
    """The second one's answer came while the worker computed for 100 ms."""
    commands = [
        command(0, [part(0, MS, "wait", "socket"), part(31 * MS, 32 * MS)], "load_url"),
        command(1, [part(32 * MS, 33 * MS, "wait", "socket"), part(133 * MS, 134 * MS)], "load_url"),
        command(2, [part(33 * MS, 133 * MS)]),
    ]
    found = work.read(run_of(commands))
    assert [each.seconds for each in found.jobs[1].phases if each.kind == "wait"] == pytest.approx([30 * MS])


def test_waits_that_nothing_is_known_of_are_fitted_to_the_record() -> None:
    """Both answers lie there while a third command computes; what is predicted for one worker is what was recorded."""
    commands = [
        command(0, [part(0, MS, "wait", "socket"), part(102 * MS, 103 * MS)], "load_url"),
        command(1, [part(MS, 2 * MS, "wait", "socket"), part(103 * MS, 104 * MS)], "load_url"),
        command(2, [part(2 * MS, 102 * MS)]),
    ]
    found = outlook.predict(run_of(commands), [2])
    assert work.read(run_of(commands)).uncertain
    assert abs(found.error) <= 0.02


def test_a_server_on_the_same_machine_takes_its_share_of_the_cores() -> None:
    run = replace(run_of(loads(40, 10 * MS, MS / 1000)), server_cpu_seconds=40 * 5 * MS)
    assert seconds(run, 40, 1) == pytest.approx(40 * 5 * MS, rel=0.05)
    assert seconds(run, 40, 40) == pytest.approx(10 * MS, rel=0.01)


def test_off_the_processor_in_a_part_is_blocking_unless_the_thread_was_queued() -> None:
    parts = [[part(n * 10 * MS, (n + 1) * 10 * MS, cpu=4 * MS)] for n in range(4)]
    made = document([command(n, each) for n, each in enumerate(parts)])
    assert seconds(recorded.read(made, ""), 4, 4) == pytest.approx(10 * MS)
    made["threads"][0]["run_queue_seconds"] = 24 * MS
    assert seconds(recorded.read(made, ""), 4, 4) == pytest.approx(4 * MS)


def test_a_picture_is_decoded_while_it_arrives() -> None:
    """The decoder follows the loader part by part, so two workers overlap all but the first part."""
    loader, decoder = [], []
    for n in range(10):
        loader.append(part(2 * n * MS, (2 * n + 1) * MS, "ready" if n < 9 else "done"))
        decoder.append(part((2 * n + 1) * MS, (2 * n + 2) * MS, "wait" if n < 9 else "done"))
    run = run_of([command(0, loader, "load_url"), command(1, decoder, "decode_jpeg", after=[0])])
    assert seconds(run, 1, 1) == pytest.approx(20 * MS)
    assert seconds(run, 2, 2) == pytest.approx(11 * MS)


def test_what_is_spawned_begins_when_it_was_spawned() -> None:
    spawner = [part(0, MS, "ready"), part(MS, 2 * MS, "ready"), part(2 * MS, 3 * MS)]
    spawned = command(1, [part(3 * MS, 13 * MS)], spawned_by=0)
    assert seconds(run_of([command(0, spawner), spawned]), 2, 2) == pytest.approx(13 * MS)


# Models


def test_threads_keep_their_order_and_do_not_share_work() -> None:
    commands = [
        command(2 * t + n, [part(n * 10 * MS, (n + 1) * 10 * MS, thread=t, cpu=0.0)])
        for t in range(3)
        for n in range(2)
    ]
    run = run_of(commands, "threads", 3)
    assert seconds(run, 3, 1) == pytest.approx(20 * MS)


def test_constrained_commands_that_touch_the_same_do_not_overlap() -> None:
    commands = one_after_the_other(8, MS)
    for item in commands:
        item["writes"] = [f"cell {item['id'] % 2}"]
    assert seconds(run_of(commands, "constrained"), 8, 8) == pytest.approx(4 * MS)
    assert seconds(run_of(commands, "pool"), 8, 8) == pytest.approx(MS)


# What is said of it


def test_every_prediction_is_relative_to_the_simulated_record() -> None:
    """A record that was 10 % longer than its commands: nobody knows why, so all is 10 % longer."""
    made = document(one_after_the_other(8, MS), seconds=8.8 * MS)
    found = outlook.predict(recorded.read(made, ""), [1, 2])
    assert found.error == pytest.approx(-1 / 11)
    assert [point.seconds for point in found.points] == pytest.approx([8.8 * MS, 4.4 * MS])


def test_a_run_with_other_workers_checks_the_prediction() -> None:
    run = run_of(one_after_the_other(8, MS))
    measured = replace(run, model=replace(run.model, workers=2), seconds=5 * MS)
    found = outlook.predict(run, [2, 4], checks=[measured])
    assert found.points[0].error == pytest.approx(-0.2)
    assert found.points[1].error is None


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"foreign_cpu": 0.06}, "other programs took 6% of the machine"),
        ({"commands": ()}, "no commands"),
        ({"model": recorded.Model("cooperative", 1, True, None)}, "busy"),
        ({"model": recorded.Model("speculative", 1, False, None)}, "speculative cannot be simulated"),
    ],
)
def test_records_that_say_nothing_are_refused(change: dict[str, Any], said: str) -> None:
    run = replace(run_of(one_after_the_other(8, MS)), **change)
    with pytest.raises(BadInputError, match=said):
        outlook.predict(run, [2])


def test_a_failed_command_and_several_workers_are_named() -> None:
    commands = one_after_the_other(2, MS)
    commands[1]["error"] = "LoadError: refused"
    with pytest.raises(BadInputError, match="compute 1 failed"):
        outlook.predict(run_of(commands), [2])
    found = outlook.predict(run_of(one_after_the_other(2, MS), "pool", 2), [2])
    assert any("several workers" in doubt for doubt in found.doubts)


# Records that make no sense


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"after": [7]}, "follows one that is not there"),
        ({"after": [1]}, "waits for itself"),
        ({"spawned_by": 0}, "follows one that is not there"),
        ({"id": 1}, "two commands"),
        ({"thread": 9}, "thread that is not there"),
        ({"parts": [part(2 * MS, 3 * MS, "ready"), part(0, MS)]}, "not in order"),
        ({"parts": [{**part(0, MS), "then": "sleep"}]}, "breaks the lab schema"),
    ],
)
def test_a_record_that_makes_no_sense_is_refused(change: dict[str, Any], said: str) -> None:
    commands = one_after_the_other(2, MS)
    commands[1]["after"] = [0]
    commands[0].update(change)
    with pytest.raises(BadInputError, match=said):
        run_of(commands)
