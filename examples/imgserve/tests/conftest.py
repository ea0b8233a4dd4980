from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import pytest

from testing.servers.generators import generator
from testing.servers.server_process import BUILDS, Program, Server, StartServer, build, running

SOURCES = Path(__file__).resolve().parents[1]
make_pictures = generator(SOURCES / "make_pictures.py")


@pytest.fixture(scope="session", params=BUILDS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    return build(SOURCES, request.param, tmp_path_factory.mktemp("imgserve") / "src")


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Twenty pictures, and every kind of broken one."""
    folder = tmp_path_factory.mktemp("pictures")
    make_pictures.make(folder, 20, broken=True)
    (folder / "folder.jpg").mkdir()
    (folder / "with space.jpg").write_bytes((folder / "picture-0000.jpg").read_bytes())
    return folder


@pytest.fixture
def start(program: Program, pictures: Path, tmp_path: Path) -> StartServer:
    return functools.partial(running, program, pictures, tmp_path / "access.log")


@pytest.fixture
def server(start: StartServer) -> Iterator[Server]:
    with start() as running_server:
        yield running_server
