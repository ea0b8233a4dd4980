"""`heddle demo`: what it says held a server back, what it refuses, and both demos from beginning to end."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_support import GOLDEN, ROOT, Heddle

from heddle.documents.constraints import Constraints
from heddle.report import contention
from heddle.system import nodejs, places


def entry(waiter: str, holder: str, count: int, seconds: float, verdict: str = "always") -> dict[str, Any]:
    return {"waiter": waiter, "holder": holder, "verdict": verdict, "count": count, "seconds": seconds}


@pytest.fixture
def constraints() -> Constraints:
    return Constraints(json.loads((GOLDEN / "server.constraints.json").read_text()))


def test_waiting_is_added_up_over_runs_and_directions(constraints: Constraints) -> None:
    runs = [
        {"contention": [entry("on_lookup", "on_accept", 2, 0.5), entry("on_render", "on_render", 1, 0.1, "session")]},
        {"contention": [entry("on_accept", "on_lookup", 1, 0.25)]},
    ]
    found = contention.hindrances(constraints, runs)
    assert [(h.first, h.second, h.count, h.seconds) for h in found] == [
        ("on_accept", "on_lookup", 3, 0.75),
        ("on_render", "on_render", 1, 0.1),
    ]


def test_a_hindrance_names_object_places_and_paths(constraints: Constraints) -> None:
    hindrance = contention.hindrances(constraints, [{"contention": [entry("on_lookup", "on_accept", 2, 1.5)]}])[0]
    assert contention.describe(constraints, hindrance, 100) == [
        "  on_accept x on_lookup: waited 2 times, 1.50 s in all, on stats.requests (global, server.c:6)",
        "     write  on_lookup server.c:36",
        "     read   on_accept server.c:25",
    ]


def test_a_hindrance_by_a_handler_that_is_not_known_says_so(constraints: Constraints) -> None:
    hindrance = contention.hindrances(constraints, [{"contention": [entry("on_lookup", "plugin_cb", 1, 0.001)]}])[0]
    assert contention.describe(constraints, hindrance, 100) == [
        "  on_lookup x plugin_cb: waited 1 time, 1.0 ms in all; what they share is not known"
    ]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["demo", "basic"], "heddle: there is no demo 'basic': use heddle demo c or heddle demo node"),
        (["demo", "--threads", "1"], "heddle: --threads 1 would compare libevent with itself: give 2 or more"),
        (["demo", "--threads", "x"], "heddle: --threads x is not possible: give a number from 1 to 1024, or auto"),
    ],
)
def test_a_demo_that_makes_no_sense_is_refused(heddle: Heddle, words: list[str], line: str) -> None:
    done = heddle(*words)
    assert (done.code, done.line) == (2, line)


def all_parts_built() -> bool:
    return all(part.is_file() for part in (places.elyze(), places.multivent(), places.load_generator()))


@pytest.mark.skipif(not all_parts_built(), reason="the native parts are not built")
def test_the_whole_demo_compares_answers_and_names_what_to_do_next(tmp_path: Path) -> None:
    # The constants are shrunk; figures of so short a run mean nothing, and none is looked at.
    shrunk = (
        "import sys; from heddle.demo import imgserve as demo\n"
        "demo.PICTURES, demo.ROUNDS, demo.MEASURED_S, demo.WARM_UP_S = 12, 1, 0.5, 0.1\n"
        "from heddle.system import places; from pathlib import Path; places.root = lambda: Path(sys.argv[1])\n"
        "from heddle.cli.app import main; sys.exit(main(['demo', '--threads', '2', '--json', sys.argv[2]]))"
    )
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "schemas").symlink_to(ROOT / "schemas")
    (tmp_path / "elyze").symlink_to(ROOT / "elyze")
    runner = Heddle(tmp_path, places.build())
    done = subprocess.run(
        [sys.executable, "-c", shrunk, str(tmp_path), str(tmp_path / "figures.json")],
        env=runner.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "12 URLs, answered byte for byte the same under both" in done.stdout
    assert "What still holds it back most" in done.stdout
    assert "--why on_" in done.stdout
    # Waiting for on_signal is how the server ends, and does not belong to its figures.
    assert not [line for line in done.stdout.splitlines() if "on_signal" in line and "waited" in line]
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["checked_urls"] == 12
    assert {row["what"] for row in figures["results"]} >= {"thumbnails per second", "/stats p99, ms"}


@pytest.mark.skipif(
    not (nodejs.is_built() and places.load_generator().is_file()), reason="heddle-node or the load is not built"
)
def test_the_node_demo_compares_answers_and_shows_the_report(tmp_path: Path) -> None:
    shrunk = (
        "import sys; from heddle.demo import node as demo\n"
        "demo.PAGES, demo.ROUNDS, demo.MEASURED_S, demo.WARM_UP_S = 6, 1, 0.6, 0.3\n"
        "from heddle.system import places; from pathlib import Path; places.root = lambda: Path(sys.argv[1])\n"
        "from heddle.cli.app import main; sys.exit(main(['demo', 'node', '--json', sys.argv[2]]))"
    )
    for name in ("examples", "node", "schemas"):
        (tmp_path / name).symlink_to(ROOT / name)
    done = subprocess.run(
        [sys.executable, "-c", shrunk, str(tmp_path), str(tmp_path / "figures.json")],
        env=Heddle(tmp_path, places.build()).environment | {"HEDDLE_NODE": str(nodejs.node())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "6 URLs, answered byte for byte the same under both" in done.stdout
    assert "What heddle-node says of its last round\n  heddle: " in done.stdout
    assert json.loads((tmp_path / "figures.json").read_text())["demo"] == "node"
