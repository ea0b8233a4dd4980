"""Memory stays flat while a service and a batch job run under heddle-node, a quarter of a minute or an hour.

The first half of the run is for caches and for the collector to find its size; what counts is what the second half
adds.
"""

from __future__ import annotations

import json
import statistics
from pathlib import Path

import pytest

from testing.node.node_runs import HERE, MAIN_VERSION, run

MOST_GROWTH_MB = 25.0
HOUR = 3600


def soak(seconds: int, folder: Path) -> None:
    # Workers by number: other processes on the machine do not keep them away.
    settings = {"HEDDLE_REPORT": str(folder / "report.json"), "HEDDLE_WORKERS": "2"}
    words = ["--expose-gc", HERE / "soak.js", str(seconds)]
    ended = run(MAIN_VERSION, settings, words, seconds=seconds * 2 + 60)
    assert ended.code == 0, ended.err
    said = json.loads(ended.out)
    memory = said["memory"]
    report = json.loads((folder / "report.json").read_text())
    assert said["served"] > 0
    assert sum(site["matched"] for site in report["sites"]) > 0, "no worker gave a result: this tests nothing"
    assert report["workers_lost"] == 0
    half = len(memory) // 2
    grown = statistics.median(memory[-3:]) - statistics.median(memory[half - 1 : half + 2])
    assert grown < MOST_GROWTH_MB, f"resident memory, MB: {memory}"


def test_memory_is_flat(tmp_path: Path) -> None:
    soak(15, tmp_path)


@pytest.mark.slow
@pytest.mark.timeout(2 * HOUR + 300)
def test_memory_is_flat_for_an_hour(tmp_path: Path) -> None:
    soak(HOUR, tmp_path)
