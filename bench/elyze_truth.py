"""Whether the analyser's verdicts are true: annotated programs, random programs and real servers under the oracle.

A soundness failure is a verdict below the one that stands on an annotated program's line, or two invocations that were
seen on the same bytes although their verdict would have let them run together. The random programs are those of
seeds 1 to 10,000; HEDDLE_RANDOM_PROGRAMS asks for another number, HEDDLE_RANDOM_SEED for another first one.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from bench import _corpus
from heddle.errors import BadInputError
from heddle.measure.benchmark import Claim, Result, Tools, count_claim
from heddle.system import places
from testing.servers.debian_programs import UnfitError

CLAIMS = ("elyze.soundness_failures", "elyze.fixtures", "elyze.precision")
MEASURES = ("base", "elyze", "python/heddle/oracle", "testing/oracle", "testing/servers/debian_programs.py")
RANDOM, RANDOM_QUICK = 10_000, 250
AT_WORK = ("pgbouncer", "tmux")
_SUMMARY = re.compile(r"precision: (\d+) of (\d+) verdicts are exactly the truth")


def fixtures(tools: Tools) -> dict[str, Any]:
    """The annotated programs, by the test that reads their lines."""
    test = places.built(places.build() / "elyze/elyze_verdict_test", "the test of annotated programs")
    tools.say("annotated programs")
    done = subprocess.run([test], capture_output=True, text=True, check=False)
    summary = _SUMMARY.search(done.stdout)
    if summary is None:
        raise BadInputError(f"{test.name} did not come to its end", "run it by itself")
    programs = places.root() / "elyze/tests/programs"
    return {
        "programs": sum(path.suffix in (".c", ".cpp") for path in programs.iterdir()),
        "verdicts": int(summary[2]),
        "exact": int(summary[1]),
        "unsound": sorted({line.strip() for line in done.stdout.splitlines() if "UNSOUND" in line}),
    }


def annotated_under_oracle(tools: Tools, folder: Path) -> dict[str, Any]:
    """The same programs, run with their events due in random order."""
    from testing.oracle.test_annotated_programs import NOT_RUN, PROGRAMS, runs_of

    tools.say("annotated programs under the oracle")
    sources = [path for path in PROGRAMS if path.stem not in NOT_RUN]
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        outcomes = [
            outcome
            for _, found in pool.map(lambda path: runs_of(path, folder, late=False), sources)
            for outcome in found
        ]
    return {
        "programs": len(sources),
        "invocations": sum(outcome.invocations for outcome in outcomes),
        "failures": sum(len(outcome.failures) for outcome in outcomes),
    }


def random_under_oracle(tools: Tools, count: int, folder: Path) -> dict[str, Any]:
    from testing.oracle.test_random_programs import batches, try_programs

    done = 0

    def one(seeds: range) -> Any:  # noqa: ANN401 - what the test module returns
        nonlocal done
        tried = try_programs(seeds, folder)
        done += len(seeds)
        tools.say(f"random programs: {done} of {count}")
        return tried

    with ThreadPoolExecutor(os.cpu_count()) as pool:
        tried = list(pool.map(one, batches(count)))
    return {
        "programs": count,
        "first_seed": tried[0].seeds.start,
        "pairs": sum(item.predicted for item in tried),
        "pairs_witnessed": sum(item.witnessed for item in tried),
        "failing": sorted(seed for item in tried for seed in item.failing),
    }


def servers_under_oracle(tools: Tools) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name in AT_WORK:
        try:
            found[name] = _corpus.witnessed(tools, name)
        except UnfitError as error:
            found[name] = {"unfit": str(error)}
    return found


def claims(found: dict[str, Any]) -> list[Claim]:
    written, ran, random, servers = (found[part] for part in ("fixtures", "annotated", "random", "servers"))
    failures = len(written["unsound"]) + ran["failures"] + len(random["failing"])
    failures += sum(item.get("failures", 0) for item in servers.values())
    fit = [name for name, item in servers.items() if "unfit" not in item]
    doubts = [f"{name}: {item['unfit']}" for name, item in servers.items() if "unfit" in item]
    if random["programs"] < RANDOM:
        doubts.append(f"{random['programs']} random programs only")
    if not servers:
        doubts.append("no real servers")
    what = f"soundness failures: {written['programs']} annotated programs, {random['programs']} random programs"
    if fit:
        what += f", {' and '.join(fit)} under the oracle"
    exactly = "share of their pairs with exactly the true verdict"
    precision = written["exact"] / written["verdicts"]
    return [
        count_claim(CLAIMS[0], what, "failures", 0, failures, doubts=doubts),
        count_claim(CLAIMS[1], "annotated programs", "programs", 200, written["programs"], "higher"),
        count_claim(CLAIMS[2], exactly, "ratio", 0.95, precision, "higher"),
    ]


def table(found: dict[str, Any]) -> list[str]:
    ran, random = found["annotated"], found["random"]
    lines = [
        f"annotated programs that run: {ran['programs']}, {ran['invocations']} invocations, {ran['failures']} failures",
        f"random programs from seed {random['first_seed']}: {random['programs']}, "
        f"{len(random['failing'])} with failures, "
        f"{random['pairs_witnessed']} of {random['pairs']} predicted pairs witnessed",
    ]
    for name, item in found["servers"].items():
        if "unfit" in item:
            lines.append(f"{name}: {item['unfit']}")
        else:
            lines.append(
                f"{name} at work: {item['invocations']} invocations, {item['failures']} failures, "
                f"{item['pairs_witnessed']} of {item['pairs']} predicted pairs witnessed"
            )
    lines += [f"failing seed: {seed}" for seed in random["failing"]]
    return [*lines, *found["fixtures"]["unsound"]]


def run(quick: bool, tools: Tools) -> Result:
    os.environ["HEDDLE_BUILD"] = str(places.build())
    places.built(places.build() / "testing/oracle/libagitator.so", "what makes events due in random order")
    count = int(os.environ.get("HEDDLE_RANDOM_PROGRAMS", RANDOM_QUICK if quick else RANDOM))
    folder = Path(tempfile.mkdtemp(prefix="heddle-truth-"))
    try:
        found: dict[str, Any] = {
            "fixtures": fixtures(tools),
            "annotated": annotated_under_oracle(tools, folder),
            "random": random_under_oracle(tools, count, folder),
            "servers": {} if quick else servers_under_oracle(tools),
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Result(bench="elyze_truth", claims=claims(found), details={**found, "table": table(found)})
