"""What the floor's benchmark keeps of a run that was stopped, and what it prints."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench import node_floor
from bench._node_workloads import DECLARED, Workload
from bench.node_floor import FULL, QUICK, Declared, Kept, Row
from heddle.measure.alternation import Alternation
from heddle.measure.benchmark import Result, Tools
from heddle.measure.node import Contender
from heddle.measure.processor import Foreign

MARKED = Row(
    "marked",
    True,
    [(100.0, 98.0), (100.0, 101.0), (100.0, 102.0), (100.0, 97.0)],
    Foreign(0.01, 0.0),
    light_p99=1.02,
    cpu_ms=1.36,
    cpu_pairs=[(1.36, 1.4), (1.3, 1.31), (1.4, 1.35), (1.36, 1.36)],
    declared=Declared([0.98, 0.99, 1.0, 1.03], (31, 30), (0, 4)),
)


def pairs(before: float, after: float) -> list[tuple[float, float]]:
    return [(before, after)] * 4


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Three programs that are not run; the list has those that would have been. A first run is stopped at the third."""
    measured: list[str] = []
    stops = [SystemExit(143)]

    def compare(_tools: Tools, _effort: node_floor.Effort, workload: Workload) -> Row:
        if workload.name == "c" and stops:
            raise stops.pop()
        measured.append(workload.name)
        return Row(workload.name, False, pairs(1.0, {"a": 1.0, "b": 0.96, "c": 1.1}[workload.name]), Foreign())

    def programs(*_: object) -> list[Workload]:
        return [Workload(name, Contender(tmp_path / name)) for name in "abc"]

    monkeypatch.setattr(node_floor, "compare_runs", compare)
    monkeypatch.setattr(node_floor, "workloads", programs)
    monkeypatch.setattr(node_floor, "start_up", lambda *_: Alternation(pairs(1.0, 1.2), Foreign()))
    monkeypatch.setattr(node_floor, "version", lambda: "v1")
    monkeypatch.setattr(node_floor, "commit", lambda _: "c0ffee")
    return measured


def stopped(tmp_path: Path) -> Result:
    with pytest.raises(SystemExit):
        node_floor.run(False, Tools(tmp_path))
    saved = json.loads((tmp_path / "partial.json").read_text())
    assert [claim["id"] for claim in saved["claims"]] == ["node.floor_min", "node.floor_median"]
    assert {claim["doubt"] for claim in saved["claims"]} == {"partial: 2 of 3 programs"}
    return node_floor.run(False, Tools(tmp_path))


def test_a_run_that_was_stopped_keeps_what_it_has_and_goes_on_there(tmp_path: Path, bench: list[str]) -> None:
    whole = stopped(tmp_path)
    assert bench == ["a", "b", "c"]
    assert [(claim.id, claim.measured) for claim in whole.claims] == [
        ("node.floor_min", 0.96),
        ("node.floor_median", 1.0),
        ("node.cold_start", 1.2),
    ]
    assert whole.claims[0].doubt == "2 programs were measured in an earlier run, which was stopped"
    assert not (tmp_path / "partial.json").exists()


@pytest.mark.parametrize(("name", "value"), [("commit", "c1"), ("version", "v2")])
def test_figures_of_another_commit_or_node_are_not_taken_up(
    tmp_path: Path, bench: list[str], monkeypatch: pytest.MonkeyPatch, name: str, value: str
) -> None:
    with pytest.raises(SystemExit):
        node_floor.run(False, Tools(tmp_path))
    monkeypatch.setattr(node_floor, name, lambda *_: value)
    assert node_floor.run(False, Tools(tmp_path)).claims[0].doubt == ""
    assert bench == ["a", "b", "a", "b", "c"]


def test_figures_of_changed_files_are_not_taken_up(
    tmp_path: Path, bench: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(node_floor, "commit", lambda _: "c0ffee-dirty")
    with pytest.raises(SystemExit):
        node_floor.run(False, Tools(tmp_path))
    node_floor.run(False, Tools(tmp_path))
    assert bench == ["a", "b", "a", "b", "c"]


def test_a_row_is_kept_as_it_is(tmp_path: Path, bench: list[str]) -> None:
    Kept(Tools(tmp_path), FULL, 2).add(MARKED)
    again = Kept(Tools(tmp_path), FULL, 2)
    again.take_up()
    assert again.rows == {"marked": MARKED}
    quick = Kept(Tools(tmp_path), QUICK, 2)
    quick.take_up()
    assert quick.rows == {}
    assert bench == []


def server(ratios: list[float], cpu: list[float]) -> Row:
    return Row("a", True, [(100.0, 100 * one) for one in ratios], Foreign(), cpu_pairs=[(2.0, 2 * one) for one in cpu])


def test_a_server_is_slow_if_speed_and_time_per_request_say_so_and_doubtful_if_one_does() -> None:
    low, right, high = [0.8, 0.82, 0.84, 0.86], [0.97, 1.0, 1.0, 1.03], [1.15, 1.2, 1.2, 1.25]
    assert server(low, high).verdict == "slow"
    assert server(low, right).verdict == "doubtful"
    assert server(right, high).verdict == "doubtful"
    assert server(right, right).verdict == ""
    assert server([0.6, 0.8, 0.9, 1.2], high).verdict == "doubtful", "it may be chance"
    assert server(low, [0.9, 1.2, 1.2, 1.3]).verdict == "doubtful", "it may be chance"


def test_a_program_that_ends_has_its_speed_alone() -> None:
    assert Row("tsc", False, pairs(1.0, 0.8), Foreign()).verdict == "slow"
    assert Row("tsc", False, pairs(1.0, 1.0), Foreign()).verdict == ""


def test_the_table_and_the_claims_say_both_figures_and_which_rows_are_doubtful(tmp_path: Path) -> None:
    kept = Kept(Tools(tmp_path), FULL, 2)
    kept.add(server([0.8, 0.82, 0.84, 0.86], [0.97, 1.0, 1.0, 1.03]))
    result = json.loads(kept.path.read_text())
    (line,) = (line for line in result["details"]["table"] if line.startswith("a "))
    assert "0.83 (0.80 to 0.86)" in line
    assert "1.00 (0.97 to 1.03)" in line
    assert line.endswith("doubtful")
    assert result["details"]["verdicts"] == {"a": "doubtful"}
    assert "of 1 programs 1 may be slower, or not: a" in result["claims"][0]["doubt"]
    assert result["claims"][0]["measured"] == pytest.approx(0.83)


def test_the_table_of_the_guide_has_the_figures_of_declared_packages() -> None:
    plain = Row("tsc", False, pairs(1.0, 0.5), Foreign(), looked_at=[0.5] * 4)
    *_, line = node_floor.guide_table([plain, MARKED])
    assert line == " marked            1.36   0.99 (0.97 to 1.02)   0.99 (0.98 to 1.03)     31 → 30   0, 4"
    assert node_floor.guide_table([plain]) == []


def test_services_that_are_declared_are_those_of_the_guide() -> None:
    guide = (Path(__file__).parent.parent / "docs/guides/node.md").read_text()
    _, _, behind = guide.partition(" package        CPU, ms")
    table, _, _ = behind.partition("```")
    assert tuple(line.split()[0] for line in table.splitlines()[2:]) == tuple(DECLARED)
