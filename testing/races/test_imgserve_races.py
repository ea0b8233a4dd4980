"""ThreadSanitizer over imgserve under multivent: no report."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from testing.servers.instrumented import PYTHON, assert_no_race, instrumented
from testing.servers.matrix import ROOT


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return instrumented(ROOT / "examples/imgserve", tmp_path_factory.mktemp("races"))


def make_pictures(folder: Path) -> None:
    subprocess.run(
        [PYTHON, ROOT / "examples/imgserve/make_pictures.py", "--count", "24", folder],
        check=True,
        stdout=subprocess.DEVNULL,
    )


@pytest.fixture(scope="module")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pictures")
    make_pictures(folder)
    return folder


def command_and_load(program: Path, pictures: Path, folder: Path) -> tuple[list[str | Path], list[str]]:
    # The little cache makes store evict; the short idle time makes sweep close connections under load.
    command = [program, "-p", "0", "-d", pictures, "-c", "1", "-i", "1", "-l", folder / "access.log"]
    names = sorted(path.name for path in pictures.glob("*.jpg"))
    routes = [word for name in names for word in ("--path", f"/thumb/{name}?w=80=1")]
    load = [*routes, "--path", "/hello=8", "--path", "/missing=1", "--any-status", "--probe", "/stats", "--json"]
    return command, load


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_thread_sanitizer_has_nothing_to_report(program: Path, pictures: Path, tmp_path: Path, promote: str) -> None:
    command, load = command_and_load(program, pictures, tmp_path)
    assert_no_race(command, load, tmp_path, promote)
