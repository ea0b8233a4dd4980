"""Other people's libevent programs: Debian source packages, fetched and built with `heddle build` when they are needed.

Nothing of them is part of this project. They lie in a folder below build/, one tree for each way to build them, and
what is there already is not made again.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
_LONGEST_BUILD_S = 3600
_CONFIGURE = "test -f Makefile || ./configure"

# Ways to build: with bitcode, with bitcode and logging its accesses, with ThreadSanitizer.
BITCODE, TRACED = ("heddle", "build", "--"), ("heddle", "build", "--trace", "--")
SANITIZED = ("env", "CC=clang-19 -fsanitize=thread", "CFLAGS=-g -O1")


class UnfitError(Exception):
    """The program cannot be had here; the text says why."""


@dataclass(frozen=True)
class Program:
    name: str
    package: str
    build: str  # a shell command in the source tree; does nothing where all is built
    executable: str
    edited: str = ""  # a source file in which many others take part, to measure what one edit costs
    tools: tuple[str, ...] = ()  # further programs of the package that are needed to set it up
    # What ThreadSanitizer reports of the program on plain libevent as well; see its manual, "Suppressions".
    suppressions: tuple[str, ...] = ()

    def tree(self, folder: Path) -> Path:
        return folder / self.package

    def handlers(self) -> set[str]:
        """What a person found by reading the sources (elyze/tests/corpus)."""
        lines = (ROOT / "elyze/tests/corpus" / f"{self.name}.handlers").read_text().splitlines()
        return {line for line in lines if line and not line.startswith("#")}


PROGRAMS = (
    Program("inetd", "openbsd-inetd", "make -f Makefile.debian", "inetd"),
    Program("redsocks", "redsocks", "make", "redsocks"),
    Program("memcached", "memcached", f"({_CONFIGURE}) && make memcached", "memcached"),
    Program(
        "pgbouncer",
        "pgbouncer",
        "(test -f config.mak || ./configure --with-cares=yes --without-systemd) && make",
        "pgbouncer",
    ),
    Program("opensmtpd", "opensmtpd", f"({_CONFIGURE}) && make", "mk/smtpd/smtpd"),
    Program("tmux", "tmux", f"({_CONFIGURE}) && make", "tmux"),
    Program(
        "tor",
        "tor",
        f"({_CONFIGURE} --disable-asciidoc --disable-systemd --disable-unittests) && make -j2",
        "src/app/tor",
        edited="src/core/mainloop/connection.c",
        tools=("src/tools/tor-gencert",),
        suppressions=("deadlock:threadpool_start_threads",),  # two of its own locks in both orders, before the loop
    ),
)
BY_NAME = {program.name: program for program in PROGRAMS}


def build(program: Program, folder: Path, native: Path, how: Sequence[str] = BITCODE) -> Path:
    """Builds it below `folder`, which is for one way to build; returns its executable. `native` is our own build."""
    fetch(program.package, folder)
    executable = program.tree(folder) / program.executable
    if how == TRACED and _older(executable, native):
        shutil.rmtree(program.tree(folder))
        fetch(program.package, folder)
    if not executable.exists():
        rebuild(program, folder, native, how)
    if not executable.exists():
        raise UnfitError(f"the build left no {program.executable}")
    return executable


def fetch(package: str, folder: Path) -> None:
    """Its sources as folder/package, if they are not there already."""
    folder.mkdir(parents=True, exist_ok=True)
    command: list[str | Path] = [ROOT / "tools/fetch_debian_source", package, folder]
    _quiet("not fetched", command, folder, dict(os.environ))


def rebuild(program: Program, folder: Path, native: Path, how: Sequence[str] = BITCODE) -> None:
    """Runs its build command; what is up to date stays as it is."""
    start = [sys.executable, "-m", *how] if how[0] == "heddle" else how
    _quiet("not built", [*start, "sh", "-c", program.build], program.tree(folder), environment(native))


def environment(native: Path) -> dict[str, str]:
    """For calls of the command line with this build."""
    return os.environ | {"PYTHONPATH": str(ROOT / "python"), "HEDDLE_ROOT": str(ROOT), "HEDDLE_BUILD": str(native)}


def _older(executable: Path, native: Path) -> bool:
    """Whether it was instrumented by another version of our compiler pass."""
    ours = native / "elyze/oracle/libheddle_oracle_pass.so"
    return executable.exists() and ours.exists() and executable.stat().st_mtime < ours.stat().st_mtime


def _quiet(what: str, command: Sequence[str | Path], folder: Path, environment: dict[str, str]) -> None:
    try:
        done = subprocess.run(
            list(map(str, command)),
            cwd=folder,
            env=environment,
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=_LONGEST_BUILD_S,
        )
    except subprocess.TimeoutExpired:
        raise UnfitError(f"{what}: it took more than {_LONGEST_BUILD_S} s") from None
    if done.returncode:
        said = (done.stderr + done.stdout).strip().splitlines() or ["?"]
        errors = [line for line in said if re.search(r"\berror\b", line, re.IGNORECASE)]
        raise UnfitError(f"{what}: {(errors or said)[-1][:160]}")
