"""libevent's own regression suite on our core: failures that libevent does not have, in every mode, again and again.

Modes: inline (serial), conflict (threads share it though everything is in conflict), forced (another thread is woken
for every handler); testing/conformance/regress.py has them. Plain libevent runs beside them. A failure counts if the
test fails again each time that it is run alone, plain libevent does not fail it in every repetition as well, and
testing/conformance/WAIVERS.md does not argue it. What passed only alone and what plain libevent fails stand in the
table. HEDDLE_CONFORMANCE_REPETITIONS asks for another number of repetitions than 20.
"""

from __future__ import annotations

import os
import time
from typing import Any

from heddle.measure.benchmark import Claim, Result, Tools, count_claim
from heddle.measure.processor import Watch
from heddle.system import places
from testing.conformance import regress

CLAIMS = ("multivent.regress_failures", "multivent.waivers")
MEASURES = ("base", "multivent", "scheduler", "schemas", "telemetry", "testing/conformance")
REPETITIONS, REPETITIONS_QUICK = 20, 1


def claims(found: dict[str, Any]) -> list[Claim]:
    repetitions = found["repetitions"]
    doubts = [*found["doubts"]]
    if repetitions < REPETITIONS:
        doubts.append(f"{repetitions} of {REPETITIONS} repetitions")
    what = (
        f"libevent regress tests failing beyond waivers, all modes, {repetitions} repeats; "
        f"{len(found['not_judged'])} of {found['tests']} not judged, {len(found['passed_alone'])} passed only alone"
    )
    failures = sum(found["failures"].values())
    return [
        Claim(CLAIMS[0], what, "tests", "lower", 0, failures, 0, repetitions, "; ".join(doubts)),
        count_claim(CLAIMS[1], "argued waivers", "tests", 5, len(found["waivers"])),
    ]


def table(found: dict[str, Any]) -> list[str]:
    lines = [f"{found['tests']} tests, {found['repetitions']} repetitions in {found['seconds']:.0f} s"]
    lines += [f"  failed {times} times: {way}" for way, times in sorted(found["failures"].items())]
    lines += [
        f"  passed only when run again alone, {times} times: {way}"
        for way, times in sorted(found["passed_alone"].items())
    ]
    lines += [f"  not judged, for plain libevent fails it, too: {test}" for test in found["not_judged"]]
    return lines


def run(quick: bool, tools: Tools) -> Result:
    library = places.built(places.multivent(), "the runtime")
    tools.say("libevent's regression suite")
    program = regress.build(places.root() / "build/third_party/conformance")
    environments = regress.ways(program, library, tools.work / "constraints.json")
    waived = regress.waivers((regress.HERE / "WAIVERS.md").read_text())
    default = REPETITIONS_QUICK if quick else REPETITIONS
    repetitions = int(os.environ.get("HEDDLE_CONFORMANCE_REPETITIONS") or default)
    rounds = []
    watched = Watch()
    began = time.monotonic()
    for number in range(repetitions):
        tools.say(f"repetition {number + 1} of {repetitions}")
        rounds.append(regress.run_suite(program, environments))
    foreign = watched.foreign
    named = {
        part: {f"{test} ({way})": times for (way, test), times in counted.items()}
        for part, counted in (
            ("failures", regress.unexplained(rounds, waived)),
            ("passed_alone", regress.passed_alone(rounds)),
        )
    }
    found: dict[str, Any] = {
        "repetitions": repetitions,
        "tests": len(rounds[-1].verdicts[regress.PLAIN]),
        "seconds": time.monotonic() - began,
        "foreign": foreign.share,
        "doubts": foreign.doubts(),
        **named,
        "not_judged": sorted(regress.not_judged(rounds)),
        "waivers": [waiver.test for waiver in waived],
    }
    return Result("conformance", claims(found), details=found | {"table": table(found)})
