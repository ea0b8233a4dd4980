"""The feed and the view: what the view has at the end is the same, whatever they talk by."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

from testing.servers.matrix import ROOT

SOURCE = Path(__file__).resolve().parents[1] / "quotes.cpp"
LIBRARY = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev")) / "objectbase/libheddle_objectbase.a"


@pytest.fixture(scope="module")
def quotes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not LIBRARY.exists():
        pytest.skip("objectbase is not built")
    program = tmp_path_factory.mktemp("quotes") / "quotes"
    flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-I", ROOT, "-pthread"]
    subprocess.run(["g++", *flags, SOURCE, "-o", program, LIBRARY], check=True)
    return program


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def test_all_ways_show_the_same(quotes: Path) -> None:
    done = {how: run(quotes, how, "1234", "20000") for how in ("messages", "batched", "objects")}
    for how, one in done.items():
        assert one.returncode == 0, one.stderr
        assert re.fullmatch(rf"{how}: \d\.\d\d\d s of processor time, feed .*, view .*\n", one.stderr)
    assert len({one.stdout for one in done.values()}) == 1
    lines = done["objects"].stdout.splitlines()
    assert len(lines) == 100
    # The last change was of share 33, to these prices.
    prices = [1000 + (1233 * 7919 + price * 104729) % 5000 for price in range(20)]
    assert lines[33] == f"share 33: {' '.join(map(str, prices))}"


def test_bad_input_is_told(quotes: Path) -> None:
    assert run(quotes, "pigeons", "1", "1").returncode == 2
    assert run(quotes, "objects", "many", "1").returncode == 2
