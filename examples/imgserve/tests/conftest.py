from __future__ import annotations

import functools
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from imgserve_process import Imgserve, StartServer, running

SOURCES = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCES))

# As users build it, and with what notices errors that happen to do no harm.
BUILDS = {
    "plain": [],
    "sanitized": [
        "CFLAGS=-O1 -g -fsanitize=address,undefined -fno-omit-frame-pointer -fno-sanitize-recover=all",
        "LDFLAGS=-fsanitize=address,undefined",
    ],
}


@pytest.fixture(scope="session", params=BUILDS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("imgserve") / "src"
    unwanted = shutil.ignore_patterns("*.o", "*.d", "imgserve", "tests", ".*")
    shutil.copytree(SOURCES, folder, ignore=unwanted)
    subprocess.run(["make", "-s", "-j2", *BUILDS[request.param]], cwd=folder, check=True)
    return folder / "imgserve"


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty pictures, and every kind of broken one."""
    from make_pictures import make

    folder = tmp_path_factory.mktemp("pictures")
    make(folder, 20, broken=True)
    (folder / "folder.jpg").mkdir()
    (folder / "with space.jpg").write_bytes((folder / "picture-0000.jpg").read_bytes())
    return folder


@pytest.fixture
def start(program: Path, pictures: Path, tmp_path: Path) -> StartServer:
    return functools.partial(running, program, pictures, tmp_path / "access.log")


@pytest.fixture
def server(start: StartServer) -> Iterator[Imgserve]:
    with start() as running_server:
        yield running_server
