"""Processes that share one list lose nothing of it, also when some are killed."""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from testing.servers.matrix import ROOT

SOURCE = Path(__file__).resolve().parents[1] / "board.cpp"
LIBRARY = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev")) / "objectbase/libheddle_objectbase.a"
MEMORY = Path("/dev/shm")


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not LIBRARY.exists():
        pytest.skip("objectbase is not built")
    program = tmp_path_factory.mktemp("board") / "board"
    flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-I", ROOT, "-pthread"]
    subprocess.run(["g++", *flags, SOURCE, "-o", program, LIBRARY], check=True)
    return program


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    with TemporaryDirectory(dir=MEMORY if MEMORY.exists() else tmp_path) as folder:
        yield Path(folder) / "list"


def call(*words: str | Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(words, capture_output=True, text=True, timeout=60, check=False)


def listed(board: Path, store: Path) -> dict[str, str]:
    lines = call(board, store, "list").stdout.splitlines()
    return {text: number for number, _, text in (line.partition(" ") for line in lines)}


def test_what_one_process_adds_another_lists_and_ends(board: Path, store: Path) -> None:
    assert call(board, store, "add", "buy milk").returncode == 0
    assert call(board, store, "add", "call Ada, who knows what to do with a store like this").returncode == 0
    assert list(listed(board, store)) == ["buy milk", "call Ada, who knows what to do with a store like this"]
    assert call(board, store, "done", listed(board, store)["buy milk"]).returncode == 0
    assert list(listed(board, store)) == ["call Ada, who knows what to do with a store like this"]
    again = call(board, store, "done", "1")
    assert (again.returncode, again.stderr) == (2, "board: objectbase: there is no object 1\n")


def test_nothing_is_lost_though_some_are_killed(board: Path, store: Path) -> None:
    call(board, store, "add", "the first")
    chance = random.Random(3)

    def add(number: int) -> str | None:
        """The text that is certainly there; nothing if its process was killed."""
        text = f"number {number} " + "x" * (number % 50)
        process = subprocess.Popen([board, store, "add", text])
        if number % 3 == 0:
            try:
                process.wait(chance.random() * 0.01)
            except subprocess.TimeoutExpired:
                process.kill()
        return text if process.wait(60) == 0 else None

    with ThreadPoolExecutor(20) as pool:
        added = list(pool.map(add, range(300)))
    found = listed(board, store)
    assert {text for text in added if text} <= set(found)
    assert len(found) <= 301
    assert sum(text is None for text in added) < 150
