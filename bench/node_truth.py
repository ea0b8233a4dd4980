"""Whether programs do the same under heddle-node as under node: random event programs and the suites of real packages.

A difference is a program whose output, exit code or final state is another one, with random delays of workers and
forced misses, on Node.js 20, 22 and 24. A package counts if every test of its own suite ends under heddle-node as under
node. The random programs are those of seeds 0 to 9,999; HEDDLE_RANDOM_PROGRAMS asks for another number.
"""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from heddle.measure.benchmark import Claim, Result, Tools, count_claim
from testing.node.fuzzing import batches, compare
from testing.node.test_node_packages import QUICK, SLOW, judge

CLAIMS = ("node.fuzz_differences", "node.packages")
MEASURES = ("node", "testing/node")
RANDOM, RANDOM_QUICK = 10_000, 300


def claims(found: dict[str, Any]) -> list[Claim]:
    random, packages = found["random"], found["packages"]
    same = [name for name, item in packages.items() if not item["different"] and item["passed"] > 0]
    other = sorted(packages.keys() - same)
    few = [] if random["programs"] >= RANDOM else [f"{random['programs']} random programs only"]
    doubts = [f"not the same: {', '.join(other)}"] if other else []
    what = f"differences from node, {random['programs']} random programs"
    passing = "npm packages whose own suites pass as under node"
    return [
        count_claim(CLAIMS[0], what, "programs", 0, len(random["different"]), doubts=few),
        count_claim(CLAIMS[1], passing, "packages", 8, len(same), "higher", doubts),
    ]


def table(found: dict[str, Any]) -> list[str]:
    lines = [f"random programs: {found['random']['programs']}, {len(found['random']['different'])} differ"]
    lines += [f"  {text}" for text in list(found["random"]["different"].values())[:5]]
    for name, item in found["packages"].items():
        differing = f", {len(item['different'])} files differ" if item["different"] else ""
        lines.append(f"{name}: {item['passed']} tests pass under both{differing}")
    return lines


def random_programs(tools: Tools, count: int) -> dict[str, Any]:
    different: dict[int, str] = {}
    done = 0
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        for compared in pool.map(compare, batches(range(count))):
            done += len(compared.seeds)
            different |= compared.different
            tools.say(f"random programs: {done} of {count}, {len(different)} differ")
    return {"programs": done, "different": different}


def package_suites(tools: Tools, quick: bool) -> dict[str, dict[str, Any]]:
    found = {}
    for suite in QUICK if quick else (*QUICK, *SLOW):
        tools.say(f"the suite of {suite.name}")
        passed, different = judge(suite)
        found[suite.name] = {"passed": passed, "different": different}
    return found


def run(quick: bool, tools: Tools) -> Result:
    count = int(os.environ.get("HEDDLE_RANDOM_PROGRAMS", RANDOM_QUICK if quick else RANDOM))
    found = {"random": random_programs(tools, count), "packages": package_suites(tools, quick)}
    return Result(bench="node_truth", claims=claims(found), details={**found, "table": table(found)})
