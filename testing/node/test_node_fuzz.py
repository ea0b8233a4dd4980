"""Random event programs (event_programs.py) do the same under heddle-node as under node.

A failure names the seeds and the command that repeats one; with `--shrink` that command prints the smallest program
that still differs. `./heddle bench node_truth` runs the ten thousand of the long form with a count.
"""

from __future__ import annotations

import json
import tempfile
from pathlib import Path

import pytest

from testing.node.event_programs import generate
from testing.node.fuzzing import Batch, both, fuzz
from testing.node.node_runs import MAIN_VERSION

SHORT = range(300)
LONG = range(300, 10_000)
SHOWN = 3
# What must be in some of the programs, or they would not test it.
TRAPS = (
    "account(",
    "= function own(",
    "Object.freeze(",
    "new Proxy",
    "get value()",
    "queueMicrotask",
    "process.nextTick",
    "Promise.resolve",
    "async function",
    "await null",
    "throw new",
    "finally {",
    "endless(",
    "steep(",
    "9n",
    "-0",
    "NaN",
    "Number.MAX_SAFE_INTEGER",
    "Math.max = ",
    "Array.prototype.map = ",
    "Object.prototype.x = ",
    "clearImmediate(",
    "clearTimeout(",
    "setTimeout(guarded(",
    "finally { spend(",
    "process.exit(",
    "createServer(",
    "'use strict'",
    "export default",
    "for (var ",
    ".set(",
    "count0 += ",
    "count1 = 'text'",
    "Object.setPrototypeOf(",
    "frozen",
    ".slice(0, ",
    "switch (",
    "continue;",
    "Object.defineProperty(",
)


def check(seeds: range) -> None:
    compared = list(fuzz(seeds))
    different = {seed: text for one in compared for seed, text in one.different.items()}
    if different:
        shown = "\n\n".join(list(different.values())[:SHOWN])
        pytest.fail(
            f"{len(different)} of {len(seeds)} programs differ, seeds {sorted(different)[:20]}\n{shown}", pytrace=False
        )


def test_every_trap_is_generated() -> None:
    text = "\n".join(generate(seed).text for seed in SHORT)
    assert [trap for trap in TRAPS if trap not in text] == []


def test_a_seed_is_always_the_same_program() -> None:
    assert [generate(seed).text for seed in range(5)] == [generate(seed).text for seed in range(5)]


def test_programs_are_worth_comparing() -> None:
    """Regions of every tier get results from workers, and some are foretold wrongly."""
    programs = tuple(program for program in map(generate, SHORT) if program.ending == "batch")[:24]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        report = folder / "report.json"
        settings = {"HEDDLE_TEST_WAIT": "1", "HEDDLE_REPORT": str(report)}
        both(Batch(programs, MAIN_VERSION, settings), folder)
        sites = json.loads(report.read_text())["sites"]
    for tier in (1, 2, 3):
        assert sum(site["matched"] for site in sites if site["tier"] == tier) > 0, f"nothing of tier {tier} was shipped"
    assert any(site["kind"] == "loop" and site["matched"] for site in sites)
    assert sum(site["wasted"] + site["taken_back"] for site in sites) > 0


@pytest.mark.timeout(600)
def test_programs_do_the_same() -> None:
    check(SHORT)


@pytest.mark.slow
@pytest.mark.timeout(4 * 3600)
def test_thousands_of_programs_do_the_same() -> None:
    check(LONG)
