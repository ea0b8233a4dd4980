"""tools/fetch_debian_source, with a stand-in for apt-get: what is left where, and what is said of missing parts."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

SCRIPT = Path(__file__).with_name("fetch_debian_source")
# Knows `server`. HAS says what the mirror has: all of it, the authors' archive alone, or nothing.
APT_GET = """#!/bin/sh
case "$*" in
  *update*) exit 0 ;;
  *--tar-only*source\\ server*)
    [ "$HAS" != nothing ] || exit 100
    mkdir -p server-release-2/tests/deep && echo plain >server-release-2/server.c
    echo one >server-release-2/tests/deep/one.js && touch server-release-2/tests/server.h server-release-2/server.h
    tar -czf server_2.orig.tar.gz server-release-2 && rm -r server-release-2 ;;
  *source\\ server*)
    [ "$HAS" = all ] || { echo "404  Not Found"; exit 100; }
    mkdir server-2 && echo patched >server-2/server.c ;;
  *) exit 100 ;;
esac
"""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/apt-get").write_text(APT_GET)
    (tmp_path / "bin/apt-get").chmod(0o755)
    return tmp_path


def fetch(folder: Path, package: str, has: str, *parts: str) -> subprocess.CompletedProcess[str]:
    environment = os.environ | {"PATH": f"{folder / 'bin'}:{os.environ['PATH']}", "HAS": has}
    command = [SCRIPT, package, folder / "sources", *parts]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=False)


def test_a_package_is_unpacked_under_its_name_and_fetched_once(folder: Path) -> None:
    assert (done := fetch(folder, "server", "all")).returncode == 0, done.stderr
    assert (folder / "sources/server/server.c").read_text() == "patched\n"
    assert fetch(folder, "server", "nothing").returncode == 0
    assert [path.name for path in (folder / "sources").iterdir()] == ["server"]


def test_without_debians_changes_the_authors_archive_is_taken_and_that_is_said(folder: Path) -> None:
    done = fetch(folder, "server", "archive")
    assert done.returncode == 0, done.stderr
    assert done.stderr == "fetch_debian_source: 'server' without Debian's changes, which the mirror does not have\n"
    assert (folder / "sources/server/server.c").read_text() == "plain\n"


def test_parts_alone_are_unpacked(folder: Path) -> None:
    assert (done := fetch(folder, "server", "archive", "tests/deep", "server.c", "server.h")).returncode == 0, (
        done.stderr
    )
    files = sorted(path.relative_to(folder) for path in (folder / "sources").rglob("*") if path.is_file())
    assert list(map(str, files)) == [
        "sources/server/server.c",
        "sources/server/server.h",
        "sources/server/tests/deep/one.js",
    ]


def test_a_part_that_was_not_asked_for_before_is_fetched(folder: Path) -> None:
    assert fetch(folder, "server", "archive", "server.c").returncode == 0
    assert fetch(folder, "server", "nothing", "server.c").returncode == 0
    assert fetch(folder, "server", "archive", "server.c", "server.h").returncode == 0
    assert sorted(path.name for path in (folder / "sources/server").iterdir()) == ["server.c", "server.h"]


def test_a_part_that_is_not_there_leaves_nothing_behind(folder: Path) -> None:
    done = fetch(folder, "server", "archive", "server.c", "docs")
    assert done.returncode == 1
    assert "the source of 'server' has not all of server.c docs" in done.stderr
    assert list((folder / "sources").iterdir()) == []


@pytest.mark.parametrize(("package", "has"), [("server", "nothing"), ("other", "all")])
def test_what_cannot_be_fetched_leaves_nothing_behind(folder: Path, package: str, has: str) -> None:
    done = fetch(folder, package, has)
    assert done.returncode == 1
    assert f"cannot fetch the source of '{package}'" in done.stderr
    assert list((folder / "sources").iterdir()) == []
