from __future__ import annotations

import functools
import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hello_file import HELLO, MODIFIED

from testing.servers.generators import generator
from testing.servers.server_process import BUILDS, Program, Server, StartServer, build, running

SOURCES = Path(__file__).resolve().parents[1]
make_files = generator(SOURCES / "make_files.py")


@pytest.fixture(scope="session", params=BUILDS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    return build(SOURCES, request.param, tmp_path_factory.mktemp("fileserver") / "src")


@pytest.fixture(scope="session")
def files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A tree with every kind of thing that a server meets in one."""
    folder = tmp_path_factory.mktemp("files") / "root"
    make_files.make(folder, make_files.Tree(small=24, large=2, large_bytes=3_000_000, seed=1))
    for path, data in {
        "hello.txt": HELLO,
        "empty.txt": b"",
        "page.html.gz": b"not really",
        "with space & <sign>.txt": b"odd name\n",
        "site/index.html": b"<h1>index</h1>\n",
        ".hidden": b"secret\n",
        "noext": b"data",
        "locked.txt": b"locked",
    }.items():
        (folder / path).parent.mkdir(exist_ok=True)
        (folder / path).write_bytes(data)
    (folder.parent / "outside.txt").write_text("outside\n")
    (folder / "escape.txt").symlink_to("../outside.txt")
    (folder / "escapes").symlink_to("..")
    (folder / "inside.txt").symlink_to("hello.txt")
    (folder / "loop").symlink_to("loop")
    (folder / "void").mkdir()
    os.mkfifo(folder / "pipe")
    os.utime(folder / "hello.txt", (MODIFIED, MODIFIED))
    return folder


@pytest.fixture
def start(program: Program, files: Path, tmp_path: Path) -> StartServer:
    return functools.partial(running, program, files, tmp_path / "access.log")


@pytest.fixture
def server(start: StartServer) -> Iterator[Server]:
    with start() as running_server:
        yield running_server
