"""What a page links, by html5lib: a parser that follows the HTML standard step by step, and that no crawler here uses.

It is asked only about pages of which two crawlers read something different, for it takes a second for a large one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any
from urllib.parse import quote, urljoin, urlsplit
from xml.etree.ElementTree import Element

import html5lib

from testing.crawl.documentation.nginx import key

_SITE, _SEMICOLON, _NOTHING = "http://127.0.0.1", "\ue000", "\ue001"
_FOLLOWED = {("a", "href"), ("area", "href"), ("iframe", "src"), ("frame", "src"), ("meta", "content")}
_LOOKED_AT = _FOLLOWED | {
    *((element, "src") for element in "img script source video audio track embed input".split()),
    *(("link", "href"), ("img", "srcset"), ("source", "srcset"), ("video", "poster"), ("object", "data")),
}
_RELS = {"next", "prev", "alternate", "canonical"}


@dataclass(frozen=True)
class Link:
    """An attribute that is, or could be, a link."""

    key: str  # of what it leads to, on the same site
    element: str
    attribute: str
    value: str
    rels: frozenset[str]
    nofollow: bool = False  # of the page too
    inside_template: bool = False

    @property
    def followed(self) -> bool:
        """Whether our contract says that it is."""
        if self.nofollow or self.inside_template:
            return False
        if self.element == "link":
            return self.attribute == "href" and bool(self.rels & _RELS)
        return (self.element, self.attribute) in _FOLLOWED

    @property
    def looked_at(self) -> bool:
        """Whether our contract says that --check looks at it."""
        return (self.element, self.attribute) in _LOOKED_AT and not self.inside_template

    @property
    def kind(self) -> str:
        rel = f" rel={' '.join(sorted(self.rels))}" if self.element == "link" and self.rels else ""
        return f"<{self.element}{rel} {self.attribute}>"


@dataclass(frozen=True)
class Page:
    links: tuple[Link, ...]
    source: str

    def links_to(self, target: str) -> list[Link]:
        return [link for link in self.links if link.key == target]


def file_of(tree: Path, at: str) -> Path:
    """What the server answers with."""
    file = tree / at.partition("?")[0].lstrip("/")
    if not file.is_dir():
        return file
    return next((file / name for name in ("index.html", "index.htm") if (file / name).exists()), file)


@lru_cache(maxsize=300)
def page(tree: Path, at: str) -> Page:
    """The page that the server has at this key."""
    content = file_of(tree, at).read_bytes()
    parser = html5lib.HTMLParser(namespaceHTMLElements=False)
    root = parser.parse(content, scripting=False)
    encoding = parser.documentEncoding or "windows-1252"
    return Page(tuple(_links(root, at)), content.decode(_codec(encoding), "replace"))


def _codec(label: str) -> str:
    return {"windows-1252": "cp1252"}.get(label.lower(), label)


def _links(root: Element, at: str) -> Iterator[Link]:
    own = _SITE + quote(at, safe="/?=&%;:@+$,!'()*~")
    base = next((e.get("href", "") for e in root.iter("base") if e.get("href") is not None), "")
    base = urljoin(own, base)
    robots = " ".join(e.get("content", "") for e in root.iter("meta") if e.get("name", "").lower() == "robots").lower()
    closed = "nofollow" in robots or "none" in robots
    hidden = {inner for outer in root.iter("template") for inner in outer.iter()}
    for element in root.iter():
        if not isinstance(element.tag, str):  # comments
            continue
        rels = frozenset(element.get("rel", "").lower().split())
        nofollow = closed or "nofollow" in rels
        for name, value in element.attrib.items():
            for url in _urls_of(element, str(name), value):
                target = _key(base, url)
                if target is not None:
                    yield Link(target, element.tag, str(name), value, rels, nofollow, element in hidden)


def _urls_of(element: Any, name: str, value: str) -> list[str]:  # noqa: ANN401 - what iter() gives
    """The URLs in an attribute; that of a refresh stands behind its time."""
    if name == "srcset":
        return [candidate.split()[0] for candidate in value.split(",") if candidate.split()]
    if element.tag == "meta" and name == "content":
        if element.get("http-equiv", "").lower() != "refresh":
            return []
        _, _, rest = value.replace(",", ";").partition(";")
        word, equals, url = rest.strip().partition("=")
        return [(url if equals and word.strip().lower() == "url" else rest).strip().strip("'\"")]
    return [value]


def _key(base: str, value: str) -> str | None:
    text = value.strip("\t\n\f\r ").translate({9: None, 10: None, 13: None}).replace("\\", "/")
    try:
        # Python's urljoin takes away a semicolon that nothing follows, and a slash that another one follows.
        hidden = text.replace(";", _SEMICOLON)
        if not re.match("[A-Za-z][A-Za-z0-9+.-]*:|//", text):
            hidden = hidden.replace("//", f"/{_NOTHING}/").replace("//", f"/{_NOTHING}/")
        parts = urlsplit(urljoin(base, hidden).replace(_SEMICOLON, ";").replace(_NOTHING, ""))
    except ValueError:
        return None
    if f"{parts.scheme}://{parts.netloc}" != _SITE:
        return None
    query = "?" + quote(parts.query, safe="!$%&()*+,-./:;=?@[\\]^_`{|}~") if parts.query else ""
    return key((parts.path or "/").replace("?", "%3F") + query)
