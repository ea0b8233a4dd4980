"""A web from a seed: some sites, their pages, and everything that is known of them for the reference crawler.

No redirect is longer than three, and circles are entered at one place only, so that what is to come out does not depend
on the order in which answers arrive.
"""

from __future__ import annotations

import random
from dataclasses import replace
from urllib.parse import urldefrag, urljoin

from testing.crawl.reference import Host, Node, World
from testing.crawl.web import markup
from testing.crawl.web.answer import CODINGS, Answer, gone, redirect, text
from testing.crawl.web.pages import Link, Page
from testing.crawl.web.server import Site, Turns, Web

CHARSETS = {
    "utf-8": "Grüße, привет, 日本語",
    "windows-1251": "привет",
    "koi8-r": "привет",
    "shift_jis": "表示 ソース 能",
    "euc-jp": "日本語",
    "gb18030": "中文 €",
    "big5": "中文 功",
    "iso-8859-2": "žluťoučký",
    "utf-16le": "Grüße, привет, 日本語",
}
_HTML_ONLY = (*markup.PAGES, *markup.NOFOLLOW, *markup.RESOURCES, *markup.NONE)
_XHTML = [*(way for way in _HTML_ONLY if way.xhtml), markup.CDATA]


class RandomWeb:
    def __init__(self, web: Web, seed: int, sites: int = 3, pages: int = 30, delay_s: float = 0.01) -> None:
        self._random = random.Random(seed)
        self._delay_s = delay_s
        self.sites = [web.site() for _ in range(sites)]
        self.world: World = {site.origin: Host() for site in self.sites}
        self._places = [(site, path) for site in self.sites for path in self._paths(pages)]
        for site in self.sites:
            self._rules(site)
        for site, path in self._places:
            self._fill(site, path)
        self._circles()

    @property
    def first(self) -> str:
        return self.sites[0].url("/")

    def _paths(self, pages: int) -> list[str]:
        folders = ("/", "/a/", "/a/b/", "/private/", "/c/d/e/")
        made = [f"{self._random.choice(folders)}p{number}" for number in range(pages)]
        return ["/", *(path + self._random.choice(("", ".html", "?x=1&y=2", "/")) for path in made)]

    def _rules(self, site: Site) -> None:
        host = self.world[site.origin]
        chosen = self._random.random()
        if chosen < 0.5:
            site.robots("User-agent: other\nDisallow: /\n\nUser-agent: *\nDisallow: /private/\n")
            host.allows = lambda url: not url.startswith(site.url("/private/"))
        elif chosen < 0.7 and site is self.sites[0]:  # of a host found later, it would make records wrong afterwards
            own = [path for place, path in self._places if place is site]
            pages = tuple(site.url(self._random.choice(own)) for _ in range(3))
            places = "".join(f"<url><loc>{markup.escape(page)}</loc></url>" for page in pages)
            site.put("/map.xml", text(f"<?xml version='1.0'?><urlset>{places}</urlset>", "application/xml"))
            site.robots(f"Sitemap: {site.url('/map.xml')}\n")
            host.sitemap = pages

    def _url(self) -> str:
        site, path = self._random.choice(self._places)
        return site.url(path)

    def _fill(self, site: Site, path: str) -> None:
        chosen = self._random.random() if path != "/" else 0.0
        url = site.url(path)
        if chosen < 0.75:
            self._page(site, path)
        elif chosen < 0.85:
            self._redirect(site, path)
        elif chosen < 0.92:
            status = self._random.choice((404, 410, 403, 400))
            site.put(path, gone(status))
            self._know(url, Node(status, "text/plain", f"status {status}".encode()))
        elif chosen < 0.98:
            words = f"<a href='{self._url()}'>not in this type</a>"
            site.put(path, text(words))
            self._know(url, Node(type="text/plain", body=words.encode()))
        else:
            site.put(path, Turns(gone(500), text("better")))
            self._know(url, Node(type="text/plain", body=b"better"))

    def _know(self, url: str, node: Node) -> None:
        self.world["/".join(url.split("/")[:3])].nodes[url] = node

    def _redirect(self, site: Site, path: str) -> None:
        """By a hop of its own that nothing links, so that no two redirects meet in a circle by chance."""
        page = f"/landed{len(self.world[site.origin].nodes)}"
        self._page(site, page)
        hop = page + "/hop"
        for start, end in ((path, site.url(hop)), (hop, site.url(page))):
            status = self._random.choice((301, 302, 303, 307, 308))
            site.put(start, redirect(end, status))
            self._know(site.url(start), Node(status, "text/plain", b"moved", redirect=end))

    def _circles(self) -> None:
        """A chain into a circle, linked once from the first page's site."""
        site = self.sites[0]
        steps = ["/circle/0", "/circle/1", "/circle/2"]
        for number, path in enumerate(steps):
            target = site.url(steps[(number + 1) % 3])
            site.put(path, redirect(target))
            error = "redirect_loop" if number == 2 else None
            self._know(site.url(path), Node(302, "text/plain", b"moved", redirect=target, error=error))
        words = '<a href="/circle/0">round</a>'
        site.put("/round", Answer(words.encode()))
        self._know(site.url("/round"), Node(body=words.encode(), links=((site.url(steps[0]), "page"),)))

    def _page(self, site: Site, path: str) -> None:
        url = site.url(path)
        xhtml = self._random.random() < 0.15
        base = self._random.choice(("/a/", "../x/", "")) if self._random.random() < 0.2 else None
        around = urljoin(url, base) if base else url
        links = [self._link(around, xhtml) for _ in range(self._random.randrange(8))]
        # Of several meta refresh elements the first counts, and only the last tag can be cut off by the end.
        for single in ([link for link in links if link.way.refreshes], [link for link in links if link.way.is_last]):
            links = [link for link in links if link not in single[1:]]
        if path == "/":
            links += [Link(site.url("/round"), "/round")] if site is self.sites[0] else []
        charset = None if xhtml else self._random.choice([*CHARSETS, None])
        robots = "noindex, NoFollow" if self._random.random() < 0.05 else None
        if robots:  # whether its resources are fetched is not said
            links = [link for link in links if link.kind != "resource"]
        made = Page(
            tuple(links),
            CHARSETS[charset] if charset else "page",
            self._random.choice((0, 0, 300, 20_000)),
            xhtml,
            base,
            robots,
            charset if charset != "utf-16le" else None,
        )
        encoding = charset or "utf-8"
        body = made.text().encode({"utf-16le": "utf-16-le"}.get(encoding, encoding), "replace")
        if charset == "utf-16le":
            body = b"\xff\xfe" + body
        plain = Answer(body, "application/xhtml+xml" if xhtml else "text/html")
        site.put(path, self._travelling(plain))
        kinds = tuple((link.target, "nofollow" if robots and link.kind == "page" else link.kind) for link in links)
        self._know(url, Node(type=str(plain.type), body=body, links=kinds))

    def _travelling(self, answer: Answer) -> Answer:
        choose = self._random.choice
        return replace(
            answer,
            framing=choose(("length", "chunked", "close")),
            coding=choose((None, None, *CODINGS)),
            delay_s=self._random.random() * self._delay_s,
        )

    def _link(self, around: str, xhtml: bool) -> Link:
        target = self._url() if self._random.random() < 0.9 else self._random.choice(self.sites).url("/missing")
        for _ in range(100):
            way = self._random.choice(_XHTML if xhtml else _HTML_ONLY)
            reference = self._spelling(around, target)
            if markup.fits(way, reference):
                return Link(target, reference, way)
        return Link(target, target)

    def _spelling(self, around: str, target: str) -> str:
        """One of the ways to refer to the target from there."""
        path = "/" + target.split("/", 3)[3]
        same = target.startswith("/".join(around.split("/")[:3]) + "/")
        spellings = [target, target[len("http:") :], target + "#part"]
        if same:
            up = "../" * around.split("?")[0].count("/")
            spellings += [path, "/./x/.." + path, up + path[1:], "/%2e" + path]
        chosen = self._random.choice(spellings)
        plain = chosen.replace("%2e", ".")
        assert urldefrag(urljoin(around, plain)).url == target, (around, chosen, target)
        return chosen
