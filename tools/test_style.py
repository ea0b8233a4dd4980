"""Formatting, linters and the habits of this code base, each as a test."""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest
from project_files import CPP, ROOT, TYPESCRIPT, C, files_with, project_files
from sizes import long_files
from tidy import Tidy
from unity import clashes

TEXT = {*C, *CPP, *TYPESCRIPT, *".mjs .js .py .md .txt .yaml .yml .toml .json .cmake .sh".split(), ""}
MOST_COLUMNS = 120


def run(*command: str | Path, cwd: Path = ROOT) -> str:
    """Runs a checker; its output when it complains, else an empty text."""
    done = subprocess.run([str(word) for word in command], cwd=cwd, capture_output=True, text=True)
    return "" if done.returncode == 0 else (done.stdout + done.stderr)[-4000:]


def test_c_and_cpp_are_formatted() -> None:
    paths = [path for path in files_with(*C, *CPP) if "programs" not in path.parts]
    assert run("clang-format-19", "--dry-run", "--Werror", *paths) == ""


def test_python_is_formatted_and_lint_free() -> None:
    python = files_with(".py")
    assert run("ruff", "format", "--check", *python) == ""
    assert run("ruff", "check", *python) == ""


def test_python_types_hold() -> None:
    assert run("mypy", "--strict", "python/heddle") == ""


def test_typescript_is_formatted() -> None:
    """By prettier, at the version and with the settings of node/package.json and its lock file."""
    package = ROOT / "node"
    assert run(package / "node_modules/.bin/prettier", "--check", "--log-level", "warn", "src", cwd=package) == ""


def test_comments_in_typescript_keep_to_the_width() -> None:
    """Prettier breaks code, but no comments."""
    long = [
        f"{path}:{number}"
        for path in files_with(*TYPESCRIPT)
        if path.is_relative_to("node/src")
        for number, line in enumerate((ROOT / path).read_text().splitlines(), 1)
        if len(line) > MOST_COLUMNS and line.lstrip().startswith(("//", "/*", "*"))
    ]
    assert long == []


@pytest.mark.parametrize(
    "script", ["heddle", "tools/run_tests", "tools/hooks/pre-commit", "node/bin/heddle-node", ".ci/run"]
)
def test_shell_scripts_are_posix(script: str) -> None:
    assert run("dash", "-n", script) == ""


def assert_tidy(*paths: Path) -> None:
    said = Tidy(Path(os.environ["HEDDLE_BUILD"])).over(paths)
    if said:
        pytest.fail(said, pytrace=False)  # all of it: who mends it should not have to run it again


def is_runtime(path: Path) -> bool:
    return path.parts[0] in {"scheduler", "telemetry", "multivent"} and "_test" not in path.name


@pytest.mark.timeout(1200)
def test_clang_tidy_is_content_with_the_runtime() -> None:
    assert_tidy(*filter(is_runtime, files_with(".cpp")))


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_clang_tidy_is_content_with_everything_else() -> None:
    assert_tidy(*(path for path in files_with(".cpp") if not is_runtime(path)))


def test_no_two_sources_of_a_part_define_one_name_for_themselves() -> None:
    both = clashes(ROOT, files_with(".cpp"))
    assert both == [], (
        "release and asan compile several sources as one unit, in which these names meet: "
        "share the definition, or give each a name that says what it is"
    )


def test_names_that_would_meet_in_one_unit_are_found(tmp_path: Path) -> None:
    sources = {
        "a/x.cpp": """
            #include <map>
            namespace a {
            namespace {
            using Json = json;
            using Alias = char;
            constexpr int kMost = 3;  // of {them
            const char* name() { int inside = 0; return "}"; }
            [[gnu::noinline]] bool is_x(int depth = kMost) { return depth > 0; }
            class Finder { int run(); };
            int Finder::run() { return 1; }
            struct Later;
            template <class T> std::map<T, int> counts{};
            }
            int shared() { static int count = 0; return ++count; }
            static int own = 0;
            }  // namespace a""",
        "a/y.cpp": """
            namespace { using Json = json; struct Later; int run, depth, inside, count; long kMost; }
            void in_a_body() {
              using Alias = char;
            }
            namespace { bool is_x(char c); }
            extern "C" { static void own() {} }
            namespace { enum class Finder { kNone }; template <class> double counts = 1; long shared; int name[3]; }""",
        "a/y_test.cpp": "namespace { int kMost; }",
        "b/x.cpp": "namespace { int kMost; using Json = xml; }",
        "b/y.cpp": "namespace { using Json = json; }",
    }
    for name, text in sources.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    both = {said.partition(":")[0] for said in clashes(tmp_path, map(Path, sources))}
    assert both == {"kMost", "name", "is_x", "Finder", "counts", "own", "Json", "Alias"}


def test_long_files_are_named() -> None:
    lines = len((ROOT / "tools/test_style.py").read_text().splitlines())
    assert any(said.startswith(f"tools/test_style.py has {lines} lines") for said in long_files(lines - 1))
    assert not any(said.startswith("tools/test_style.py ") for said in long_files(lines))


def test_nothing_unfinished_and_no_machine_paths() -> None:
    unfinished = re.compile(r"\b(TODO|FIXME|XXX|HACK)\b")
    machine = re.compile(r"(?<![\w.$}~-])/(root|home/\w+)/")
    found = []
    for path in project_files():
        if path.suffix not in TEXT or path.name in {"LICENSE", "test_style.py"}:
            continue
        for number, line in enumerate((ROOT / path).read_text(errors="replace").splitlines(), 1):
            if unfinished.search(line) or machine.search(line):
                found.append(f"{path}:{number}: {line.strip()[:100]}")
    assert found == []
