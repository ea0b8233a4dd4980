"""Other people's crawlers, and ours, over one site: what each asked for, by the server's log, and what it cost.

wget2        fetches what a page needs, too, as our --resources does. Told to ignore tags, it misses the link that
             follows each ignored one, so that it is left to it
Scrapy       a spider that follows the elements that we follow (same_rules_spider.py)
LinkChecker  what our --check is compared with
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from testing.crawl.crawling import program, read
from testing.crawl.documentation.nginx import Answer, key, serving
from testing.servers.debian_programs import UnfitError

SPIDER = Path(__file__).with_name("same_rules_spider.py")
PATIENCE_S = 3600.0
AT_ONCE = 8


@dataclass(frozen=True)
class Run:
    answers: dict[str, Answer]
    seconds: float
    cpu_s: float  # user and system

    @property
    def pages(self) -> set[str]:
        return {key for key, answer in self.answers.items() if answer.is_page}

    @property
    def missing(self) -> set[str]:
        """What is not there, without what is there and may not be read."""
        return {key for key, answer in self.answers.items() if answer.status == 404}


def command(name: str, urls: Sequence[str], work: Path) -> list[str]:
    """Of a crawl over everything below the URLs' host. Nothing of it is kept."""
    if name == "ours":
        return [str(program()), "--json", str(work / "ours.jsonl"), "--rate=0", f"--connections={AT_ONCE}", *urls]
    if name == "ours --check":
        words = ["--check", "--json", str(work / "ours.jsonl"), "--rate=0", f"--connections={AT_ONCE}"]
        return [str(program()), *words, f"--include=^{_pattern(urls)}", *urls]
    if name == "wget2":
        words = ["--no-config", "--recursive", "--level=inf", "--delete-after", f"--directory-prefix={work / 'kept'}"]
        words += ["--tries=1", "--max-redirect=10", f"--max-threads={AT_ONCE}", "--quiet"]
        return ["wget2", *words, *urls]
    if name == "scrapy":
        words = ["runspider", str(SPIDER), "-s", f"CONCURRENT_REQUESTS_PER_DOMAIN={AT_ONCE}"]
        return ["/usr/bin/scrapy", *words, "-a", f"urls={' '.join(urls)}"]
    if name == "linkchecker":
        # Its own rule is that what is not below the folder of the URL that it is given is another site's.
        rules = "[checking]\nmaxrequestspersecond=100000\nmaxfilesizeparse=1000000000\nmaxfilesizedownload=1000000000\n"
        rules += f"[filtering]\ninternlinks=^{_pattern(urls)}\n"
        (work / "linkcheckerrc").write_text(rules)
        words = ["--no-status", "--no-warnings", "--recursion-level=-1", f"--threads={AT_ONCE}", "--output=none"]
        words.append(f"--config={work / 'linkcheckerrc'}")
        return ["/usr/bin/linkchecker", *words, *urls]
    raise ValueError(name)


def _pattern(urls: Sequence[str]) -> str:
    """A regular expression for what begins as all URLs of their host do."""
    return re.escape("/".join(urls[0].split("/")[:3]) + "/")


ENDS_WELL: Mapping[str, tuple[int, ...]] = {"ours --check": (0, 1), "linkchecker": (0, 1), "wget2": (0, 8)}


def run(name: str, tree: Path, entrances: Sequence[str], cache: Path, work: Path) -> Run:
    """Crawls the tree from its entrances. `work` is made, and is an empty folder."""
    with serving(tree, cache, work) as server:
        words = command(name, [server.origin + path for path in entrances], work)
        started = time.monotonic()
        try:
            running = subprocess.Popen(
                words,
                cwd=work,
                env=_environment(work),
                stdout=subprocess.DEVNULL,
                stderr=(work / "said").open("w"),
                start_new_session=True,
            )
        except OSError as error:
            raise UnfitError(f"{name} is not there: {error}") from None
        status, usage = _wait(running.pid, started + PATIENCE_S)
        seconds = time.monotonic() - started
        code = os.waitstatus_to_exitcode(status)
        if code not in ENDS_WELL.get(name, (0,)):
            said = (work / "said").read_text(errors="replace").strip().splitlines() or ["?"]
            raise UnfitError(f"{name} ended with {code}: {said[-1][:160]}")
        answers = server.answers()
        if name.startswith("ours"):  # which says so in its records, not in its requests
            _take_referrers(answers, work / "ours.jsonl", server.origin)
        return Run(answers, seconds, usage.ru_utime + usage.ru_stime)


def _take_referrers(answers: dict[str, Answer], results: Path, origin: str) -> None:
    for record in read(results):
        url, page = (str(record[name] or "").removeprefix(origin) for name in ("url", "referrer"))
        if page and key(url) in answers:
            answers[key(url)] = replace(answers[key(url)], referrer=key(page))


def _wait(process: int, deadline: float) -> tuple[int, os.struct_rusage]:
    while True:
        found, status, usage = os.wait4(process, os.WNOHANG)
        if found:
            return status, usage
        if time.monotonic() > deadline:
            os.killpg(process, signal.SIGKILL)
        time.sleep(0.01)


def _environment(work: Path) -> dict[str, str]:
    """A home of its own, no proxy, and Debian's Python for programs of Debian."""
    unwanted = ("proxy", "python", "virtual_env")
    kept = {name: value for name, value in os.environ.items() if not any(word in name.lower() for word in unwanted)}
    return kept | {
        "HOME": str(work),
        "XDG_CONFIG_HOME": str(work),
        "XDG_CACHE_HOME": str(work),
        "PATH": "/usr/bin:/bin",
    }
