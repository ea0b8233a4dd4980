"""Whether the analyser's verdicts are true: annotated programs, random programs and real servers under the oracle.

A soundness failure is a verdict below the one that stands on an annotated program's line, or two invocations that were
seen on the same bytes although their verdict would have let them run together. The random programs are those of
seeds 1 to 10,000, of either kind (testing/oracle); HEDDLE_RANDOM_PROGRAMS asks for another number, HEDDLE_RANDOM_SEED
for another first one.

Annotated programs and those random ones that use libraries are also run on several threads. An outcome that plain
libevent could not have had is counted by itself.

What a real server shows rests on what of it may overlap, and did: it is run in parallel too. One that ran serially
proves nothing, and is not named among those that were tried.
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

CLAIMS = ("elyze.soundness_failures", "elyze.fixtures", "elyze.precision", "real.unsound")
MEASURES = (
    "base",
    "elyze",
    "multivent",
    "python/heddle/oracle",
    "scheduler",
    "testing/differential",
    "testing/oracle",
    "testing/servers/debian_programs.py",
)
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
    from testing.oracle.small_programs import PROGRAMS
    from testing.oracle.test_annotated_programs import NOT_RUN, runs_of

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


def annotated_on_threads(tools: Tools, quick: bool, folder: Path) -> dict[str, Any]:
    """The annotated programs on several threads, held against plain libevent with the same activations."""
    from testing.differential.test_annotated_programs import NOT_REPEATABLE, SAMPLE, compare_all
    from testing.oracle.small_programs import PROGRAMS

    tools.say("annotated programs on several threads")
    compared = compare_all(SAMPLE if quick else PROGRAMS, folder, [1] if quick else [1, 2])
    judged = {name: one for name, one in compared.items() if name not in NOT_REPEATABLE}
    return {
        "programs": len(judged),
        "parallel": sum(one.parallel for one in judged.values()),
        "overlapped": sum(one.overlapped for one in judged.values()),
        "different": sorted(name for name, one in judged.items() if one.found),
    }


def whole_programs(tools: Tools, count: int, folder: Path) -> dict[str, Any]:
    """Random programs that use libraries, under the oracle and on several threads."""
    from testing.oracle.outcomes import Found, files, summed, try_file

    done = 0

    def one(seeds: range) -> Found:
        nonlocal done
        found = try_file(seeds, folder)
        done += len(seeds)
        tools.say(f"random programs with libraries: {done} of {count}")
        return found

    first = int(os.environ.get("HEDDLE_RANDOM_SEED", "1"))
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        total = summed(list(pool.map(one, files(count, first))))
    return {
        "programs": count,
        "first_seed": first,
        "pairs": total.predicted,
        "pairs_witnessed": total.witnessed,
        "pairs_together": total.pairs_together,
        "runs": total.runs,
        "overlapped": total.overlapped,
        "failing": sorted(total.touched),
        "different": {str(seed): how for seed, how in sorted(total.wrong.items())},
        "unfit": {str(seed): how for seed, how in sorted(total.unfit.items())},
    }


def servers_under_oracle(tools: Tools) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for name in AT_WORK:
        try:
            found[name] = _corpus.witnessed(tools, name) | in_parallel(tools, name)
        except UnfitError as error:
            found[name] = {"unfit": str(error)}
    return found


def in_parallel(tools: Tools, name: str) -> dict[str, Any]:
    """What the same work shows when it is done on several threads."""
    from testing.servers.real_servers import WORK
    from testing.servers.servers_in_parallel import overlapping, with_constraints

    tools.say(f"{name}: at real work on several threads")
    (tools.work / name).mkdir(parents=True, exist_ok=True)
    server = with_constraints(name, places.build(), tools.work / name)
    seen = overlapping(server, WORK[name], places.build())
    return {
        "rests_on": str(seen),
        "serial": seen.is_serial,
        "all_pairs": seen.pairs,
        "pairs_together": seen.pairs_together,
        "parallel_invocations": seen.invocations,
        "overlapped": seen.overlapped,
    }


def claims(found: dict[str, Any]) -> list[Claim]:
    written, ran, random, servers = (found[part] for part in ("fixtures", "annotated", "random", "servers"))
    whole, threads = found["whole"], found["threads"]
    failures = len(written["unsound"]) + ran["failures"] + len(random["failing"]) + len(whole["failing"])
    failures += sum(item.get("failures", 0) for item in servers.values())
    fit = [name for name, item in servers.items() if "unfit" not in item and not item["serial"]]
    doubts = [f"{name}: {item['unfit']}" for name, item in servers.items() if "unfit" in item]
    doubts += [f"{name}: {item['rests_on']}" for name, item in servers.items() if item.get("serial")]
    few = [
        f"{part['programs']} random programs {kind} only"
        for part, kind in ((random, "of events"), (whole, "with libraries"))
        if part["programs"] < RANDOM
    ]
    if not servers:
        doubts.append("no real servers")
    count = random["programs"] + whole["programs"]
    what = f"soundness failures: {written['programs']} annotated programs, {count} random programs"
    if fit:
        what += f", {' and '.join(fit)} under the oracle"
    outcomes = f"of {threads['programs']} annotated and {whole['programs']} random programs on 2 and 4 threads, "
    outcomes += "those whose output libevent could not have printed"
    wrong = len(threads["different"]) + len(whole["different"])
    not_judged = [f"{len(whole['unfit'])} random programs could not be judged"] if whole["unfit"] else []
    exactly = "share of their pairs with exactly the true verdict"
    precision = written["exact"] / written["verdicts"]
    return [
        count_claim(CLAIMS[0], what, "failures", 0, failures, doubts=doubts + few),
        count_claim(CLAIMS[1], "annotated programs", "programs", 200, written["programs"], "higher"),
        count_claim(CLAIMS[2], exactly, "ratio", 0.95, precision, "higher"),
        count_claim(
            CLAIMS[3], outcomes, "programs", 0, wrong, doubts=few[-1:] * (whole["programs"] < RANDOM) + not_judged
        ),
    ]


def table(found: dict[str, Any]) -> list[str]:
    ran, random = found["annotated"], found["random"]
    lines = [
        f"annotated programs that run: {ran['programs']}, {ran['invocations']} invocations, {ran['failures']} failures",
        f"random programs from seed {random['first_seed']}: {random['programs']}, "
        f"{len(random['failing'])} with failures, "
        f"{random['pairs_witnessed']} of {random['pairs']} predicted pairs witnessed",
    ]
    whole, threads = found["whole"], found["threads"]
    lines += [
        f"random programs with libraries from seed {whole['first_seed']}: {whole['programs']}, "
        f"{len(whole['failing'])} with failures, "
        f"{whole['pairs_witnessed']} of {whole['pairs']} predicted pairs witnessed",
        f"on 2 and 4 threads: {len(whole['different'])} of them differ from libevent, in {whole['runs']} runs, "
        f"{whole['overlapped']} with invocations that overlapped; {len(whole['unfit'])} not judged",
        f"annotated programs on 2 and 4 threads: {threads['programs']}, {threads['parallel']} in parallel, "
        f"{threads['overlapped']} with invocations that overlapped, {len(threads['different'])} differ from libevent",
    ]
    for name, item in found["servers"].items():
        if "unfit" in item:
            lines.append(f"{name}: {item['unfit']}")
        else:
            lines.append(
                f"{name} at work: {item['invocations']} invocations, {item['failures']} failures, "
                f"{item['pairs_witnessed']} of {item['pairs']} predicted pairs witnessed"
            )
            lines.append(f"{name} on several threads: {item['rests_on']}")
    lines += [f"differs from libevent: {name}" for name in threads["different"]]
    lines += [f"differs from libevent: seed {seed}, {how}" for seed, how in whole["different"].items()]
    lines += [f"failing seed, with libraries: {seed}" for seed in whole["failing"]]
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
            "threads": annotated_on_threads(tools, quick, folder),
            "whole": whole_programs(tools, count, folder),
            "servers": {} if quick else servers_under_oracle(tools),
        }
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return Result(bench="elyze_truth", claims=claims(found), details={**found, "table": table(found)})
