"""heddle run and heddle top on a program with pico: it runs as it is, and leaves the figures that others leave."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_support import ROOT, Heddle

from heddle.documents import schemas, trace
from heddle.system import places

LIBRARY = places.build() / "pico/libheddle_pico.a"

pytestmark = pytest.mark.skipif(not LIBRARY.is_file(), reason="pico is not built")

PROGRAM = """
#include <chrono>
#include <cstdio>
#include "pico/pico.hpp"

struct Sleeper {
  static constexpr const char* kPicoSite = "sleeper";
  int turns;
  void operator()() const {
    for (int turn = 0; turns == 0 || turn < turns; ++turn) pico::sleep_for(std::chrono::milliseconds(1));
  }
};

int main(int count, char**) {
  pico::Options options;
  options.workers = 2;
  pico::run(options, [count] {
    pico::Scope scope({.spread = true});
    for (int i = 0; i < 5; ++i) scope.spawn(Sleeper{count > 1 ? 4 : 0});
    std::puts("ready");
    std::fflush(stdout);
    scope.join();
  });
  return 7;
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pico")
    (folder / "program.cpp").write_text(PROGRAM)
    flags = ["-std=c++20", "-O1", "-I", ROOT, "-pthread"]
    subprocess.run(
        ["g++", *flags, folder / "program.cpp", "-o", folder / "program", LIBRARY, "-lboost_context"], check=True
    )
    return folder / "program"


@pytest.fixture
def real(tmp_path: Path, built: Path, monkeypatch: pytest.MonkeyPatch) -> Heddle:
    (tmp_path / "program").symlink_to(built)
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    found = Heddle(tmp_path, places.build())
    found.environment["XDG_RUNTIME_DIR"] = str(tmp_path)
    return found


def test_top_shows_its_threads_while_it_runs(real: Heddle) -> None:
    command = [sys.executable, "-m", "heddle", "run", "./program"]
    with subprocess.Popen(command, cwd=real.folder, env=real.environment, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            assert process.stdout.readline() == "ready\n"
            first = json.loads(real("top", "--json").out)
            assert schemas.problems(first, "run") == []
            assert (first["mode"], first["settings"]["threads"]) == ("parallel", 2)
            time.sleep(0.1)
            second = json.loads(real("top", str(process.pid), "--json").out)
            turns = [
                next(site["invocations"] for site in document["handlers"] if site["name"] == "sleeper")
                for document in (first, second)
            ]
            assert turns[0] < turns[1]
            assert "sleeper" in real("top").out
        finally:
            process.kill()
    assert "no program runs" in real("top").err


def test_figures_and_trace_are_those_of_its_turns(real: Heddle) -> None:
    done = real("run", "--run-file", "run.json", "--trace", "turns.trace", "./program", "short")
    assert (done.code, done.out) == (7, "ready\n")
    assert "sleeper" in done.err
    document = schemas.load(real.folder / "run.json", "run")
    (sleeper,) = [site for site in document["handlers"] if site["name"] == "sleeper"]
    assert sleeper["invocations"] == 5 * 5
    assert len(trace.load(real.folder / "turns.trace").of("sleeper")) == 5 * 5
    assert list((real.folder / "heddle").iterdir()) == []


def test_quiet_leaves_standard_error_to_the_program(real: Heddle) -> None:
    assert real("run", "--quiet", "./program", "short").err == ""


@pytest.mark.parametrize("words", [["--threads", "2"], ["--serial"], ["--constraints", "x.json"]])
def test_what_is_meant_for_event_loops_is_refused(real: Heddle, words: list[str]) -> None:
    done = real("run", *words, "./program", "short")
    assert done.code == 2
    assert "pico" in done.line
