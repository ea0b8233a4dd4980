"""Contenders in turn, who else used the machine, claims and saved results."""

from __future__ import annotations

import json
import math
import os
import random
import statistics
import subprocess
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

import pytest

from heddle.errors import BadInputError
from heddle.measure import processor
from heddle.measure.alternation import Alternation, alternate, alternate_until, median_interval, settled, spread
from heddle.measure.benchmark import Claim, Result, commit, ratio_claim
from heddle.measure.commands import call
from heddle.measure.libevent import Program
from heddle.measure.processor import Foreign, Watch


def claim(better: str, measured: float) -> Claim:
    return Claim("x.y", "what", "ratio", better, 1.0, measured, 0.0, 3, "")  # type: ignore[arg-type]


def test_contenders_alternate_and_change_places() -> None:
    order: list[str] = []

    def contender(name: str, figure: float) -> float:
        order.append(name)
        return figure

    found = alternate(4, lambda: contender("A", 1.0), lambda: contender("B", 2.0))
    assert "".join(order) == "ABBAABBA"
    assert found.pairs == [(1.0, 2.0)] * 4


def test_a_ratio_compares_neighbours() -> None:
    found = Alternation([(10.0, 20.0), (5.0, 5.0)], Foreign())
    assert found.ratios(lambda run: run) == [2.0, 1.0]


def test_a_contender_that_did_nothing_is_an_error() -> None:
    with pytest.raises(BadInputError):
        Alternation([(0.0, 20.0)], Foreign()).ratios(lambda run: run)


def test_foreign_work_is_a_doubt() -> None:
    assert Foreign(0.04).doubts() == []
    assert Foreign(0.25).doubts() == ["other programs took up to 25% of the machine"]
    assert Foreign(0.25, 0.1).doubts() == ["other programs took up to 25% of the machine, its host alone 10%"]


def test_own_work_is_not_foreign() -> None:
    watched = Watch()
    before = watched.foreign.share
    assert 0.0 <= before <= 1.0
    sum(i * i for i in range(3_000_000))
    assert watched.foreign.share <= 1.0


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Sets what /proc/stat says: seconds of user time, idle time and stolen time."""

    def set_to(user: float, idle: float, stolen: float) -> None:
        ticks = [int(seconds * os.sysconf("SC_CLK_TCK")) for seconds in (user, 0, 0, idle, 0, 0, 0, stolen, 0, 0)]
        (tmp_path / "stat").write_text(f"cpu  {' '.join(map(str, ticks))}\ncpu0 1 2 3\n")

    monkeypatch.setattr(processor, "_STAT", tmp_path / "stat")
    monkeypatch.setattr(processor, "_own_s", lambda: 0.0)
    return set_to


def test_time_that_the_host_takes_is_foreign(machine: Callable[..., None]) -> None:
    machine(user=100, idle=300, stolen=1)
    watched = Watch()
    machine(user=101, idle=306, stolen=4)
    assert watched.foreign == Foreign(pytest.approx(0.4), pytest.approx(0.3))


def test_a_claim_is_the_median_and_says_how_far_the_ratios_lie_apart() -> None:
    made = ratio_claim("a.b", "what", 1.7, [1.6, 2.0, 1.8], ["noise", "one core"])
    assert (made.measured, made.runs, made.doubt) == (1.8, 3, "noise; one core")
    assert made.spread == pytest.approx(0.2 / 1.8)
    assert spread([0.0, 0.0]) == 0.0


def test_better_says_on_which_side_of_the_goal_a_claim_is_met() -> None:
    assert [claim("higher", 1.1).met, claim("higher", 0.9).met] == [True, False]
    assert [claim("lower", 1.1).met, claim("lower", 0.9).met] == [False, True]


def test_a_saved_result_has_what_reports_need(tmp_path: Path) -> None:
    result = Result("imgserve", [claim("higher", 1.2)])
    result.save(tmp_path / "r.json")
    document = json.loads((tmp_path / "r.json").read_text())
    assert {"bench", "machine", "commit", "claims"} <= document.keys()
    assert document["machine"]["cores"] >= 1
    assert document["claims"][0].keys() >= {
        "id",
        "what",
        "unit",
        "better",
        "goal",
        "measured",
        "spread",
        "runs",
        "doubt",
    }


def test_a_result_names_its_commit_and_whether_files_differ_from_it(tmp_path: Path) -> None:
    def git(*words: str) -> str:
        return subprocess.run(["git", *words], cwd=tmp_path, capture_output=True, text=True, check=True).stdout.strip()

    assert commit(tmp_path) == "unknown"
    git("init", "-q")
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "--allow-empty", "-m", "first")
    (tmp_path / "file").write_text("one")
    git("add", "file")
    assert commit(tmp_path) == f"{git('rev-parse', '--short=12', 'HEAD')}-dirty"
    git("-c", "user.name=a", "-c", "user.email=a@b", "commit", "-q", "-m", "second")
    assert commit(tmp_path) == git("rev-parse", "--short=12", "HEAD")


def test_a_program_that_is_not_here_is_bad_input(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    with pytest.raises(BadInputError, match="no-such-program is not here: install what has no-such-program"):
        call(["no-such-program"])
    with pytest.raises(BadInputError, match=r"go is not here: .*Go 1\.24 or newer"):
        call(["go", "version"])


def test_the_all_conflict_document_leaves_no_pair_out(tmp_path: Path) -> None:
    pairs = [
        {"a": 0, "b": 0, "verdict": "never", "conflicts": []},
        {"a": 0, "b": 1, "verdict": "session", "conflicts": []},
    ]
    document = {"handlers": [{"id": 0, "name": "f"}, {"id": 1, "name": "g"}], "pairs": pairs}
    server = Program(tmp_path / "s", tmp_path / "s.constraints.json", document)
    changed = server.all_always()
    *named, idle = json.loads(changed.constraints.read_text())["pairs"]
    assert {pair["verdict"] for pair in named} == {"always"}
    assert (idle["a"], idle["b"], idle["verdict"]) == (2, 2, "never")
    assert (server.may_overlap(), changed.may_overlap()) == (True, True)
    assert server.document["pairs"][1]["verdict"] == "session"


def test_a_median_is_the_better_known_the_more_runs_there_were() -> None:
    assert median_interval([3.0, 1.0, 2.0]) == (1.0, 3.0)
    assert median_interval(range(1, 51)) == (18, 33), "as tables have it for fifty"
    generator = random.Random(7)
    inside = 0
    for _ in range(1000):
        low, high = median_interval([generator.expovariate(1.0) for _ in range(21)])
        inside += low <= math.log(2) <= high
    assert 930 <= inside <= 990


def test_pairs_are_added_until_something_is_decided() -> None:
    def three(ratios: Sequence[float]) -> bool:
        return ratios.count(3.0) >= 3

    steady = alternate_until(three, 2, 40, lambda: 2.0, lambda: 6.0)
    assert len(steady.pairs) == 4, "two at a time"
    assert set(steady.pairs) == {(2.0, 6.0)}
    assert len(alternate_until(three, 6, 40, lambda: 2.0, lambda: 6.0).pairs) == 6
    assert len(alternate_until(three, 2, 40, lambda: 1.0, lambda: 2.0).pairs) == 40


@pytest.mark.parametrize(
    ("ratios", "expected"),
    [
        ((0.97, 1.0, 0.98, 1.01), True),  # all reach the goal
        ((0.95, 0.96, 0.96, 0.98), False),  # so do these, and they are close to it
        ((0.94, 1.0, 1.0, 1.0), False),  # the median may be below it
        ((0.80, 0.94, 0.90, 0.91), True),  # it is
        ((0.80, 0.94, 0.90, 0.96), False),
    ],
)
def test_a_floor_is_settled_on_either_side_of_its_goal(ratios: tuple[float, ...], expected: bool) -> None:
    assert settled(ratios, 0.95, 0.97) is expected


def test_a_program_just_below_the_floor_is_seldom_taken_for_one_that_reaches_it() -> None:
    generator = random.Random(11)
    wrong = 0
    for _ in range(2000):
        found = alternate_until(
            partial(settled, goal=0.95, safe=0.97), 4, 16, lambda: 1.0, lambda: generator.gauss(0.9499, 0.1)
        )
        ratios = found.ratios(lambda figure: figure)
        wrong += len(ratios) < 16 and statistics.median(ratios) >= 0.97
    assert 40 <= wrong <= 180
