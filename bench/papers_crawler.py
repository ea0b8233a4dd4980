"""A crawler with a thread for each URL: on pico, on system threads, and against a pool of system threads by hand.

The experiment of the PicoThreads paper (Berkeley, about 1998), in C++ in place of Java: a page that has come starts a
thread for each of its links. bench/crawlers has the three programs and the site that they visit. The site answers after
a while, like a network, and has so many chains of pages: the crawlers have so many threads at work.

The crawler has one core and the site another, so what is compared is what threads cost, not how many cores they use.
The claims are by processor time, which with a core each is what limits the bandwidth: where others use the machine as
well, the kernel gives a program of a thousand threads more of a core than one of one, and its bandwidth tells nothing.
A run in which the three do not print the same pages is an error. The share of processor time that threads and network
take is counted by sampling (bench/_samples.py).
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
from collections.abc import Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from bench import _samples, servers
from heddle.measure.alternation import Alternation, alternate, medians, spread
from heddle.measure.benchmark import Claim, Result, Tools, ratio_claim
from heddle.measure.load import WrongAnswersError
from heddle.measure.serving import Server, serving
from heddle.output.layout import columns

CLAIMS = ("papers.crawler",)
MEASURES = ("base", "bench/_samples.py", "bench/crawlers", "pico", "scheduler/workers")
PICO, SYSTEM, POOL = "pico", "system", "pool"  # the programs of bench/crawlers
CRAWLERS = (PICO, SYSTEM, POOL)
PAPER_LEAST = 3  # to 15: bandwidth of PicoThreads, times that of Java's threads, for each size of files
PAPER_POOL = 50 / 60  # KB/s of PicoThreads and of the pool
DELAY_MS = 10
KB = 1000


@dataclass(frozen=True)
class Web:
    """Chains of pages, as the site has them."""

    chains: int
    length: int
    size: int = 2 * KB

    @property
    def paths(self) -> set[str]:
        return {"/", *(f"/{chain}/{place}" for chain in range(self.chains) for place in range(self.length))}


@dataclass(frozen=True)
class Effort:
    rounds: int
    rounds_of_a_row: int
    pages: int  # that a crawl visits, about
    threads: tuple[int, ...]
    sizes: tuple[int, ...]
    chains: int  # for the sizes, and the claims
    pools: tuple[int, ...]  # among which the best pool is


FULL = Effort(
    7, 3, 20_000, (1, 10, 100, 1_000, 10_000), (1 * KB, 10 * KB, 100 * KB, 1000 * KB), 400, (25, 50, 100, 400)
)
QUICK = Effort(3, 1, 4_000, (1, 100, 1_000), (1 * KB, 100 * KB), 200, (50, 200))


@dataclass(frozen=True)
class Figures:
    mb_s: float
    per_s: float  # pages
    cpu_us: float  # of the crawler, for a page
    peak_mb: float


def per_cpu(run: Figures) -> float:
    """Pages for a second of processor time."""
    return 1e6 / run.cpu_us


@dataclass(frozen=True)
class Measurement:
    """Programs, and on which core each runs."""

    tools: Tools
    programs: dict[str, Path]

    def on_core(self, which: int, *command: str | Path) -> list[str | Path]:
        """0: that of the crawler; -1: that of the site; the same if there is one only."""
        return ["taskset", "-c", str(sorted(os.sched_getaffinity(0))[which]), *command]

    def site(self, web: Web) -> AbstractContextManager[Server]:
        numbers = (web.chains, web.length, web.size, DELAY_MS)
        return serving(self.on_core(-1, self.programs["site"], *map(str, numbers)))

    def command(self, name: str, port: int, threads: int) -> list[str | Path]:
        pool = [str(threads)] if name == POOL else []
        return self.on_core(0, self.programs[name], str(port), *pool)

    def crawl(self, web: Web, port: int, name: str, threads: int = 0) -> Figures:
        command = self.command(name, port, threads or web.chains)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        pages = [line.split() for line in done.stdout.splitlines()]
        found = {path for path, status, size in pages if status == "200" and int(size) >= web.size}
        if done.returncode != 0 or len(pages) != len(found) or found != web.paths:
            last = (done.stderr.strip().splitlines() or ["no message"])[-1]
            raise WrongAnswersError(f"{name} did not visit each page once ({last})", "run it by hand")
        said = json.loads(done.stderr.splitlines()[-1])
        return Figures(
            said["bytes"] / said["seconds"] / 1e6,
            said["pages"] / said["seconds"],
            said["cpu_s"] / said["pages"] * 1e6,
            said["peak_kb"] * 1024 / 1e6,
        )

    def in_turn(self, web: Web, rounds: int, threads: int = 0) -> dict[str, Alternation[Figures]]:
        """Each of the others (first) and pico (second)."""
        with self.site(web) as server:
            take = partial(self.crawl, web, server.port)
            return {
                name: alternate(rounds, partial(take, name, threads), partial(take, PICO)) for name in (SYSTEM, POOL)
            }


def summary(found: dict[str, Alternation[Figures]]) -> dict[str, Any]:
    runs = {name: found[name].first for name in (SYSTEM, POOL)}
    runs[PICO] = [run for one in found.values() for run in one.second]
    return {
        **{name: {**medians(runs[name]), "spread": spread([run.cpu_us for run in runs[name]])} for name in CRAWLERS},
        "gain": {name: statistics.median(found[name].ratios(per_cpu)) for name in (SYSTEM, POOL)},
        "foreign_cpu": max(one.foreign.share for one in found.values()),
    }


def webs_by_threads(effort: Effort) -> dict[str, Web]:
    """A crawl of one thread only waits, for a second or so."""
    return {f"{count:,}": Web(count, max(1, min(1000 // DELAY_MS, effort.pages // count))) for count in effort.threads}


def webs_by_size(effort: Effort) -> dict[str, Web]:
    """The larger the pages, the fewer."""
    webs = {}
    for size in effort.sizes:
        pages = min(effort.pages, max(4 * effort.chains, 800_000 * KB // size))
        webs[f"{size // KB:,} KB"] = Web(effort.chains, max(1, pages // effort.chains), size)
    return webs


def best_pool(measurement: Measurement, web: Web, pools: Sequence[int]) -> int:
    """The number of threads with which the pool is fastest, by one run each."""
    with measurement.site(web) as server:
        return max(pools, key=lambda threads: measurement.crawl(web, server.port, POOL, threads).mb_s)


def shares(measurement: Measurement, web: Web, pool: int) -> dict[str, dict[str, float]]:
    if not _samples.available():
        return {}
    samples = measurement.tools.work / "perf.data"
    with measurement.site(web) as server:
        return {name: _samples.shares(measurement.command(name, server.port, pool), samples) for name in CRAWLERS}


def table(first: str, rows: dict[str, dict[str, Any]]) -> list[str]:
    """Three figures of each crawler, and in front of them what pico gains on the others by processor time."""
    gains = ("/ system", "/ pool")
    shown = (("mb_s", 1), ("cpu_us", 0), ("peak_mb", 0))
    cells = [(first, *gains, *(name for _ in shown for name in CRAWLERS))]
    for name, row in rows.items():
        ratios = [f"{row['gain'][other]:.2f}" for other in (SYSTEM, POOL)]
        figures = [f"{row[crawler][key]:,.{digits}f}" for key, digits in shown for crawler in CRAWLERS]
        cells.append((name, *ratios, *figures))
    return columns(cells, "")


def lines(details: dict[str, Any]) -> list[str]:
    told = [
        f"Answers come after {DELAY_MS} ms; the crawler has one core. Columns: what pico gains by",
        "processor time; of each MB/s, us of processor time for a page, and resident MB.",
        "",
        *table("threads", details["threads"]),
        "",
        *table("page", details["sizes"]),
        "",
        f"the pool has as many threads as the site has chains; by size {details['pool']}, with which it is fastest",
        "",
    ]
    if not details["shares"]:
        return [*told, "share of threads and network: not measured, for perf (linux-perf) may not sample here"]
    rows = [("processor time for", *_samples.KINDS)]
    for name, share in details["shares"].items():
        rows.append((name, *(f"{share[kind]:.0%}" for kind in _samples.KINDS)))
    return [*told, *columns(rows, "")]


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    tools.say("building the crawlers")
    measurement = Measurement(tools, servers.crawlers(tools.work / "crawlers"))
    usual = Web(effort.chains, effort.pages // effort.chains)
    details: dict[str, Any] = {"threads": {}, "sizes": {}, "pool": best_pool(measurement, usual, effort.pools)}
    for name, web in webs_by_threads(effort).items():
        tools.say(f"{name} threads")
        details["threads"][name] = summary(measurement.in_turn(web, effort.rounds_of_a_row))
    found = {}
    for name, web in webs_by_size(effort).items():
        tools.say(f"pages of {name}")
        found[name] = measurement.in_turn(web, effort.rounds, details["pool"])
        details["sizes"][name] = summary(found[name])
    tools.say("where the time goes")
    details["shares"] = shares(measurement, usual, details["pool"])
    if details["shares"]:
        share = details["shares"][PICO]
        details["percent"] = {
            "threads": 100 * share[_samples.THREADS],
            "threads and network": 100 * (share[_samples.THREADS] + share[_samples.NETWORK]),
        }
    details["table"] = lines(details)
    return Result(bench="papers_crawler", claims=claims(found), details=details)


def claims(found: dict[str, dict[str, Alternation[Figures]]]) -> list[Claim]:
    """The sizes of pages at which pico gains least on system threads, and loses most to the pool."""
    made = []
    for other, what, goal in (
        (SYSTEM, "bytes for a second of processor time, a pico thread for each URL / a system thread", PAPER_LEAST),
        (POOL, "the same / a pool of system threads by hand, with reused buffers", PAPER_POOL),
    ):
        ratios = {size: found[size][other].ratios(per_cpu) for size in found}
        worst = min(ratios, key=lambda size: statistics.median(ratios[size]))
        doubts = found[worst][other].doubts()
        made.append(ratio_claim(CLAIMS[0], f"{what}, worst of sizes ({worst})", goal, ratios[worst], doubts))
    return made
