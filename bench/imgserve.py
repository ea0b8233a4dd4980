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

from dataclasses import dataclass
from typing import Any

from bench import servers
from heddle.measure.alternation import Alternation, medians
from heddle.measure.benchmark import Claim, Result, Tools, needs_cores, ratio_claim
from heddle.measure.libevent import Contender, Program
from heddle.measure.load import Figures, Load, compare
from heddle.system import machine

CLAIMS = (
    "ground.imgserve_throughput",
    "ground.imgserve_stats_p99",
    "ground.light",
    "ground.blocking16",
    "ground.all_conflict",
)
MEASURES = (
    "base",
    "bench/servers/sleeper.c",
    "elyze",
    "examples/imgserve",
    "multivent",
    "scheduler",
    "schemas",
    "telemetry",
)


@dataclass(frozen=True)
class Effort:
    """How long to measure."""

    rounds: int
    seconds: float
    warmup_s: float
    pictures: int


FULL = Effort(rounds=7, seconds=4.0, warmup_s=1.0, pictures=300)
QUICK = Effort(rounds=3, seconds=1.5, warmup_s=0.3, pictures=300)


def threads() -> int:
    """For handlers that compute."""
    return max(2, machine.cores())


def figures(found: Alternation[Figures]) -> dict[str, Any]:
    """The absolute ones behind the ratios."""
    return {
        "foreign_cpu": found.foreign.share,
        "libevent": medians(found.first),
        "heddle": medians(found.second),
    }


def thumbnails(tools: Tools, effort: Effort, imgserve: Program, details: dict[str, Any]) -> list[Claim]:
    folder, mix = servers.pictures(tools.work, effort.pictures)
    arguments = ("-p", "0", "-d", str(folder), "-c", "1", "-l", "/dev/null")
    load = Load(
        connections=8,
        seconds=effort.seconds,
        warmup_s=effort.warmup_s,
        urls=("--mix", str(mix)),
        probe="/stats",
        hashes=tools.work / "thumbnails.hashes",
    )
    plain, parallel = Contender(imgserve, arguments), Contender(imgserve, arguments, threads())
    tools.say("thumbnails: libevent and heddle in turn")
    found = compare(effort.rounds, plain, parallel, load, tools.work)
    details["thumbnails"] = figures(found)

    tools.say("thumbnails with everything in conflict")
    serial = compare(effort.rounds, plain, Contender(imgserve.all_always(), arguments, 2), load, tools.work)
    details["conflict"] = figures(serial)
    return [
        ratio_claim(
            "ground.imgserve_throughput",
            "thumbnails/s, heddle / libevent, 2 cores, 5 ms handlers",
            1.70,
            found.ratios(lambda run: run.per_s),
            found.doubts() + needs_cores(),
        ),
        ratio_claim(
            "ground.imgserve_stats_p99",
            "p99 of /stats under thumbnail load, heddle / libevent",
            0.20,
            found.ratios(lambda run: run.probe_p99_ms),
            found.doubts() + needs_cores(),
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


def light(tools: Tools, effort: Effort, imgserve: Program, details: dict[str, Any]) -> Claim:
    arguments = ("-p", "0", "-d", str(tools.work), "-l", "/dev/null")
    load = Load(connections=8, seconds=effort.seconds, warmup_s=effort.warmup_s, urls=("--path", "/hello"))
    tools.say("light requests")
    plain, parallel = Contender(imgserve, arguments), Contender(imgserve, arguments, threads())
    found = compare(effort.rounds, plain, parallel, load, tools.work)
    details["light"] = figures(found)
    return ratio_claim(
        "ground.light",
        "static answer, requests/s, heddle / libevent",
        0.95,
        found.ratios(lambda run: run.per_s),
        found.doubts(),
    )


def blocking(tools: Tools, effort: Effort, details: dict[str, Any]) -> Claim:
    sleeper = servers.sleeper(tools.work)
    load = Load(connections=64, seconds=effort.seconds, warmup_s=effort.warmup_s, urls=("--path", "/"))
    tools.say("a handler that sleeps, 16 threads")
    found = compare(effort.rounds, Contender(sleeper), Contender(sleeper, threads=16), load, tools.work)
    details["blocking"] = figures(found)
    return ratio_claim(
        "ground.blocking16",
        "handler that sleeps 5 ms, 16 threads, throughput / libevent",
        12.0,
        found.ratios(lambda run: run.per_s),
        found.doubts(),
    )


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    tools.say("building and analysing the servers")
    imgserve = servers.imgserve(tools.work)
    details: dict[str, Any] = {"threads": threads()}
    claims = thumbnails(tools, effort, imgserve, details)
    claims.append(light(tools, effort, imgserve, details))
    claims.append(blocking(tools, effort, details))
    claims.sort(key=lambda claim: CLAIMS.index(claim.id))
    return Result(bench="imgserve", claims=claims, details=details)
