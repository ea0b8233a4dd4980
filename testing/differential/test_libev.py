"""Random programs on libev do the same on plain libev and on our core, callback by callback.

watchers.c runs what a seed stands for, under a simulated clock (kernel.h), and prints what its watchers see. A failure
names the seeds.
"""

from __future__ import annotations

import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from testing.differential import libev_programs

HERE = Path(__file__).resolve().parent
LIBRARY = libev_programs.BUILD / "multivent/libmultivent.so"
SERIAL = {"HEDDLE_SERIAL": "1"}
SLOTS = [*(f"slot_{number}" for number in range(12)), "on_once"]
# Where the watcher stands in its session (watchers.c).
SESSIONS = {"session_io": 0, "session_first": 48, "session_second": 96}
PROMOTIONS = ("always", "shared", "adaptive", "in-turn")
SECONDS_PER_PROGRAM = 60
SHOWN = 3


@pytest.fixture(scope="module")
def watchers() -> Path:
    return libev_programs.program("watchers", HERE / "watchers.c", HERE / "kernel.c")


@dataclass(frozen=True)
class Result:
    code: int | str
    trace: list[str]
    complaints: str


def run(program: Path, mode: str, seed: int, settings: dict[str, str] | None) -> Result:
    """On plain libev if there are no settings."""
    preload = {} if settings is None else {"LD_PRELOAD": str(LIBRARY), "HEDDLE_SUMMARY": "0", **settings}
    try:
        ended = subprocess.run(
            [program, mode, str(seed)],
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS_PER_PROGRAM,
            env={**os.environ, **preload},
        )
    except subprocess.TimeoutExpired:
        return Result("hangs", [], "")
    return Result(ended.returncode, ended.stdout.splitlines(), ended.stderr)


def difference(program: Path, mode: str, seed: int, settings: dict[str, str]) -> str:
    """Where the two runs part, empty if they do not."""
    plain, ours = run(program, mode, seed, None), run(program, mode, seed, settings)
    assert plain.code == 0, f"watchers {mode} {seed} fails on plain libev: {plain}"
    if plain == ours:
        return ""
    pairs = zip(plain.trace, ours.trace, strict=False)
    same = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(plain.trace), len(ours.trace)))
    return "\n".join(
        [
            f"watchers {mode} {seed}, line {same + 1}; exit code of ours: {ours.code} {ours.complaints}",
            *(f"    {line}" for line in plain.trace[max(0, same - 12) : same]),
            *(f"  - {line}" for line in plain.trace[same : same + 4]),
            *(f"  + {line}" for line in ours.trace[same : same + 4]),
        ]
    )


def check(program: Path, mode: str, seeds: range, settings: dict[str, str]) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda seed: difference(program, mode, seed, settings), seeds))
    bad = [seed for seed, text in zip(seeds, found, strict=True) if text]
    shown = "\n".join([text for text in found if text][:SHOWN])
    assert not bad, f"{len(bad)} of {len(seeds)} {mode} programs differ, seeds {bad[:20]}\n{shown}"


def crew(program: Path, folder: Path, handlers: dict[str, int], verdict: str, promotion: str) -> dict[str, str]:
    """Several threads, and a document in which every two handlers have the same verdict."""
    return {
        "HEDDLE_THREADS": "4",
        "HEDDLE_PROMOTE": promotion,
        "HEDDLE_ORACLE": "1",
        "HEDDLE_CONSTRAINTS": str(libev_programs.document(program, folder, handlers, verdict)),
    }


def test_programs_are_worth_comparing(watchers: Path) -> None:
    lines = [line for seed in range(150) for line in run(watchers, "serial", seed, None).trace]
    kinds = (
        "io",
        "timer",
        "periodic",
        "idle",
        "prepare",
        "check",
        "signal",
        "async",
        "fork",
        "cleanup",
        "child",
        "embed",
    )
    for words in (
        *(f" {kind}, what" for kind in kinds),
        "once ",
        "inner, what",
        "inner io,",
        "  child: ",
        "ran inside: 1, depth 2",
        "what 0x10",
    ):
        assert any(words in line for line in lines), f"nothing happens that prints '{words}'"


@pytest.mark.timeout(300)
def test_one_thread_does_exactly_what_libev_does(watchers: Path) -> None:
    check(watchers, "serial", range(300), SERIAL)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_one_thread_does_exactly_what_libev_does_in_thousands_of_programs(watchers: Path) -> None:
    check(watchers, "serial", range(300, 6000), SERIAL)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promotion", PROMOTIONS)
def test_a_crew_of_conflicting_handlers_does_what_libev_does(watchers: Path, promotion: str, tmp_path: Path) -> None:
    check(watchers, "crew", range(60), crew(watchers, tmp_path, dict.fromkeys(SLOTS, 0), "always", promotion))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promotion", PROMOTIONS)
def test_every_session_sees_what_it_would_see_with_one_thread(watchers: Path, promotion: str, tmp_path: Path) -> None:
    check(watchers, "sessions", range(60), crew(watchers, tmp_path, SESSIONS, "session", promotion))


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("promotion", PROMOTIONS)
def test_every_session_sees_what_it_would_see_with_one_thread_in_many_programs(
    watchers: Path, promotion: str, tmp_path: Path
) -> None:
    check(watchers, "sessions", range(60, 1000), crew(watchers, tmp_path, SESSIONS, "session", promotion))
