"""What ./heddle builds before it hands over, seen with commands in place of those that set up and build."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from project_files import ROOT


class Clone:
    """A tree with the entry, in which everything is set up and `cmake` only says what it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "tools").mkdir()
        shutil.copy(ROOT / "heddle", folder)
        shutil.copy(ROOT / "tools/run_tests", folder / "tools/run_tests.real")
        self.program("tools/run_tests", 'echo "tests: $*"')
        self.program("build/venv/bin/python", 'shift 2; echo "handed over: $*"')
        self.program("build/venv/bin/npm", 'echo "npm $*" >>"$CALLS"')
        self.program("bin/cmake", 'echo "cmake $*" >>"$CALLS"')
        for name in ("debian-packages.txt", "debian-packages-all.txt"):
            (folder / "tools" / name).write_text("")
        for part in ("base", "node/src"):
            (folder / part).mkdir(parents=True)
        for file in (
            "requirements.lock",
            "pyproject.toml",
            "node/package-lock.json",
            "node/tsconfig.json",
            "base/a.hpp",
        ):
            (folder / file).write_text("")
        (folder / "node/package.json").write_text("{}")
        stamps = folder / "build/stamps"
        stamps.mkdir()
        for stamp in ("packages", "packages-all", "python"):
            (stamps / stamp).touch()
        self.calls = folder / "calls"

    def program(self, name: str, script: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def heddle(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        self.calls.write_text("")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_")}
        environment = {**kept, "PATH": f"{self.folder / 'bin'}:{kept['PATH']}", "CALLS": str(self.calls)} | variables
        command = [self.folder / "heddle", *words]
        return subprocess.run(command, cwd=self.folder, env=environment, capture_output=True, text=True, check=False)

    def built(self) -> set[str]:
        """PRESET:TARGET of each target that cmake was asked for, and "node" if TypeScript was compiled."""
        found = set()
        for line in self.calls.read_text().splitlines():
            words = line.split()
            if words[0] == "npm" and words[-1] == "build":
                found.add("node")
            if "--build" in words:
                preset = Path(words[words.index("--build") + 1]).name
                found |= {f"{preset}:{target}" for target in words[words.index("--target") + 1 :]}
        return found


@pytest.fixture
def clone(tmp_path: Path) -> Clone:
    return Clone(tmp_path)


@pytest.mark.parametrize(
    ("words", "needs"),
    [
        (["demo"], {"release:elyze", "release:multivent", "release:heddle-load"}),
        (["demo", "node"], {"node", "release:heddle-load"}),
        (["demo", "--help"], set()),
        (["--version"], set()),
        ([], set()),
        (["analyze", "server"], {"release:elyze"}),
        (["run", "server"], {"node", "release:multivent"}),
        (["install", "--prefix", "x"], {"release:multivent"}),
        (["predict", "x.trace"], set()),
        (["build", "--", "make", "--late"], set()),
        (["build", "--late", "--", "make"], {"release:heddle_late_pass"}),
        (["build", "--trace", "--", "make"], {"release:heddle_oracle_pass", "release:heddle_oracle"}),
        (["bench", "list"], set()),
        (["bench", "--quick", "list"], set()),
        (["test", "node"], {"node"}),
        (["test", "style"], {"node", "dev:build.ninja"}),
        (["test", "native"], {"dev:heddle_tests"}),
        (["test", "races", "model"], {"tsan:heddle_tests", "model:heddle_tests"}),
    ],
)
def test_a_verb_and_a_part_of_the_tests_build_what_they_need(clone: Clone, words: list[str], needs: set[str]) -> None:
    done = clone.heddle(*words)
    assert done.returncode == 0, done.stderr
    assert clone.built() == needs


def test_what_is_built_is_not_built_again_until_a_source_changes(clone: Clone) -> None:
    clone.heddle("analyze", "server")
    clone.heddle("demo")
    assert clone.built() == {"release:multivent", "release:heddle-load"}
    clone.heddle("demo")
    assert clone.built() == set()
    newer = (clone.folder / "build/stamps/release.elyze").stat().st_mtime + 5
    os.utime(clone.folder / "base/a.hpp", (newer, newer))
    clone.heddle("analyze", "server")
    assert clone.built() == {"release:elyze"}


def test_options_of_bench_may_stand_before_its_name(clone: Clone) -> None:
    clone.heddle("bench", "--quick", "elyze_truth")
    assert {"release:elyze_verdict_test", "release:elyze", "node"} <= clone.built()


def test_a_build_that_the_caller_names_is_left_alone_and_node_is_not_part_of_it(clone: Clone) -> None:
    clone.heddle("run", "server", HEDDLE_BUILD=str(clone.folder / "own"))
    assert clone.built() == {"node"}
    clone.heddle("run", "server", HEDDLE_BUILD=f"{clone.folder}/build/../build/release/")
    assert clone.built() == {"release:multivent"}


def test_a_lane_of_suites_that_is_killed_fails_the_run(clone: Clone) -> None:
    shutil.copy(clone.folder / "tools/run_tests.real", clone.folder / "tools/run_tests")
    # The first lane is busy until the second has begun, or it would take over.
    clone.program("bin/ctest", 'sleep 1; echo "100% tests passed, 0 tests failed out of 3"')
    clone.program("build/venv/bin/npm", 'case "$*" in *test) echo "# pass 2"; echo "# fail 0" ;; esac')
    assert clone.heddle("test", "native", "node").returncode == 0
    clone.program("build/venv/bin/npm", 'case "$*" in *test) kill -9 "$PPID" ;; esac')
    done = clone.heddle("test", "native", "node")
    assert done.returncode == 1
    assert "node did not come to its end" in done.stdout
    assert done.stdout.splitlines()[-1] == "3 passed, 1 failed, 0 skipped"


def test_a_word_of_a_selection_is_no_path(clone: Clone) -> None:
    shutil.copy(clone.folder / "tools/run_tests.real", clone.folder / "tools/run_tests")
    clone.program("build/venv/bin/python", 'shift 2; echo "pytest: $*"')
    assert " bench -k base\n" in clone.heddle("test", "python", "-k", "base").stdout
    chosen = clone.heddle("test", "conformance", "base").stdout
    assert "--ignore=testing/node base\n" in chosen
    assert " testing --ignore" not in chosen


def test_arguments_go_to_the_runner_of_one_part(clone: Clone) -> None:
    assert clone.heddle("test", "native", "-R", "admission").stdout == "tests: native -R admission\n"
    shutil.copy(clone.folder / "tools/run_tests.real", clone.folder / "tools/run_tests")
    for words in (["native", "node", "-R", "x"], ["nothing"], ["-R", "x"]):
        done = clone.heddle("test", *words)
        assert (done.returncode, clone.built()) == (2, set())
        assert done.stderr.count("\n") == 1
