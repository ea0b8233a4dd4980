"""Documents from links, and which links they have, so that a test need not read them again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from testing.crawl.web.answer import HTML, XHTML, Answer
from testing.crawl.web.markup import PAGES, Kind, Way

A = PAGES[0]


@dataclass(frozen=True)
class Link:
    """`reference` is what stands in the document, `target` the URL that it means."""

    target: str
    reference: str
    way: Way = A

    @property
    def kind(self) -> Kind:
        return self.way.kind


@dataclass(frozen=True)
class Page:
    links: tuple[Link, ...] = ()
    title: str = "page"
    padding: int = 0  # bytes of text beside
    xhtml: bool = False
    base: str | None = None
    robots: str | None = None  # content of meta robots
    charset: str | None = None  # said in a meta element

    def text(self) -> str:
        # Links in the title element would close the head's own; the real title comes first, and none is needed twice.
        head = "".join(link.way.write(link.reference) for link in self.links if link.way.head)
        inside = [link for link in self.links if not link.way.head]
        body = "\n".join(link.way.write(link.reference) for link in inside if not link.way.is_last)
        last = "".join(link.way.write(link.reference) for link in inside if link.way.is_last)
        meta = f'<meta charset="{self.charset}"/>' if self.charset else ""
        meta += f'<meta name="robots" content="{self.robots}"/>' if self.robots else ""
        base = f'<base href="{self.base}"/>' if self.base is not None else ""
        start = '<html xmlns="http://www.w3.org/1999/xhtml">' if self.xhtml else "<!doctype html><html>"
        before = '<?xml version="1.0"?>' if self.xhtml and not self.charset else ""
        words = _words(self.padding)
        return (
            f"{before}{start}<head>{meta}{base}<title>{self.title}</title>{head}</head>"
            f"<body>\n{words}{body}\n{last or '</body></html>'}"
        )

    def answer(self, **more: object) -> Answer:
        return replace(Answer(self.text().encode(), XHTML if self.xhtml else HTML), **more)  # type: ignore[arg-type]


def _words(size: int) -> str:
    return "<p>" + "lorem ipsum dolor sit amet " * (size // 27) + "</p>" if size else ""


def page(*references: str, padding: int = 0, **more: object) -> Answer:
    """One with plain links to these references."""
    return Page(tuple(Link("", reference) for reference in references), padding=padding).answer(**more)


def written(ways: Iterable[Way], path: str = "/target-{}") -> Sequence[Link]:
    """A link of each way, to paths of their own that are numbered."""
    return [Link(path.format(number), path.format(number), way) for number, way in enumerate(ways)]
