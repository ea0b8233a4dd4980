from __future__ import annotations

import functools
import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from imgserve_process import Imgserve, Program, StartServer, running
from matrix import constraints, read_matrix

SOURCES = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(SOURCES))

RUNTIME = Path(os.environ.get("HEDDLE_BUILD", SOURCES.parents[1] / "build/dev")) / "multivent/libmultivent.so"

# As users build it; with what notices errors that happen to do no harm; and under the runtime, with all the parallelism
# that is true of it.
SANITIZE = "-fsanitize=address,undefined"
BUILDS = {
    "plain": [],
    "sanitized": [f"CFLAGS=-O1 -g {SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all", f"LDFLAGS={SANITIZE}"],
    "parallel": ["LDFLAGS=-Wl,--build-id"],
}


def parallel_environment(program: Path) -> dict[str, str]:
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    document = constraints(read_matrix(SOURCES / "expected-matrix.txt"), notes.split("Build ID:")[1].split()[0])
    path = program.with_name("constraints.json")
    path.write_text(json.dumps(document))
    return {
        "LD_PRELOAD": str(RUNTIME),
        "HEDDLE_THREADS": "3",
        "HEDDLE_CONSTRAINTS": str(path),
        "HEDDLE_ORACLE": "1",
        "HEDDLE_SUMMARY": "0",
        "HEDDLE_RUN_FILE": str(program.with_name("run.json")),
    }


@pytest.fixture(scope="session", params=BUILDS)
def program(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Program:
    parallel = request.param == "parallel"
    if parallel and not RUNTIME.exists():
        pytest.skip("the runtime is not built")
    folder = tmp_path_factory.mktemp("imgserve") / "src"
    unwanted = shutil.ignore_patterns("*.o", "*.d", "imgserve", "tests", ".*")
    shutil.copytree(SOURCES, folder, ignore=unwanted)
    subprocess.run(["make", "-s", "-j2", *BUILDS[request.param]], cwd=folder, check=True)
    path = folder / "imgserve"
    return Program(path, parallel_environment(path) if parallel else {})


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
def start(program: Program, pictures: Path, tmp_path: Path) -> StartServer:
    return functools.partial(running, program, pictures, tmp_path / "access.log")


@pytest.fixture
def server(start: StartServer) -> Iterator[Imgserve]:
    with start() as running_server:
        yield running_server
