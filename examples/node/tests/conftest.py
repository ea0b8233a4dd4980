from __future__ import annotations

import subprocess
from contextlib import AbstractContextManager
from pathlib import Path

import pytest
from node_examples import EXAMPLES, Ended, Make, Run, Start, command, environment

from heddle.measure.serving import Server, serving
from heddle.system import nodejs


def ways() -> list[object]:
    skip = pytest.mark.skipif(not nodejs.is_built(), reason="heddle-node is not built")
    return ["node", pytest.param("heddle-node", marks=skip)]


@pytest.fixture(params=ways())
def way(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def run(way: str) -> Run:
    def ended(program: str, *arguments: str | Path, cwd: Path | None = None) -> Ended:
        words = command(way, program, *arguments)
        done = subprocess.run(words, capture_output=True, text=True, env=environment(), cwd=cwd, check=False)
        return Ended(done.returncode, done.stdout, done.stderr)

    return ended


@pytest.fixture
def start(way: str) -> Start:
    def started(program: str, *arguments: str | Path, **more: str) -> AbstractContextManager[Server]:
        return serving(command(way, program, *arguments), environment(**more))

    return started


@pytest.fixture(scope="session")
def packages() -> None:
    """What the examples need from npm is there."""
    nodejs.install(EXAMPLES)


@pytest.fixture(scope="session")
def make(tmp_path_factory: pytest.TempPathFactory) -> Make:
    """Calls a script of an example that fills a folder; the folder."""

    def made(script: str, *arguments: str) -> Path:
        folder = tmp_path_factory.mktemp("made")
        subprocess.run([nodejs.node(), EXAMPLES / script, folder, *arguments], check=True)
        return folder

    return made
