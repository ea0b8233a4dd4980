"""Crawlers to be measured side by side: how each is built, and what is called to have it crawl a site.

Those written for this are in bench/crawlers: the least that a crawl can cost, and others as their manuals have them.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from heddle.errors import BadInputError
from heddle.measure.commands import call
from heddle.system import places

HERE = Path(__file__).resolve().parent / "crawlers"
C11 = ("-std=c11", "-O2", "-D_GNU_SOURCE")


@dataclass(frozen=True)
class Task:
    port: int
    connections: int
    pages: int
    folder: Path  # an empty one, for what it writes

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/p/00000000.html"


Command = Callable[[Task], Sequence[str | Path]]


@dataclass(frozen=True)
class Crawler:
    name: str
    command: Command
    writes: bool  # pages to files
    # Of the pages that there are: some ask for a page again, and cost what they do per page sent.
    most_sent: float = 1.0
    slow: bool = False  # ten milliseconds for a page, and more


def ours(name: str, options: Command, writes: bool) -> Crawler:
    program = places.built(places.crawler(), "the crawler")

    def command(task: Task) -> Sequence[str | Path]:
        return [program, "--rate", "0", "--connections", str(task.connections), *options(task), task.url]

    return Crawler(name, command, writes)


def bare() -> Crawler:
    """What the raw limit is compared with: no robots.txt, no files."""
    return ours("heddle, no files", lambda _task: ["--no-robots"], writes=False)


def records() -> Crawler:
    """As most will call it: robots.txt and records."""
    return ours("heddle, records", lambda task: ["--json", task.folder / "pages.jsonl"], writes=True)


def pages() -> Crawler:
    """What other crawlers are compared with: it writes all pages to a file as they come, as they do to many."""
    return ours(
        "heddle, pages",
        lambda task: ["--json", task.folder / "pages.jsonl", "--warc", task.folder / "pages.warc"],
        writes=True,
    )


def whole() -> Crawler:
    """All that it offers: robots.txt, records, a store that can be resumed, and an archive, compressed."""
    return ours(
        "heddle, all files",
        lambda task: [
            *("--json", task.folder / "pages.jsonl", "--state", task.folder / "state"),
            *("--warc", task.folder / "pages.warc.gz"),
        ],
        writes=True,
    )


def by_hand(work: Path, name: str, *libraries: str) -> Crawler:
    program = work / name
    call(["cc", *C11, HERE / f"{name}.c", "-o", program, *libraries])

    def command(task: Task) -> Sequence[str | Path]:
        return [program, str(task.port), str(task.connections), str(task.pages)]

    return Crawler(name, command, writes=False)


def raw(work: Path) -> Crawler:
    return by_hand(work, "raw")


def colly(work: Path) -> Crawler:
    program = work / "colly"
    call(["go", "build", "-o", program, "."], cwd=HERE / "colly")
    return Crawler(
        "colly",
        lambda task: [program, task.url, str(task.connections), task.folder],
        writes=True,
        most_sent=2.0,  # for a page to which two others lead at a time
    )


def wget2(_work: Path) -> Crawler:
    program = shutil.which("wget2")
    if program is None:
        raise BadInputError("wget2 is not here", "apt-get install wget2")

    def command(task: Task) -> Sequence[str | Path]:
        options = ["-q", "-r", "-l", "inf", "--no-robots", f"--max-threads={task.connections}"]
        return [program, *options, "-P", task.folder, task.url]

    return Crawler("wget2", command, writes=True)


def scrapy(work: Path) -> Crawler:
    home = work / "scrapy"
    program = home / "bin/scrapy"
    if not program.exists():
        call([sys.executable, "-m", "venv", home])
        call([home / "bin/pip", "--quiet", "install", "scrapy"])

    def command(task: Task) -> Sequence[str | Path]:
        at_once = str(task.connections)
        settings = {"CONCURRENT_REQUESTS": at_once, "CONCURRENT_REQUESTS_PER_DOMAIN": at_once, "DOWNLOAD_DELAY": "0"}
        options = [word for name, value in settings.items() for word in ("-s", f"{name}={value}")]
        arguments = ["-a", f"url={task.url}", "-a", f"folder={task.folder}"]
        return [program, "runspider", "--nolog", *options, *arguments, HERE / "links_spider.py"]

    # It asks again for the first page, when another leads to it.
    return Crawler("scrapy", command, writes=True, most_sent=1.2, slow=True)


HOW_TO_INSTALL = {
    "libcurl": "apt-get install libcurl4-openssl-dev",
    "colly": "install Go, and let it reach a Go module proxy",
    "wget2": "apt-get install wget2",
    "scrapy": "let pip reach PyPI",
}


def peers(work: Path) -> tuple[list[Crawler], list[str]]:
    """Those that can be had here, and a line for each of the others."""
    makers: dict[str, Callable[[], Crawler]] = {
        "libcurl": lambda: by_hand(work, "libcurl", "-lcurl"),
        "colly": lambda: colly(work),
        "wget2": lambda: wget2(work),
        "scrapy": lambda: scrapy(work),
    }
    found, missing = [], []
    for name, make in makers.items():
        try:
            found.append(make())
        except (BadInputError, OSError, subprocess.SubprocessError) as error:
            missing.append(f"{name} was left out ({error}): {HOW_TO_INSTALL[name]}")
    return found, missing
