"""Why two crawlers asked for different URLs of one site: a reason that is computed, for each URL, or none.

A URL is judged on the page that led to it. The referee says what that page links, and whether our contract follows it.
What remains is to be looked at, and counts against us.
"""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import urljoin

from testing.crawl.documentation import referee
from testing.crawl.documentation.nginx import Answer
from testing.crawl.documentation.peers import Run
from testing.crawl.documentation.referee import Link, Page

BEHIND_OURS = "behind a URL that only we asked for"
URLJOIN = "Python's urljoin, by which the peer resolves URLs, drops a semicolon at the end"
BACKSLASH = "the peer takes a backslash as it is; the URL standard for a slash"
SLASHES = "the peer makes one slash of two, as Python's urljoin does"
HTTP_PATH = "takes http:PATH for a URL of another host; the URL standard for a relative one"
BARE_PERCENT = re.compile("%(?![0-9A-Fa-f]{2})")  # nginx refuses it, and its log does not say what it refused
SAMPLED, SAMPLED_BYTES = 12, 400_000  # pages; a larger one takes the referee too long
BASE = "http://127.0.0.1/"
WGET2_READS = 10 * 1024 * 1024  # bytes of a page that it keeps in memory to look for links
LIBXML2 = "import sys, lxml.html; print(*lxml.html.parse(sys.argv[1]).xpath('//@href | //@src'), sep='\\n')"


@dataclass
class Comparison:
    """Of one peer with us over one package."""

    common_pages: int = 0
    reasons: dict[str, list[str]] = field(default_factory=dict)  # reason: keys
    unexplained: dict[str, str] = field(default_factory=dict)  # key: what is known of it
    missed: set[str] = field(default_factory=set)  # of the reasons' keys, what only we asked for

    @property
    def hidden(self) -> bool:
        """Whether the peer missed URLs only because it missed others."""
        return BEHIND_OURS in self.reasons

    @property
    def hiding(self) -> list[str]:
        """What it missed for a reason of its own."""
        return [
            key for reason, keys in self.reasons.items() if reason != BEHIND_OURS for key in keys if key in self.missed
        ]

    def take(self, earlier: Comparison, told: Collection[str]) -> None:
        """Keeps the reasons for what the peer was told since."""
        for reason, keys in earlier.reasons.items():
            kept = [key for key in keys if key in told]
            if kept:
                self.reasons.setdefault(reason, []).extend(kept)


def compare(tree: Path, name: str, ours: Run, peer: Run) -> Comparison:
    """Every URL that only one of them asked for, by reason."""
    found = Comparison(common_pages=len(ours.pages & peer.pages))
    for key in sorted(ours.answers.keys() ^ peer.answers.keys()):
        only_ours = key in ours.answers
        has, lacks = (ours, peer) if only_ours else (peer, ours)
        at = page_before(has.answers, key)
        reason = None if at is None else _reason(tree, name, key, at, only_ours, has, lacks)
        if reason:
            found.reasons.setdefault(reason, []).append(key)
            found.missed |= {key} if only_ours else set()
        else:
            whose = "only we" if only_ours else f"only {name}"
            found.unexplained[key] = f"{whose} asked, from {at}: {has.answers[key].status}"
    for key in sorted(ours.answers.keys() & peer.answers.keys()):
        if ours.answers[key].status != peer.answers[key].status:
            found.unexplained[key] = f"{ours.answers[key].status} to us, {peer.answers[key].status} to {name}"
    return found


def sampled(tree: Path, ours: Run) -> Comparison:
    """Of some pages, the same each time, what they link by the referee and our contract, and we did not ask for."""
    found = Comparison()
    readable = [at for at in sorted(ours.pages) if referee.file_of(tree, at).stat().st_size <= SAMPLED_BYTES]
    for at in random.Random(0).sample(readable, min(SAMPLED, len(readable))):
        found.common_pages += 1
        for link in referee.page(tree, at).links:
            if link.followed and link.key not in ours.answers and not BARE_PERCENT.search(link.value):
                found.unexplained[link.key] = f"not asked for, and linked from {at}"
    return found


def page_before(answers: Mapping[str, Answer], key: str) -> str | None:
    """The page that led to it; a redirect is passed."""
    seen = {key}
    at = answers[key].referrer
    while at in answers and 300 <= answers[at].status < 400 and at not in seen:
        seen.add(at)
        at = answers[at].referrer
    return at


def _reason(tree: Path, name: str, key: str, at: str, only_ours: bool, has: Run, lacks: Run) -> str | None:
    if name == "wget2" and has.answers[key].status == 200 and not has.answers[key].is_page and not only_ours:
        return "wget2 fetches what a page needs"
    if at not in lacks.answers:
        return BEHIND_OURS if only_ours else f"behind a URL that only {name} asked for"
    if at in has.answers and not has.answers[at].is_page:
        return None if only_ours else f"{name} reads {has.answers[at].type}"
    if not only_ours and _stands_in_pictures_only(referee.file_of(tree, at), key):
        return f"{name} follows <img src>"
    page = referee.page(tree, at)
    links = page.links_to(key)
    followed = [link for link in links if link.followed]
    if only_ours:
        return _peer_misses(tree, name, at, page, followed) if followed else None
    if name == "wget2" and followed and all(BARE_PERCENT.search(link.value) for link in followed):
        return "the URL standard leaves a % alone that encodes nothing, and nginx answers 400; wget2 encodes it"
    if followed:
        return None
    if name == "scrapy" and page.links_to(key + ";"):
        return URLJOIN
    if links:
        nofollow = " nofollow" if any(link.nofollow for link in links) else ""
        return f"{name} follows{nofollow} {min(link.kind for link in links)}"
    if any(re.sub("/+", "/", link.key) == key for link in page.links):
        return SLASHES
    if "\\" in key:
        return BACKSLASH
    if name == "scrapy" and "_escaped_fragment_=" in key:
        return "Scrapy asks for _escaped_fragment_ where a fragment begins with !"
    return f"{name} asks for what the HTML standard does not see as a link"


def _stands_in_pictures_only(file: Path, key: str) -> bool:
    """Whether nothing but <img src> can name it, which needs no referee: no other place of the page has its name."""
    name = re.escape(key.rpartition("/")[2])
    text = file.read_text(encoding="latin-1")
    in_pictures = re.findall(rf"<img\b[^<>]*?\ssrc\s*=\s*[\"']?[^\"'<>\s]*{name}", text, re.IGNORECASE)
    return 0 < len(in_pictures) == len(re.findall(name, text))


def _peer_misses(tree: Path, name: str, at: str, page: Page, links: list[Link]) -> str | None:
    """Why the peer does not follow a link that our contract follows."""
    file = referee.file_of(tree, at)
    if all("\\" in link.value for link in links):
        return BACKSLASH
    if all("//" in link.key for link in links):
        return SLASHES
    if name == "wget2":
        if all(link.element == "meta" for link in links):
            return "wget2 does not read <meta http-equiv=refresh>"
        if all(without_slashes(link) for link in links):
            return f"wget2 {HTTP_PATH}"
        if all(":" in link.value and not re.match("[A-Za-z][A-Za-z0-9+.-]*:", link.value) for link in links):
            return "wget2 takes what stands before any colon for a scheme, in a query or fragment too"
        if all(_stands_behind(r"<[A-Za-z][^<>]*/[ \t\n]+>", page, link) for link in links):
            return "wget2 reads a page no further than a tag that ends in '/ >'"
        if all(_stands_behind(r"<[?]", page, link) for link in links):
            return "wget2 skips from <? to ?>, as in XML; the HTML standard to the next >"
        if all(_stands_behind("<[^A-Za-z/!?]", page, link) for link in links):
            return "wget2 reads a tag where a < stands in the text"
        if all(_first_byte(file, link) >= WGET2_READS for link in links):
            return "wget2 looks for links in the first 10 MiB of a page"
        if all(link.value not in page.source for link in links):
            return "wget2 does not decode the character references of a URL"
    if name == "scrapy":
        if all(loses_semicolon(link) for link in links):
            return URLJOIN
        seen = _by_libxml2(file)
        if all(link.value not in seen for link in links):
            return "libxml2, by which Scrapy reads, does not see the link"
    return None


def _by_libxml2(file: Path) -> set[str]:
    """The links that the libxml2 of Debian finds."""
    words = ["/usr/bin/python3", "-c", LIBXML2, str(file)]
    return set(subprocess.run(words, capture_output=True, text=True, check=True, errors="replace").stdout.splitlines())


def _stands_behind(pattern: str, page: Page, link: Link) -> bool:
    there = re.search("[\"'=]" + re.escape(link.value), page.source)
    return there is not None and re.search(pattern, page.source[: there.start()]) is not None


def _first_byte(file: Path, link: Link) -> int:
    """Where the link stands in the file; -1 if it is written with character references."""
    there = re.search(b"[\"'=]" + re.escape(link.value.encode()), file.read_bytes())
    return there.end() if there else -1


def without_slashes(link: Link) -> bool:
    return re.match(r"https?:(?!//)", link.value.strip(), re.IGNORECASE) is not None


def loses_semicolon(link: Link) -> bool:
    return urljoin(BASE, link.value).count(";") < link.value.count(";")
