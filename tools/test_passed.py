"""Which tests ./heddle test leaves out, seen with runners that only write down what they were asked for."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from project_files import ROOT
from test_entry import Clone

# Stand-ins. Each writes down what it was asked for: pytest its places, ctest the build and its programs.
PYTHON = f"""\
case $1 in tools/passed.py) exec {sys.executable} "$@" ;; esac
shift 2
asked=$(echo "${{*##*--color=no }}" | sed "s/ -m slow or not slow//")
echo "$asked" >>"$RAN"
case $asked in "${{FAILING:-nothing}}") echo "1 failed, 2 passed in 0.1s"; exit 1 ;; esac
[ ! -e write-while-running ] || echo more >>examples/onion/main.c
[ ! -e out-of-reach ] || echo "SKIPPED [1] x.py:1: not fetched: cannot fetch the source of 'tor'"
echo "3 passed, 1 skipped in 0.1s"
"""
CTEST = """\
case "$*" in
  *--show-only*) cat "$2/tests.json" ;;
  *) echo "$(basename "$2") $(echo "$*" | sed -n 's/.*-L [^(]*(\\([^)]*\\)).*/\\1/p')" >>"$RAN"
     echo "100% tests passed, 0 tests failed out of 3" ;;
esac
"""
NPM = """\
case "$*" in *test) echo node >>"$RAN"; printf '# pass 5\\n# fail 0\\n# skipped 0\\n' ;; esac
"""
PYTEST = {
    *("tools", "python/tests bench", "examples/onion", "examples/test_matrices.py", "testing/faults"),
    *("testing/oracle", "testing/node", "examples/imgserve -k parallel", "examples/imgserve -k not parallel"),
}
EVERYTHING = PYTEST | {"node", "dev one|two", "tsan one|two", "model one|two"}
COUNTS = "41 passed, 0 failed, 9 skipped"


class Project(Clone):
    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        for name in ("run_tests", "passed.py", "project_files.py"):
            shutil.copy(ROOT / "tools" / name, folder / "tools" / name)
        self.program("build/venv/bin/python", PYTHON)
        self.program("build/venv/bin/npm", NPM)
        self.program("bin/ctest", CTEST)
        for name in (
            "base/clock.cpp",
            "elyze/specs/libc.yaml",
            "examples/onion/main.c",
            "examples/onion/tests/test_circuits.py",
            "examples/imgserve/tests/test_http.py",
            "examples/test_matrices.py",
            "testing/faults/test_faults.py",
            "testing/oracle/test_recording.py",
            "python/heddle/app.py",
            "build/dev/elyze/elyze",
            "build/dev/multivent/libmultivent.so",
            "build/tsan/multivent/libmultivent.so",
            "CHANGELOG.md",
        ):
            self.write(name, "as it was")
        self.write("examples/imgserve/tests/conftest.py", "params=BUILDS")
        for preset in ("dev", "tsan", "model"):
            tests = [{"command": [str(self.write(f"build/{preset}/{name}", "program"))]} for name in ("one", "two")]
            self.write(f"build/{preset}/tests.json", json.dumps({"tests": [*tests, tests[1]]}))
            specs = r"-DSPECS=\\\"" + str(folder / "elyze/specs") + r"\\\""
            self.write(f"build/{preset}/compile_commands.json", specs if preset == "dev" else "")
        self.write(".gitignore", "/build/\n/bin/\n/calls\n/ran\n/write-*\n/out-*\n")
        subprocess.run(["git", "init", "-q", folder], check=True)
        subprocess.run(["git", "add", "."], cwd=folder, check=True)

    def write(self, name: str, text: str) -> Path:
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def test(self, *words: str, **variables: str) -> set[str]:
        """Runs them; what the runners were asked for: the place for pytest, the build and its programs for ctest."""
        ran = self.write("ran", "")
        self.done = self.heddle("test", *words, RAN=str(ran), **variables)
        assert "Traceback" not in self.done.stderr, self.done.stderr
        return set(ran.read_text().splitlines())

    @property
    def summary(self) -> str:
        return self.done.stdout.partition("== summary\n")[2]


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Project:
    """One in which everything has passed, which every test here leaves so."""
    project = Project(tmp_path_factory.mktemp("project"))
    assert project.test() == EVERYTHING
    assert project.done.returncode == 0, project.done.stdout
    assert project.summary.splitlines()[-1] == COUNTS
    return project


def test_what_passed_and_is_unchanged_is_counted_and_not_run_again(project: Project) -> None:
    assert project.test() == set()
    assert project.done.returncode == 0
    assert project.summary.splitlines()[-1] == COUNTS
    assert "of those that passed, 41 are unchanged since, and were not run again" in project.summary
    for line in (
        r"native                   unchanged since it passed: 3 passed, in 2 programs",
        r"node                     unchanged since it passed on [\d-]{10} \d\d:\d\d: 5 passed, 0 failed, 0 skipped",
        r"examples:onion           unchanged since it passed on .*: 3 passed, 1 skipped",
    ):
        assert re.search(f"^{line}$", project.summary, re.MULTILINE), project.summary


@pytest.mark.parametrize(
    ("changed", "run"),
    [
        # A source of a native program counts by what is built of it, here nothing.
        ("base/clock.cpp", {"tools"}),
        ("CHANGELOG.md", {"tools"}),
        ("build/dev/one", {"dev one"}),
        ("elyze/specs/libc.yaml", EVERYTHING - {"tsan one|two", "model one|two"}),
        (
            "build/dev/elyze/elyze",
            {"python/tests bench", "testing/oracle", "examples/onion", "examples/test_matrices.py"},
        ),
        (
            "build/dev/multivent/libmultivent.so",
            {"python/tests bench", "testing/faults", "testing/oracle", "examples/imgserve -k parallel"},
        ),
        ("build/tsan/multivent/libmultivent.so", {"python/tests bench"}),
        ("examples/onion/tests/test_circuits.py", {"tools", "python/tests bench", "examples/onion"}),
        ("testing/servers/server.py", PYTEST | {"node"}),
    ],
)
def test_a_changed_byte_runs_what_depends_on_it(project: Project, changed: str, run: set[str]) -> None:
    project.write(changed, "as it is now")
    assert project.test() == run


def test_a_suite_is_given_the_programs_that_it_depends_on_and_no_others(project: Project) -> None:
    def given(unit: str) -> set[str]:
        command = [sys.executable, "tools/passed.py", "give", unit]
        place = Path(
            subprocess.run(command, cwd=project.folder, check=True, capture_output=True, text=True).stdout[:-1]
        )
        return {str(path.relative_to(place)) for path in place.rglob("*.so")} | {
            path.name for path in place.rglob("elyze")
        }

    assert given("examples:imgserve") == set()
    assert given("examples:imgserve:parallel") == {"dev/multivent/libmultivent.so"}
    assert given("oracle") == {"elyze", "dev/multivent/libmultivent.so"}
    assert given("conformance:races") > {"dev/multivent/libmultivent.so", "tsan/multivent/libmultivent.so"}


def test_a_file_that_is_touched_is_not_changed_and_one_that_is_as_before_has_passed(project: Project) -> None:
    source = project.folder / "examples/onion/main.c"
    os.utime(source, (1, 1))
    assert project.test() == set()
    before = source.read_text()
    source.write_text("another branch")
    assert "examples/onion" in project.test()
    source.write_text(before)
    assert project.test() == set()


def test_a_new_file_that_git_does_not_track_is_seen(project: Project) -> None:
    project.write("testing/faults/test_new.py", "")
    assert project.test() == {"testing/faults", "tools", "python/tests bench"}
    project.write("testing/linking/test_linking.py", "")
    assert "testing/linking" in project.test()
    shutil.rmtree(project.folder / "testing/linking")
    (project.folder / "testing/faults/test_new.py").unlink()
    assert project.test() == set()


def test_a_variable_that_changes_programs_runs_all_of_them(project: Project) -> None:
    assert project.test(EDITOR="ed") == set()
    assert project.test(TSAN_OPTIONS="halt_on_error=1") == EVERYTHING


def test_another_path_counts_if_another_program_is_found_by_it(project: Project, tmp_path: Path) -> None:
    path = f"{project.folder / 'bin'}:{os.environ['PATH']}"
    assert project.test(PATH=f"{path}:{tmp_path}") == set()
    (tmp_path / "clang-19").symlink_to("/bin/true")
    assert project.test(PATH=f"{tmp_path}:{path}") == EVERYTHING


def test_what_failed_is_run_again_until_it_passes(project: Project) -> None:
    project.write("examples/onion/main.c", "another change")
    project.test(FAILING="examples/onion")
    assert project.done.returncode == 1
    assert project.summary.splitlines()[-1].endswith(" passed, 1 failed, 8 skipped")
    assert project.test(FAILING="examples/onion") == {"examples/onion"}
    assert project.test() == {"examples/onion"}
    assert project.test() == set()


def test_what_passed_while_a_file_was_written_is_not_kept(project: Project) -> None:
    project.write("examples/onion/main.c", "a third change")
    project.write("write-while-running", "")
    changed = project.test()
    (project.folder / "write-while-running").unlink()
    assert "examples/onion" in changed
    assert project.test() == changed
    assert project.test() == set()


def test_what_was_skipped_because_nothing_could_be_fetched_is_not_kept(project: Project) -> None:
    project.write("testing/faults/test_faults.py", "another change")
    project.write("out-of-reach", "")
    assert "testing/faults" in project.test()
    (project.folder / "out-of-reach").unlink()
    assert "testing/faults" in project.test()


def test_again_and_a_name_run_what_is_unchanged(project: Project) -> None:
    assert project.test("--again") == EVERYTHING
    assert project.test("node") == {"node"}
    assert project.test("native", "conformance") == {"dev one|two", "testing/faults"}
    assert project.test("conformance", "-k", "clock") == {
        "testing --ignore=testing/oracle --ignore=testing/node -k clock"
    }
    assert project.test() == set()


def test_a_part_named_with_arguments_is_not_kept(project: Project) -> None:
    project.write("testing/faults/test_faults.py", "changed")
    project.test("conformance", "-k", "clock")
    assert "testing/faults" in project.test()


def test_all_is_another_run(project: Project) -> None:
    assert project.test("--all") > EVERYTHING - {"node"}
    assert project.test("--all") == {"asan "}, "which is built as part of the run"
    assert project.test() == set()
