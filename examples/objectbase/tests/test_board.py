"""Processes that share one list lose nothing of it, also when some are killed."""

from __future__ import annotations

import os
import random
import shutil
import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from heddle.system import nodejs
from testing.servers.matrix import ROOT

EXAMPLE = Path(__file__).resolve().parents[1]
BUILT = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev")) / "objectbase"
MEMORY = Path("/dev/shm")
LANGUAGES = ("cpp", "c", "py", "mjs")


@dataclass(frozen=True)
class Board:
    """The program in one of the languages."""

    command: tuple[str | Path, ...]
    environment: dict[str, str]

    def start(self, *words: str | Path) -> subprocess.Popen[str]:
        return subprocess.Popen(
            (*self.command, *words),
            env={**os.environ, **self.environment},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )

    def __call__(self, *words: str | Path) -> tuple[str, str, int]:
        process = self.start(*words)
        out, err = process.communicate(timeout=60)
        return out, err, process.returncode

    def listed(self, store: Path) -> dict[str, str]:
        out, err, code = self(store, "list")
        assert (err, code) == ("", 0)
        return {text: number for number, _, text in (line.partition(" ") for line in out.splitlines())}


@pytest.fixture(scope="module")
def boards(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Board]:
    library = BUILT / "libobjectbase.so"
    if not library.exists():
        pytest.skip("objectbase is not built")
    folder = tmp_path_factory.mktemp("boards")
    for compiler, source, linked in (
        ("g++ -std=c++20", "board.cpp", [BUILT / "libheddle_objectbase.a"]),
        ("gcc -std=c11", "board.c", [library, f"-Wl,-rpath,{BUILT}"]),
    ):
        flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE", "-I", ROOT, "-pthread"]
        program = folder / source.replace(".", "-")
        subprocess.run([*compiler.split(), *flags, EXAMPLE / source, "-o", program, *linked], check=True)
    # As npm install does it.
    shutil.copytree(ROOT / "objectbase/node", folder / "node_modules/objectbase")
    for package in ("koffi", "@koromix"):
        (folder / "node_modules" / package).symlink_to(ROOT / "node/node_modules" / package)
    shutil.copy(EXAMPLE / "board.mjs", folder)
    return {
        "cpp": Board((folder / "board-cpp",), {}),
        "c": Board((folder / "board-c",), {}),
        "py": Board(
            (sys.executable, EXAMPLE / "board.py"),
            {"PYTHONPATH": str(ROOT / "objectbase/python"), "OBJECTBASE_LIBRARY": str(library)},
        ),
        "mjs": Board((nodejs.node(), folder / "board.mjs"), {"OBJECTBASE_LIBRARY": str(library)}),
    }


@pytest.fixture(params=LANGUAGES)
def board(request: pytest.FixtureRequest, boards: dict[str, Board]) -> Board:
    return boards[request.param]


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Path]:
    with TemporaryDirectory(dir=MEMORY if MEMORY.exists() else tmp_path) as folder:
        yield Path(folder) / "list"


def test_what_one_process_adds_another_lists_and_ends(board: Board, store: Path) -> None:
    assert board(store, "add", "buy milk") == ("", "", 0)
    assert board(store, "add", "call Ada, who knows what to do with a store like this") == ("", "", 0)
    assert list(board.listed(store)) == ["buy milk", "call Ada, who knows what to do with a store like this"]
    assert board(store, "done", board.listed(store)["buy milk"]) == ("", "", 0)
    assert list(board.listed(store)) == ["call Ada, who knows what to do with a store like this"]
    assert board(store, "done", "1") == ("", "board: objectbase: there is no object 1\n", 2)


def test_bad_input_is_told(board: Board, store: Path) -> None:
    _, err, code = board(store, "list")
    assert code == 2
    assert err == f"board: {store}: cannot be opened: No such file or directory\n"
    assert board(store) != ("", "", 0)
    store.write_text("something else")
    _, err, code = board(store, "add", "more")
    assert (err, code) == (f"board: {store}.readers: cannot be opened: No such file or directory\n", 2)
    assert store.read_text() == "something else"


def test_each_language_reads_what_the_others_wrote(boards: dict[str, Board], store: Path) -> None:
    texts = [f"{language} says: g\u00fcnstig \u4e16\u754c, and more than fits into one word" for language in LANGUAGES]
    for language, text in zip(LANGUAGES, texts, strict=True):
        assert boards[language](store, "add", text) == ("", "", 0)
    for language in LANGUAGES:
        assert list(boards[language].listed(store)) == texts


@pytest.mark.parametrize("mixed", [LANGUAGES[:1], LANGUAGES])
def test_nothing_is_lost_though_some_are_killed(boards: dict[str, Board], store: Path, mixed: tuple[str, ...]) -> None:
    boards["cpp"](store, "add", "the first")
    chance = random.Random(3)
    count = 300 if len(mixed) == 1 else 80

    def add(number: int) -> str | None:
        """The text that is certainly there; nothing if its process was killed."""
        text = f"number {number} " + "x" * (number % 50)
        language = mixed[number % len(mixed)]
        process = boards[language].start(store, "add", text)
        if number % 3 == 0:
            try:
                process.wait(chance.random() * (0.01 if language in "cpp" else 0.2))
            except subprocess.TimeoutExpired:
                process.kill()
        process.communicate(timeout=60)
        return text if process.returncode == 0 else None

    with ThreadPoolExecutor(20 if len(mixed) == 1 else 4) as pool:
        added = list(pool.map(add, range(count)))
    found = boards["cpp"].listed(store)
    assert {text for text in added if text} <= set(found)
    assert len(found) <= count + 1
    assert sum(text is None for text in added) < count / 2
