from __future__ import annotations

import functools
import json
import shutil
import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from testing.servers.server_process import BUILDS, TIMEOUT_S, Program, Server, StartServer, build, copy_sources, started

SOURCES = Path(__file__).resolve().parents[1]
Travel = Callable[..., dict[str, Any]]


@pytest.fixture(scope="session", params=BUILDS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    return build(SOURCES, request.param, tmp_path_factory.mktemp("onion") / "src")


@pytest.fixture(scope="session")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the client, and the relays that differ."""
    folder = tmp_path_factory.mktemp("onion") / "src"
    copy_sources(SOURCES, folder)
    subprocess.run(["make", "-s", "-j2", "onion-client", "onion-atomic", "onion-workers"], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="session")
def key(plain: Path) -> Path:
    """A relay's key; making one takes seconds."""
    file = plain / "relay.pem"
    with started(Program(plain / "onion-atomic", {}), "-k", str(file)):
        return file


@pytest.fixture
def start(program: Program, key: Path, tmp_path: Path) -> StartServer:
    shutil.copy(key, tmp_path / "relay.pem")
    return functools.partial(started, program, "-k", str(tmp_path / "relay.pem"))


@pytest.fixture
def server(start: StartServer) -> Iterator[Server]:
    with start() as running_server:
        yield running_server


@pytest.fixture
def travel(plain: Path) -> Travel:
    """Builds circuits; the client's figures, and with `why` the line by which it must fail instead."""

    def run(ports: object, *options: object, why: str = "") -> dict[str, Any]:
        command = [plain / "onion-client", "-p", str(ports), *map(str, options)]
        done = subprocess.run(command, capture_output=True, text=True, timeout=3 * TIMEOUT_S)
        assert why in done.stderr
        assert (done.stderr.count("\n"), done.returncode > 0) == ((1, True) if why else (0, False)), done.stderr
        figures: dict[str, Any] = {} if why else json.loads(done.stdout)
        return figures

    return run
