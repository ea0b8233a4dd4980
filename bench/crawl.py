"""What `heddle crawl` costs per page, beside other crawlers and beside the least that a crawl can cost.

All crawl the same made-up site (bench/servers/site.c) over the loopback interface, with as many connections; the
server is another process, and only the crawler's processor time counts. Every run must have fetched every page.

  per page     at 2, 20 and 200 KB. The least is a loop over epoll(7) that finds links by hand, allocates nothing and
               writes nothing (bench/crawlers/raw.c)
  connections  10,000 of them to a server that takes 200 ms, beside 32 to one that takes no time
  growth       sites of 10,000 to a million URLs, crawled whole
  links        the time to find a page's links, beside libxml2's SAX parser
"""

from __future__ import annotations

import os
import resource
import shutil
import statistics
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from bench import _crawlers, servers
from bench._crawlers import Crawler, Task
from heddle.errors import BadInputError
from heddle.measure.alternation import Alternation, alternate, medians
from heddle.measure.benchmark import Claim, Result, Tools, ratio_claim
from heddle.measure.commands import call, clean_environment
from heddle.measure.serving import serving
from heddle.output.layout import columns
from heddle.system import places

CLAIMS = ("crawl.vs_raw", "crawl.vs_colly", "crawl.vs_wget2", "crawl.growth")
MEASURES = ("base", "bench/crawlers", "crawler", "pico", "scheduler/workers")
CONNECTIONS = 32
DESCRIPTORS_EACH = 1.5  # of heddle-crawl per connection, and some more
DESCRIPTORS_MORE = 1000


@dataclass(frozen=True)
class Site:
    """Pages of so many bytes with so many links; answers take so long."""

    bytes: int
    links: int
    pages: int
    delay_ms: int = 0


@dataclass(frozen=True)
class Effort:
    rounds: int
    peer_rounds: int
    sites: tuple[Site, ...]
    peer_pages: int  # at most, for crawlers that write: enough that what a start costs does not show
    slow: int  # at most, for one that takes ten milliseconds for a page
    many: int  # connections
    growth: tuple[int, ...]
    growth_rounds: int


FULL = Effort(
    rounds=7,
    peer_rounds=3,
    sites=(Site(2_000, 10, 20_000), Site(20_000, 60, 10_000), Site(200_000, 400, 2_000)),
    peer_pages=5_000,
    slow=1_000,
    many=10_000,
    growth=(10_000, 100_000, 1_000_000),
    growth_rounds=3,
)
QUICK = Effort(
    rounds=3,
    peer_rounds=2,
    sites=(Site(2_000, 10, 5_000), Site(20_000, 60, 2_000), Site(200_000, 400, 500)),
    peer_pages=1_000,
    slow=500,
    many=1_000,
    growth=(10_000, 100_000),
    growth_rounds=2,
)


@dataclass(frozen=True)
class Figures:
    us: float  # of processor time per page
    mb: float  # resident, at most
    seconds: float  # passed


def peak_mb(pid: int) -> float:
    """The most that a process had resident until now (proc(5), VmHWM); 0 if it has ended."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def most_connections() -> int:
    """For which the descriptors of heddle-crawl suffice."""
    _, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return int((hard - DESCRIPTORS_MORE) / DESCRIPTORS_EACH)


def run_to_end(command: Sequence[str | Path], folder: Path) -> tuple[float, float, float]:
    """Seconds of processor time of the program and its children, its peak in MB, and seconds that passed."""
    start, peak = time.monotonic(), 0.0
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            cwd=folder,
            env=clean_environment(),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        while True:
            pid, status, used = os.wait4(process.pid, os.WNOHANG)
            if pid != 0:
                break
            peak = max(peak, peak_mb(process.pid))
            time.sleep(0.01)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        said = errors.read().decode("utf-8", "replace").strip()
    if process.returncode != 0 or "not allowed" in said:
        raise BadInputError(
            f"{Path(command[0]).name} ended with {process.returncode} ({said[-200:]})", "run it by hand"
        )
    return used.ru_utime + used.ru_stime, peak, time.monotonic() - start


class Crawls:
    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        self.server = servers.site(tools.work)
        self.runs: dict[str, dict[str, Any]] = {}
        self.claims: list[Claim] = []

    def measure(self, crawler: Crawler, site: Site, connections: int = CONNECTIONS) -> Figures:
        folder = self.tools.work / "files"
        shutil.rmtree(folder, ignore_errors=True)
        folder.mkdir()
        options = [str(number) for number in (site.bytes, site.links, site.pages, site.delay_ms)]
        with serving([self.server, *options]) as server:
            task = Task(server.port, connections, site.pages, folder)
            cpu_s, mb, seconds = run_to_end(crawler.command(task), folder)
            with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/count", timeout=30) as answer:
                sent = int(answer.read())
        if not site.pages <= sent <= site.pages * crawler.most_sent:
            raise BadInputError(f"{crawler.name} fetched {sent} of {site.pages} pages", "nothing was measured")
        shutil.rmtree(folder)
        return Figures(cpu_s / sent * 1e6, mb, seconds)

    def compare(self, rounds: int, a: Crawler, b: Crawler, site: Site) -> Alternation[Figures]:
        self.tools.say(f"{site.bytes:,} bytes: {a.name}, {b.name}")
        found = alternate(rounds, lambda: self.measure(a, site), lambda: self.measure(b, site))
        row = self.runs.setdefault(f"{site.bytes:,} bytes", {})
        row[a.name], row[b.name] = medians(found.first), medians(found.second)
        return found

    # --- The claims ---

    def against_raw(self, effort: Effort) -> list[str]:
        raw, ours, whole = _crawlers.raw(self.tools.work), _crawlers.bare(), _crawlers.whole()
        found = {site: self.compare(effort.rounds, raw, ours, site) for site in effort.sites}
        worst = max(effort.sites, key=lambda site: statistics.median(found[site].ratios(lambda run: run.us)))
        ratios = found[worst].ratios(lambda run: run.us)
        what = f"CPU per page / raw limit, worst of 2, 20 and 200 KB (at {worst.bytes // 1000} KB)"
        doubts = found[worst].doubts()
        self.claims.append(ratio_claim("crawl.vs_raw", what, 1.5, ratios, doubts, better="lower"))
        lines = []
        for site in effort.sites:
            self.compare(effort.rounds, raw, _crawlers.records(), site)
            all_files = self.compare(effort.rounds, raw, whole, site).ratios(lambda run: run.us)
            lines.append(
                f"with all files, CPU per page / raw limit at {site.bytes:,} bytes: {ratio(all_files)} (goal 2)"
            )
        return lines

    def against_peers(self, effort: Effort) -> list[str]:
        peers, missing = _crawlers.peers(self.tools.work)
        bare, pages = _crawlers.bare(), _crawlers.pages()
        goals = {"colly": ("crawl.vs_colly", 20.0), "wget2": ("crawl.vs_wget2", 5.0)}
        for peer in peers:
            least: Alternation[Figures] | None = None
            for full in effort.sites:
                most = effort.slow if peer.slow else effort.peer_pages if peer.writes else full.pages
                site = Site(full.bytes, full.links, min(full.pages, most))
                found = self.compare(effort.peer_rounds, pages if peer.writes else bare, peer, site)
                if least is None or median_us(found) < median_us(least):
                    least = found
            if peer.name in goals and least is not None:
                identity, goal = goals[peer.name]
                what = f"CPU per page, {peer.name} / ours, both writing, least of 2, 20 and 200 KB"
                self.claims.append(ratio_claim(identity, what, goal, least.ratios(lambda run: run.us), least.doubts()))
        return missing

    def many_connections(self, effort: Effort) -> list[str]:
        many = min(effort.many, most_connections())
        self.tools.say(f"{many:,} connections")
        pages = 10 * many
        slow, fast = Site(2_000, 10, pages, delay_ms=200), Site(2_000, 10, pages)
        ours = _crawlers.bare()
        found = alternate(2, lambda: self.measure(ours, fast), lambda: self.measure(ours, slow, connections=many))
        self.runs["connections"] = {"32": medians(found.first), f"{many}": medians(found.second)}
        mb = max(run.mb for run in found.second)
        return [
            f"{many:,} connections at 200 ms: CPU per page / with 32: {ratio(found.ratios(lambda run: run.us))} "
            f"(goal 2.5), {mb:.0f} MB resident (goal 100)"
            + ("" if many == effort.many else f"; {effort.many:,} need a higher limit of descriptors (ulimit -n)")
        ]

    def growth(self, effort: Effort) -> list[str]:
        ours = _crawlers.bare()
        least, *_, most = effort.growth
        row = self.runs.setdefault("growth", {})
        for pages in effort.growth[1:-1]:
            row[f"{pages}"] = asdict(self.measure(ours, Site(2_000, 10, pages)))
        self.tools.say(f"sites of {least:,} and of {most:,} URLs")
        found = alternate(
            effort.growth_rounds,
            lambda: self.measure(ours, Site(2_000, 10, least)),
            lambda: self.measure(ours, Site(2_000, 10, most)),
        )
        row[f"{least}"], row[f"{most}"] = medians(found.first), medians(found.second)
        what = f"pages per second of CPU, {most:,} URLs in the frontier / {least:,}"
        ratios = [1 / each for each in found.ratios(lambda run: run.us)]
        self.claims.append(ratio_claim("crawl.growth", what, 0.8, ratios, found.doubts()))
        return [
            f"{pages:,} URLs: {row[f'{pages}']['us']:.1f} us of CPU per page, {row[f'{pages}']['mb']:.0f} MB resident"
            for pages in effort.growth
        ]

    def links(self, effort: Effort) -> list[str]:
        """Nanoseconds per byte, by a program of the parser's own on pages of the site."""
        self.tools.say("links")
        call(["cmake", "--build", places.build(), "--target", "crawler_links_bench"])
        program = places.build() / "crawler/parse/crawler_links_bench"
        lines = []
        for site in effort.sites:
            with serving([self.server, str(site.bytes), str(site.links), "1000"]) as server:
                page = self.tools.work / "page.html"
                urllib.request.urlretrieve(f"http://127.0.0.1:{server.port}/p/00000000.html", page)
            figures = [[float(word) for word in call([program, page]).split()] for _ in range(effort.rounds)]
            own, theirs = (statistics.median(column) for column in zip(*figures, strict=True))
            lines.append(
                f"links of {site.bytes:,} bytes: {own:.2f} ns per byte, libxml2's SAX parser {theirs:.2f}: "
                f"{own / theirs:.2f} of its time (goal 0.15)"
            )
        return lines

    def lines(self, effort: Effort) -> list[str]:
        rows = [f"{site.bytes:,} bytes" for site in effort.sites]
        names = list(dict.fromkeys(name for row in rows for name in self.runs[row]))
        cells = [("us of CPU per page; MB", *rows)]
        for name in names:
            cells.append((name, *(short(self.runs[row].get(name)) for row in rows)))
        return [line.rstrip() for line in columns(cells, "  ")]


def median_us(found: Alternation[Figures]) -> float:
    return statistics.median(found.ratios(lambda run: run.us))


def ratio(ratios: Sequence[float]) -> str:
    return f"{statistics.median(ratios):.2f}"


def short(figures: dict[str, float] | None) -> str:
    return "-" if figures is None else f"{figures['us']:,.1f}; {figures['mb']:.0f}"


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    crawls = Crawls(tools)
    notes = [
        *crawls.against_raw(effort),
        *crawls.against_peers(effort),
        *crawls.many_connections(effort),
        *crawls.growth(effort),
        *crawls.links(effort),
    ]
    crawls.claims.sort(key=lambda claim: CLAIMS.index(claim.id))
    details: dict[str, Any] = {"runs": crawls.runs, "notes": notes, "table": [*crawls.lines(effort), "", *notes]}
    return Result(bench="crawl", claims=crawls.claims, details=details)
