"""Random event programs do the same on plain libevent and on our core, callback by callback.

The program random_events builds and runs what a seed stands for, under a simulated clock and kernel (kernel.h), and
prints what happened. A failure names the seeds; `random_events MODE SEED` runs one alone.
"""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations_with_replacement
from pathlib import Path

import pytest

from heddle.documents.contracts import VERSIONS

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
PROGRAM = BUILD / "testing/differential/random_events"
LIBRARY = BUILD / "multivent/libmultivent.so"

HANDLERS = [*(f"slot_{number}" for number in range(12)), "on_once", "on_inner"]
SERIAL = {"HEDDLE_SERIAL": "1"}
SECONDS_PER_PROGRAM = 60
SHOWN = 3
PROMOTIONS = ("always", "shared")


@dataclass(frozen=True)
class Result:
    code: int | str
    trace: list[str]
    complaints: str


def run(mode: str, seed: int, settings: dict[str, str] | None) -> Result:
    """One program, on plain libevent if there are no settings."""
    preload = {} if settings is None else {"LD_PRELOAD": str(LIBRARY), "HEDDLE_SUMMARY": "0", **settings}
    try:
        ended = subprocess.run(
            [PROGRAM, mode, str(seed)],
            capture_output=True,
            text=True,
            check=False,
            timeout=SECONDS_PER_PROGRAM,
            env={**os.environ, **preload},
        )
    except subprocess.TimeoutExpired:
        return Result("hangs", [], "")
    return Result(ended.returncode, ended.stdout.splitlines(), ended.stderr)


def difference(mode: str, seed: int, settings: dict[str, str]) -> str:
    """Where the two runs part, empty if they do not."""
    plain, ours = run(mode, seed, None), run(mode, seed, settings)
    assert plain.code == 0, f"random_events {mode} {seed} fails on plain libevent: {plain}"
    if plain == ours:
        return ""
    pairs = zip(plain.trace, ours.trace, strict=False)
    same = next((i for i, (a, b) in enumerate(pairs) if a != b), min(len(plain.trace), len(ours.trace)))
    return "\n".join(
        [
            f"random_events {mode} {seed}, line {same + 1}; exit code of ours: {ours.code} {ours.complaints}",
            *(f"    {line}" for line in plain.trace[max(0, same - 12) : same]),
            *(f"  - {line}" for line in plain.trace[same : same + 4]),
            *(f"  + {line}" for line in ours.trace[same : same + 4]),
        ]
    )


def check(mode: str, seeds: range, settings: dict[str, str]) -> None:
    with ThreadPoolExecutor(2) as pool:
        found = list(pool.map(lambda seed: difference(mode, seed, settings), seeds))
    bad = [seed for seed, text in zip(seeds, found, strict=True) if text]
    shown = "\n".join([text for text in found if text][:SHOWN])
    assert not bad, f"{len(bad)} of {len(seeds)} {mode} programs differ, seeds {bad[:20]}\n{shown}"


def constraints(folder: Path, verdict: str) -> Path:
    """A document in which every two handlers of random_events have the same verdict."""
    notes = subprocess.run(["readelf", "-n", PROGRAM], capture_output=True, text=True, check=True).stdout
    handlers = [
        {
            "id": index,
            "name": name,
            "file": "session.c",
            "line": 1,
            "kind": "event",
            "session": {"kind": "object", "offset": 0},
            "registrations": [],
        }
        for index, name in enumerate(HANDLERS)
    ]
    pairs = [
        {"a": a, "b": b, "verdict": verdict, "conflicts": []}
        for a, b in combinations_with_replacement(range(len(HANDLERS)), 2)
    ]
    document = {
        "schema": "heddle/constraints",
        "version": VERSIONS["constraints"],
        "tool": {"name": "test", "version": "0"},
        "program": {"name": PROGRAM.name, "build_id": notes.split("Build ID:")[1].split()[0]},
        "handlers": handlers,
        "objects": [],
        "accesses": [],
        "pairs": pairs,
        "assumptions": [],
    }
    path = folder / f"{verdict}.constraints.json"
    path.write_text(json.dumps(document))
    return path


def crew(folder: Path, verdict: str, promotion: str = "always") -> dict[str, str]:
    """`promotion`: "always" wakes another thread for every handler, "shared" has all threads share short ones."""
    return {
        "HEDDLE_THREADS": "4",
        "HEDDLE_PROMOTE": promotion,
        "HEDDLE_ORACLE": "1",
        "HEDDLE_CONSTRAINTS": str(constraints(folder, verdict)),
    }


def test_programs_are_worth_comparing() -> None:
    lines = [line for seed in range(16) for line in run("serial", seed, None).trace]
    for words in ("slot ", "once, what", "finalized", "inner, what", "stream ", "loop ", "what 0x8,", "common"):
        assert any(words in line for line in lines), f"nothing happens that prints '{words}'"


@pytest.mark.timeout(300)
def test_one_thread_does_exactly_what_libevent_does() -> None:
    check("serial", range(300), SERIAL)


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_one_thread_does_exactly_what_libevent_does_in_thousands_of_programs() -> None:
    check("serial", range(300, 6000), SERIAL)


@pytest.mark.timeout(300)
def test_a_crew_of_conflicting_handlers_does_what_libevent_does(tmp_path: Path) -> None:
    check("crew", range(100), crew(tmp_path, "always"))


@pytest.mark.slow
@pytest.mark.timeout(1800)
def test_a_crew_of_conflicting_handlers_does_what_libevent_does_in_thousands_of_programs(tmp_path: Path) -> None:
    check("crew", range(100, 2000), crew(tmp_path, "always"))


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promotion", PROMOTIONS)
def test_every_session_sees_what_it_would_see_with_one_thread(promotion: str, tmp_path: Path) -> None:
    check("sessions", range(60), crew(tmp_path, "session", promotion))


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("promotion", PROMOTIONS)
def test_every_session_sees_what_it_would_see_with_one_thread_in_many_programs(promotion: str, tmp_path: Path) -> None:
    check("sessions", range(60, 1000), crew(tmp_path, "session", promotion))


def test_events_of_a_freed_base_are_asked_deleted_and_freed_as_on_libevent() -> None:
    program = BUILD / "testing/differential/freed_bases"

    def said(settings: dict[str, str]) -> tuple[int, str, str]:
        ended = subprocess.run([program], capture_output=True, text=True, check=False, env={**os.environ, **settings})
        return ended.returncode, ended.stdout, ended.stderr

    plain = said({})
    assert plain[0] == 0
    assert said({"LD_PRELOAD": str(LIBRARY), "HEDDLE_SUMMARY": "0", **SERIAL}) == plain
