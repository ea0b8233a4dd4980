"""Real servers at real work under multivent: what ThreadSanitizer reports, and what each of them gains.

imgserve under load, pgbouncer between pgbench and PostgreSQL, a scripted tmux session and a private network of tor
relays, each with the constraints that the analyser finds, once with threads that are promoted as the runtime sees need
and once with a promotion at every call. Beside the reports: how many pairs of handlers may never run at once, the first
thing to remove, and for pgbouncer, whose work can be counted, its throughput under the runtime and under libevent in
turn. The runtime with ThreadSanitizer is built first (build/tsan).
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import tempfile
from pathlib import Path
from typing import Any

from heddle.documents.constraints import Constraints
from heddle.explain.causes import causes
from heddle.measure.alternation import alternate, spread
from heddle.measure.benchmark import Claim, Result, Tools
from heddle.measure.commands import call
from heddle.measure.load import WrongAnswersError
from heddle.system import places

CLAIMS = ("multivent.tsan_reports",)
MEASURES = ("base", "elyze", "examples/imgserve", "multivent", "scheduler", "schemas", "telemetry", "testing/servers")
PROMOTIONS = ("adaptive", "always")
REAL = ("pgbouncer", "tmux", "tor")
ROUNDS, SECONDS = 5, 4.0
REPORT = "WARNING: ThreadSanitizer"


def stopped_by(document: dict[str, Any]) -> dict[str, Any]:
    """How many pairs may never run at once, and which cause is worth removing first."""
    pairs = document["pairs"]
    found = causes(Constraints(document))
    return {
        "pairs": len(pairs),
        "always": sum(pair["verdict"] == "always" for pair in pairs),
        "causes": len(found),
        "first_cause": found[0].name if found else "",
    }


def row(reports: list[list[str]], figures: list[dict[str, Any]], document: dict[str, Any]) -> dict[str, Any]:
    return {
        "reports": sum(text.count(REPORT) for run in reports for text in run),
        "first_report": next((text for run in reports for text in run), ""),
        "invocations": [sum(handler["invocations"] for handler in run["handlers"]) for run in figures],
        "peak_parallel": [run.get("peak_parallel", 0) for run in figures],
        **stopped_by(document),
    }


def imgserve(folder: Path) -> dict[str, Any]:
    from testing.races.test_imgserve_races import command_and_load, make_pictures
    from testing.servers.instrumented import ROOT, instrumented, under_load

    program = instrumented(ROOT / "examples/imgserve", folder / "built")
    (folder / "pictures").mkdir()
    make_pictures(folder / "pictures")
    runs = []
    for promote in PROMOTIONS:
        place = folder / promote
        place.mkdir()
        runs.append(under_load(*command_and_load(program, folder / "pictures", place), place, promote))
        if any(load.returncode for load in runs[-1].load):
            said = runs[-1].load[0].stderr[-200:]
            raise WrongAnswersError(f"imgserve gave wrong answers ({said})", "nothing was measured")
    document = json.loads(Path(f"{program}.constraints.json").read_text())
    return row([run.reports for run in runs], [run.figures for run in runs], document)


def real(name: str, folder: Path) -> dict[str, Any]:
    from testing.servers.instrumented import TSAN_BUILD
    from testing.servers.real_servers import WORK
    from testing.servers.servers_in_parallel import observe, sanitized
    from testing.servers.tor_network import tor_at_work

    server = sanitized(name, places.build(), folder)
    work = (WORK | {"tor": tor_at_work})[name]
    runs = [observe(server, work, TSAN_BUILD, promote) for promote in PROMOTIONS]
    document = json.loads(server.constraints.read_text())
    return row([run.reports for run in runs], [run.figures for run in runs], document)


def pgbouncer_gain(folder: Path) -> dict[str, Any]:
    """Transactions per second under libevent and under the runtime, in turn."""
    from testing.servers.real_servers import pgbouncer_throughput, scene
    from testing.servers.servers_in_parallel import observe, with_constraints

    server = with_constraints("pgbouncer", places.build(), folder)

    def plain() -> float:
        with scene(server.executable) as stage:
            return pgbouncer_throughput(stage, SECONDS)

    def parallel() -> float:
        return observe(server, lambda stage: pgbouncer_throughput(stage, SECONDS), places.build()).found

    found = alternate(ROUNDS, plain, parallel)
    ratios = found.ratios(lambda tps: tps)
    return {
        "tps": found.pairs,
        "ratio": statistics.median(ratios),
        "spread": spread(ratios),
        "doubts": found.doubts(),
    }


def claims(found: dict[str, dict[str, Any]]) -> list[Claim]:
    fit = [name for name, item in found.items() if "unfit" not in item]
    doubts = [f"{name}: {item['unfit']}" for name, item in found.items() if "unfit" in item]
    missing = [name for name in ("imgserve", *REAL) if name not in found]
    if missing:
        doubts.append(f"{' and '.join(missing)} not tried")
    reports = sum(found[name]["reports"] for name in fit)
    what = f"ThreadSanitizer reports over {', '.join(fit)}"
    return [Claim(CLAIMS[0], what, "reports", "lower", 0, reports, 0.0, len(PROMOTIONS), "; ".join(doubts))]


def table(found: dict[str, dict[str, Any]]) -> list[str]:
    lines = [f"{'server':<10} {'reports':>7} {'calls':>7} {'at once':>7} {'pairs':>6} {'always':>6}  first to remove"]
    for name, item in found.items():
        if "unfit" in item:
            lines.append(f"{name:<10} {item['unfit']}")
            continue
        lines.append(
            f"{name:<10} {item['reports']:>7} {sum(item['invocations']):>7} {max(item['peak_parallel']):>7} "
            f"{item['pairs']:>6} {item['always']:>6}  {item['first_cause']}"
        )
        if "gain" in item:
            gain = item["gain"]
            lines.append(f"{'':<10} throughput / libevent: {gain['ratio']:.2f} +-{100 * gain['spread']:.0f} %")
    return lines


def run(quick: bool, tools: Tools) -> Result:
    tsan = places.root() / "build/tsan"
    os.environ["HEDDLE_BUILD"], os.environ["HEDDLE_TSAN_BUILD"] = str(places.build()), str(tsan)
    tools.say("building the runtime with ThreadSanitizer")
    call(["cmake", "--preset", "tsan", "-Wno-dev"], cwd=places.root())
    call(["cmake", "--build", tsan, "--target", "multivent"], cwd=places.root())
    from testing.servers.debian_programs import UnfitError

    found: dict[str, dict[str, Any]] = {}
    work = Path(tempfile.mkdtemp(prefix="heddle-bench-"))
    try:
        tools.say("imgserve under ThreadSanitizer")
        found["imgserve"] = imgserve(work / "imgserve")
        for name in () if quick else REAL:
            tools.say(f"{name} under ThreadSanitizer")
            try:
                (work / name).mkdir()
                found[name] = real(name, work / name)
                if name == "pgbouncer":
                    tools.say("pgbouncer: libevent and heddle in turn")
                    found[name]["gain"] = pgbouncer_gain(work / name)
            except UnfitError as error:
                found[name] = {"unfit": str(error)}
    finally:
        shutil.rmtree(work, ignore_errors=True)
    return Result(bench="tsan_servers", claims=claims(found), details={"servers": found, "table": table(found)})
