"""Every benchmark keeps to what heddle.measure.benchmark says of one, and every saved result names its commit."""

from __future__ import annotations

import importlib
import json
from pathlib import Path

import pytest

from heddle.measure import catalogue
from heddle.system import places

BENCHMARKS = catalogue.available()
RESULTS = sorted((places.root() / "docs/results").glob("*.json"))


@pytest.mark.parametrize("benchmark", BENCHMARKS, ids=lambda benchmark: benchmark.name)
def test_a_benchmark_names_its_claims_and_what_it_measures(benchmark: catalogue.Benchmark) -> None:
    module = importlib.import_module(f"bench.{benchmark.name}")
    assert module.CLAIMS
    assert benchmark.measures == module.MEASURES != ()
    assert [path for path in module.MEASURES if not (places.root() / path).exists()] == []
    assert callable(module.run)


@pytest.mark.parametrize("file", RESULTS, ids=lambda file: file.stem)
def test_a_saved_result_names_its_benchmark_and_its_commit(file: Path) -> None:
    result = json.loads(file.read_text())
    assert result["bench"] in {benchmark.name for benchmark in BENCHMARKS}
    assert result["commit"]
