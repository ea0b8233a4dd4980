"""The hook before a commit refuses what the style tests would refuse, and looks at what is staged only."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from project_files import ROOT


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """A repository with our settings, and the tools where the hook looks for them."""
    subprocess.run(["git", "init", "-q", tmp_path], check=True)
    for name in (".clang-format", "pyproject.toml"):
        shutil.copy(ROOT / name, tmp_path)
    (tmp_path / "build").mkdir()
    (tmp_path / "build/venv").symlink_to(ROOT / "build/venv")
    (tmp_path / "node/src").mkdir(parents=True)
    shutil.copy(ROOT / "node/package.json", tmp_path / "node")
    (tmp_path / "node/node_modules").symlink_to(ROOT / "node/node_modules")
    return tmp_path


def stage(repository: Path, name: str, text: str) -> None:
    (repository / name).write_text(text)
    subprocess.run(["git", "add", name], cwd=repository, check=True)


def hook(repository: Path) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    command = [ROOT / "tools/hooks/pre-commit"]
    return subprocess.run(command, cwd=repository, env=clean, capture_output=True, text=True, check=False)


@pytest.mark.parametrize(
    ("name", "bad", "good"),
    [
        ("a.cpp", "int  f( ) ;\n", "int f();\n"),
        ("a.py", "x  = 1\n", "x = 1\n"),
        ("b.py", "import os\n", '"""Nothing."""\n'),
        ("node/src/a.ts", "const  a = 1\n", "const a = 1;\n"),
        ("heddle", "if true; then\n", "true\n"),
    ],
)
def test_a_staged_file_that_the_style_tests_would_refuse_is_refused(
    repository: Path, name: str, bad: str, good: str
) -> None:
    stage(repository, name, bad)
    assert hook(repository).returncode == 1
    stage(repository, name, good)
    done = hook(repository)
    assert (done.returncode, done.stderr) == (0, "")


def test_what_is_not_staged_is_not_looked_at(repository: Path) -> None:
    stage(repository, "a.py", "x = 1\n")
    (repository / "a.py").write_text("x  = 1\n")
    (repository / "b.py").write_text("y  = 1\n")
    assert hook(repository).returncode == 0
