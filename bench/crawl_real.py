"""Whether `heddle crawl` finds what others find in pages that nobody here wrote: Debian's documentation packages.

Debian's nginx serves each package; wget2 and Scrapy (a spider with our rules) crawl it, and LinkChecker checks some.
What each asked for is read from the server's log. Every URL that only one of two asked for gets a reason that is
computed (testing/crawl/documentation/reasons.py); one without counts against us. So does a link that html5lib
sees on one of a dozen pages of each package, and that we did not ask for. What the others find is kept, for it takes
Scrapy an hour; remove build/third_party/documentation/crawled to crawl anew.
"""

from __future__ import annotations

import os
from collections import Counter
from dataclasses import dataclass, field
from typing import Any

from heddle.measure.benchmark import Claim, Result, Tools, count_claim
from heddle.system import places
from testing.crawl.documentation.broken_links import compare_broken
from testing.crawl.documentation.kept import CACHE, compared, crawled
from testing.crawl.documentation.packages import CHECKED, NAMES, SMALL, unpacked
from testing.crawl.documentation.peers import Run
from testing.crawl.documentation.reasons import Comparison, sampled
from testing.servers.debian_programs import UnfitError

CLAIMS = ("crawl.real_sets",)
MEASURES = ("crawler/crawl", "crawler/frontier", "crawler/parse", "testing/crawl/documentation")
PEERS = ("wget2", "scrapy")
ENOUGH = 50_000  # pages


@dataclass
class Row:
    """What was found of one package."""

    package: str
    runs: dict[str, Run]
    comparisons: dict[str, Comparison]
    unfit: dict[str, str] = field(default_factory=dict)  # peer: why there is nothing of it

    @property
    def unexplained(self) -> dict[str, str]:
        return {
            f"{self.package}{key}": why for found in self.comparisons.values() for key, why in found.unexplained.items()
        }


def measured(package: str, tools: Tools) -> Row:
    tools.say(f"{package}: heddle")
    ours = crawled(package, "ours", CACHE, again=True)
    row = Row(package, {"ours": ours}, {"html5lib": sampled(unpacked(package, CACHE), ours)})
    for name in PEERS:
        tools.say(f"{package}: {name}")
        try:
            row.comparisons[name], row.runs[name] = compared(package, name, CACHE, ours)
        except UnfitError as error:
            row.unfit[name] = str(error)
    if package in CHECKED:
        tools.say(f"{package}: linkchecker")
        try:
            broken = crawled(package, "ours --check", CACHE, again=True)
            row.runs["linkchecker"] = crawled(package, "linkchecker", CACHE)
            row.comparisons["linkchecker"] = compare_broken(unpacked(package, CACHE), broken, row.runs["linkchecker"])
        except UnfitError as error:
            row.unfit["linkchecker"] = str(error)
    return row


def reasons(rows: list[Row], name: str) -> Counter[str]:
    """How many URLs there are of each reason."""
    found: Counter[str] = Counter()
    for row in rows:
        if name in row.comparisons:
            found.update({reason: len(keys) for reason, keys in row.comparisons[name].reasons.items()})
    return found


def table(rows: list[Row]) -> list[str]:
    lines = [f"{'package':<27}{'pages':>7}{'gone':>6}" + "".join(f"{name:>15}" for name in ("heddle", *PEERS))]
    lines.append(f"{'':<40}" + f"{'CPU s':>8}{'time s':>7}" * 3)
    for row in rows:
        times = ""
        for name in ("ours", *PEERS):
            run = row.runs.get(name)
            times += f"{run.cpu_s:>8.2f}{run.seconds:>7.1f}" if run else f"{'-':>15}"
        lines.append(f"{row.package:<27}{len(row.runs['ours'].pages):>7}{len(row.runs['ours'].missing):>6}{times}")
    for name in (*PEERS, "linkchecker"):
        lines.append(f"URLs on which {name} and we differ, by reason:")
        lines += [f"  {count:>6}  {reason}" for reason, count in reasons(rows, name).most_common()]
    lines += [f"no reason: {key}: {why}" for row in rows for key, why in row.unexplained.items()]
    return lines


def claims(rows: list[Row], left_out: dict[str, str]) -> list[Claim]:
    pages = sum(len(row.runs["ours"].pages) for row in rows)
    both = {name: sum(row.comparisons[name].common_pages for row in rows if name in row.comparisons) for name in PEERS}
    doubts = [f"{pages:,} pages only"] if pages < ENOUGH else []
    doubts += [f"{package} left out: {why}" for package, why in left_out.items()]
    for name in (*PEERS, "linkchecker"):
        without = [row.package for row in rows if name in row.unfit]
        if without:
            doubts.append(f"without {name}: {', '.join(without)}")
    what = (
        f"URLs of {len(rows)} documentation packages on which we and a peer differ without an argued reason; "
        f"{pages:,} pages, of which wget2 has {both['wget2']:,}, Scrapy {both['scrapy']:,}"
    )
    different = sum(len(row.unexplained) for row in rows)
    return [count_claim(CLAIMS[0], what, "URLs", 0, different, doubts=doubts)]


def details(rows: list[Row]) -> dict[str, Any]:
    return {
        row.package: {
            "pages": {name: len(run.pages) for name, run in row.runs.items()},
            "missing": {name: len(run.missing) for name, run in row.runs.items()},
            "seconds": {name: round(run.seconds, 2) for name, run in row.runs.items()},
            "cpu_s": {name: round(run.cpu_s, 2) for name, run in row.runs.items()},
            "reasons": {
                name: {reason: len(keys) for reason, keys in found.reasons.items()}
                for name, found in row.comparisons.items()
            },
            "unexplained": row.unexplained,
        }
        for row in rows
    }


def run(quick: bool, tools: Tools) -> Result:
    os.environ["HEDDLE_BUILD"] = str(places.build())
    rows, left_out = [], {}
    for package in SMALL if quick else NAMES:
        try:
            rows.append(measured(package, tools))
        except UnfitError as error:
            left_out[package] = str(error)
    found = details(rows) | {"table": table(rows)}
    return Result(bench="crawl_real", claims=claims(rows, left_out), details=found)
