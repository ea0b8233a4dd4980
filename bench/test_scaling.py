"""What the benchmark of scaling makes of its runs: which threads it measures, in which order, and its claims."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench import scaling
from heddle.measure.benchmark import Tools
from heddle.system import machine


@pytest.mark.parametrize(
    ("most", "counts"), [(1, [1]), (2, [1, 2]), (3, [1, 2, 3]), (8, [1, 2, 4, 8]), (12, [1, 2, 4, 8, 12])]
)
def test_threads_double_up_to_the_most(most: int, counts: list[int]) -> None:
    assert scaling.thread_counts(most) == counts


@pytest.mark.parametrize(("cores", "threads"), [(1, 1), (2, 2), (4, 3), (16, 12)])
def test_a_client_on_the_same_machine_gets_a_quarter(monkeypatch: pytest.MonkeyPatch, cores: int, threads: int) -> None:
    monkeypatch.setattr(machine, "cores", lambda: cores)
    assert scaling.beside_a_client() == threads


def curve(tmp_path: Path, *, plain: bool = True) -> tuple[scaling.Curve, list[int]]:
    """Of a made-up program that is as fast as it has threads, after a third is lost; and the order of its runs."""
    order: list[int] = []

    def rate(threads: int) -> float:
        order.append(threads)
        return {0: 3.0, 1: 2.0, 2: 4.0, 4: 8.0}[threads]

    subject = scaling.Subject("rings", (lambda: rate(0)) if plain else None, rate, [1, 2, 4], lambda _: [1.0, 2.0, 5.0])
    effort = scaling.Effort(rounds=2, seconds=0, warmup_s=0, pages=0)
    return scaling.follow(Tools(tmp_path), effort, subject), order


def test_ratios_are_to_the_run_without_heddle_of_the_same_round(tmp_path: Path) -> None:
    found, order = curve(tmp_path)
    assert order == [0, 1, 2, 4, 4, 2, 1, 0]
    assert found.ratios == {threads: [pytest.approx(2 * threads / 3)] * 2 for threads in (1, 2, 4)}
    assert found.per_s == 3.0


def test_a_program_of_ours_is_compared_with_one_thread(tmp_path: Path) -> None:
    found, order = curve(tmp_path, plain=False)
    assert order == [1, 2, 4, 4, 2, 1]
    assert found.ratios[4] == [4.0, 4.0]


def test_the_error_of_a_prediction_is_that_of_the_speed_up_over_one_thread(tmp_path: Path) -> None:
    found, _ = curve(tmp_path)
    per_core, error = scaling.claims_of({"rings": found})
    assert (per_core.id, per_core.measured) == ("scaling.per_core", pytest.approx(8 / 3 / 4))
    assert (error.id, error.measured) == ("scaling.predict_error", pytest.approx(0.25))  # 5.0 predicted, 4.0 measured
    assert "rings, 4 threads" in error.what
    assert not error.met
    lines = scaling.table([found])
    assert lines[-1].split() == ["4", "2.67", "0", "%", "0.67", "5.00"]
