"""libevent's own regression suite on our core: failures that libevent does not have, in every mode, again and again.

Modes: inline (serial), conflict (threads share it though everything is in conflict), forced (another thread is woken
for every handler); testing/conformance/regress.py has them. A failure counts if the test passes on plain libevent,
which runs beside it, in every repetition, and testing/conformance/WAIVERS.md does not argue it. What plain libevent
fails too is named as a doubt. HEDDLE_CONFORMANCE_REPETITIONS asks for another number of repetitions than 20.
"""

from __future__ import annotations

import os
import sys
import time
from typing import Any

from _measure import MOST_FOREIGN, Claim, ForeignCpu, Result, Tools

CLAIMS = ("multivent.regress_failures", "multivent.waivers")
REPETITIONS, REPETITIONS_QUICK = 20, 1


def claims(found: dict[str, Any]) -> list[Claim]:
    repetitions = found["repetitions"]
    doubts = [] if found["foreign"] <= MOST_FOREIGN else [f"other programs took {found['foreign']:.0%} of the machine"]
    doubts += [] if repetitions >= REPETITIONS else [f"{repetitions} of {REPETITIONS} repetitions"]
    if found["libevent_failures"]:
        doubts.append(
            f"not judged, for plain libevent failed them too: {', '.join(sorted(found['libevent_failures']))}"
        )
    doubt = "; ".join(doubts)
    what = "libevent regress tests failing beyond waivers, all modes, 20 repeats"
    failures = sum(found["failures"].values())
    waivers = len(found["waivers"])
    return [
        Claim(CLAIMS[0], what, "tests", "lower", 0, failures, 0, repetitions, doubt),
        Claim(CLAIMS[1], "argued waivers", "tests", "lower", 5, waivers, 0, 1, ""),
    ]


def table(found: dict[str, Any]) -> list[str]:
    lines = [f"{found['tests']} tests, {found['repetitions']} repetitions in {found['seconds']:.0f} s"]
    lines += [f"  failed {times} times, {way}" for way, times in sorted(found["failures"].items())]
    return lines


def run(quick: bool, tools: Tools) -> Result:
    sys.path.insert(0, str(tools.root / "testing/conformance"))
    import regress

    tools.need(tools.multivent)
    tools.say("libevent's regression suite")
    program = regress.build(tools.root / "build/third_party/conformance")
    tools.work.mkdir(parents=True, exist_ok=True)
    environments = regress.ways(program, tools.multivent, tools.work / "constraints.json")
    waived = regress.waivers((regress.HERE / "WAIVERS.md").read_text())
    default = REPETITIONS_QUICK if quick else REPETITIONS
    repetitions = int(os.environ.get("HEDDLE_CONFORMANCE_REPETITIONS") or default)
    rounds = []
    watched = ForeignCpu()
    began = time.monotonic()
    for number in range(repetitions):
        tools.say(f"repetition {number + 1} of {repetitions}")
        rounds.append(regress.run_suite(program, environments))
    libevent_failures = set[str]().union(*(regress.failing(verdicts[regress.PLAIN]) for verdicts in rounds))
    failures = regress.unexplained(rounds, waived)
    found: dict[str, Any] = {
        "repetitions": repetitions,
        "tests": len(rounds[-1][regress.PLAIN]),
        "seconds": time.monotonic() - began,
        "foreign": watched.share,
        "failures": {f"{test} ({mode})": times for (mode, test), times in failures.items()},
        "libevent_failures": sorted(libevent_failures),
        "waivers": [waiver.test for waiver in waived],
    }
    return Result("conformance", claims(found), details=found | {"table": table(found)})
