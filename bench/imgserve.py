"""What running imgserve and a server that blocks under heddle brings, against the same binaries on plain libevent.

Five claims from four loads, each with its contenders in turn:

  thumbnails   every request renders for about 5 ms (the cache is too small for the pictures); meanwhile a probe asks
               for /stats: throughput, and the probe's p99
  light        /hello, which costs about 10 us: what the runtime itself costs
  blocking     a handler that touches its session only and sleeps for 5 ms, on 16 threads
  conflict     thumbnails again, with constraints by which every two handlers conflict: nothing may run in parallel, and
               what is left is the cost of knowing that
"""

from __future__ import annotations

import os
import statistics
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from _http import Contender, Figures, Load, Server, all_always, build, measure
from _measure import Alternation, Claim, Result, Tools, alternate, ratio_claim

CLAIMS = (
    "ground.imgserve_throughput",
    "ground.imgserve_stats_p99",
    "ground.light",
    "ground.blocking16",
    "ground.all_conflict",
)
C11 = ["-std=c11", "-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE"]


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    rounds: int
    seconds: float
    warmup_s: float
    pictures: int


FULL = Effort(rounds=7, seconds=4.0, warmup_s=1.0, pictures=300)
QUICK = Effort(rounds=3, seconds=1.5, warmup_s=0.3, pictures=300)


def cores() -> int:
    return len(os.sched_getaffinity(0))


def make_pictures(tools: Tools, count: int) -> tuple[Path, Path]:
    """The pictures and the list of their URLs; made once per work folder."""
    import subprocess

    folder, mix = tools.work / f"pictures-{count}", tools.work / f"pictures-{count}.txt"
    if not mix.exists():
        maker = tools.root / "examples/imgserve/make_pictures.py"
        subprocess.run(
            [tools.python, maker, folder, "--count", str(count), "--mix", mix], check=True, stdout=subprocess.DEVNULL
        )
    return folder, mix


def compare(tools: Tools, effort: Effort, plain: Contender, other: Contender, load: Load) -> Alternation[Figures]:
    if load.hashes is not None:
        load.hashes.unlink(missing_ok=True)
    return alternate(effort.rounds, partial(measure, tools, plain, load), partial(measure, tools, other, load))


def medians(alternation: Alternation[Figures]) -> dict[str, Any]:
    """The absolute figures behind the ratios."""
    result: dict[str, Any] = {"foreign_cpu": alternation.foreign}
    for name, runs in (("libevent", [a for a, _ in alternation.pairs]), ("heddle", [b for _, b in alternation.pairs])):
        rows = [asdict(run) for run in runs]
        result[name] = {key: statistics.median(row[key] for row in rows) for key in rows[0]}
    return result


def thumbnails(tools: Tools, effort: Effort, imgserve: Server, details: dict[str, Any]) -> list[Claim]:
    folder, mix = make_pictures(tools, effort.pictures)
    arguments = ("-p", "0", "-d", str(folder), "-c", "1", "-l", "/dev/null")
    load = Load(
        connections=8,
        seconds=effort.seconds,
        warmup_s=effort.warmup_s,
        urls=("--mix", str(mix)),
        probe="/stats",
        hashes=tools.work / "thumbnails.hashes",
    )
    plain, parallel = Contender(imgserve, arguments), Contender(imgserve, arguments, max(2, cores()))
    tools.say("thumbnails: libevent and heddle in turn")
    found = compare(tools, effort, plain, parallel, load)
    details["thumbnails"] = medians(found)

    tools.say("thumbnails with everything in conflict")
    serial = compare(tools, effort, plain, Contender(all_always(imgserve), arguments, 2), load)
    details["conflict"] = medians(serial)
    doubts = [] if cores() >= 2 else ["one core only: nothing can run in parallel"]
    return [
        ratio_claim(
            "ground.imgserve_throughput",
            "thumbnails/s, heddle / libevent, 2 cores, 5 ms handlers",
            1.70,
            found.ratios(lambda run: run.per_s),
            found.doubts() + doubts,
        ),
        ratio_claim(
            "ground.imgserve_stats_p99",
            "p99 of /stats under thumbnail load, heddle / libevent",
            0.20,
            found.ratios(lambda run: run.probe_p99_ms),
            found.doubts() + doubts,
            better="lower",
        ),
        ratio_claim(
            "ground.all_conflict",
            "everything in conflict, throughput / libevent",
            0.93,
            serial.ratios(lambda run: run.per_s),
            serial.doubts(),
        ),
    ]


def light(tools: Tools, effort: Effort, imgserve: Server, details: dict[str, Any]) -> Claim:
    arguments = ("-p", "0", "-d", str(tools.work), "-l", "/dev/null")
    load = Load(connections=8, seconds=effort.seconds, warmup_s=effort.warmup_s, urls=("--path", "/hello"))
    tools.say("light requests")
    found = compare(
        tools, effort, Contender(imgserve, arguments), Contender(imgserve, arguments, max(2, cores())), load
    )
    details["light"] = medians(found)
    return ratio_claim(
        "ground.light",
        "static answer, requests/s, heddle / libevent",
        0.95,
        found.ratios(lambda run: run.per_s),
        found.doubts(),
    )


def blocking(tools: Tools, effort: Effort, details: dict[str, Any]) -> Claim:
    source = tools.root / "bench/servers/sleeper.c"
    sleeper = build(tools, tools.work / "sleeper", "sleeper", [source], C11, ["-levent"])
    load = Load(connections=64, seconds=effort.seconds, warmup_s=effort.warmup_s, urls=("--path", "/"))
    tools.say("a handler that sleeps, 16 threads")
    found = compare(tools, effort, Contender(sleeper, ()), Contender(sleeper, (), 16), load)
    details["blocking"] = medians(found)
    return ratio_claim(
        "ground.blocking16",
        "handler that sleeps 5 ms, 16 threads, throughput / libevent",
        12.0,
        found.ratios(lambda run: run.per_s),
        found.doubts(),
    )


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    tools.work.mkdir(parents=True, exist_ok=True)
    tools.say("building and analysing the servers")
    sources = sorted((tools.root / "examples/imgserve").glob("*.c"))
    imgserve = build(tools, tools.work / "imgserve", "imgserve", sources, C11, ["-levent", "-ljpeg"])
    details: dict[str, Any] = {"threads": max(2, cores())}
    claims = thumbnails(tools, effort, imgserve, details)
    claims.append(light(tools, effort, imgserve, details))
    claims.append(blocking(tools, effort, details))
    claims.sort(key=lambda claim: CLAIMS.index(claim.id))
    return Result(bench="imgserve", claims=claims, details=details)
