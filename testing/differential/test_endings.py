"""Handlers that run loops, end them or the process, send signals, fork and start programs: those of endings/.

What each prints is the same in every order in which one thread could call its handlers, so it is the same under
libevent and under `heddle run`.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from testing.servers.instrumented import BUILD, ROOT, heddle

SOURCES = Path(__file__).resolve().parent / "endings"
NAMES = sorted(source.stem for source in SOURCES.glob("*.c"))
FLAGS = "-O1 -g -Wall -Wextra -Werror -D_GNU_SOURCE"
PATIENCE = 60  # seconds; nothing takes that long unless it fails

Outcome = tuple[str, int]


@pytest.fixture(scope="module")
def programs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("endings")
    shutil.copytree(SOURCES, folder, dirs_exist_ok=True)
    rule = f"%: %.c small.h\n\t$(CC) {FLAGS} $< -o $@ -levent -levent_pthreads -Wl,--build-id\n"
    (folder / "Makefile").write_text(f"all: {' '.join(NAMES)}\n{rule}")
    heddle("build", "--", "make", "-j2", "CC=gcc", cwd=folder)
    return folder


def outcome(*command: str | Path) -> Outcome:
    # In a group of its own: some programs send signals to their group.
    done = subprocess.run(
        command,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        check=False,
        timeout=PATIENCE,
        start_new_session=True,
        env={**os.environ, "HEDDLE_ROOT": str(ROOT), "HEDDLE_BUILD": str(BUILD)},
    )
    return done.stdout, done.returncode


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", NAMES)
def test_the_outcome_is_that_of_one_thread(programs: Path, name: str) -> None:
    program = programs / name
    expected = outcome(program)
    heddle("analyze", program, cwd=programs)
    for threads in ("2", "4"):
        assert outcome(sys.executable, "-m", "heddle", "run", "--threads", threads, program) == expected
