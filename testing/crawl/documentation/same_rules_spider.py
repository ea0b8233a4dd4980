"""A spider of Scrapy's that follows what `heddle crawl` follows. It is run by Debian's Python, not as part of ours.

Links come from Scrapy's own extractor, which reads pages with libxml2, knows `base`, and encodes URLs.
"""

from __future__ import annotations

from collections.abc import Iterator
from urllib.parse import urljoin, urlsplit

import scrapy
from scrapy.http import HtmlResponse, Response
from scrapy.linkextractors import LinkExtractor
from w3lib.html import get_base_url, get_meta_refresh

FOLDED = "translate({}, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')"
RELS = ("next", "prev", "alternate", "canonical")
LINKS = " or ".join(f"contains(concat(' ', {FOLDED.format('@rel')}, ' '), ' {rel} ')" for rel in RELS)
ROBOTS = f"//meta[{FOLDED.format('@name')} = 'robots']/@content"


class SameRules(scrapy.Spider):
    name = "same_rules"
    custom_settings = {  # noqa: RUF012 - Scrapy's way to say it
        "ROBOTSTXT_OBEY": True,
        "LOG_LEVEL": "ERROR",
        "TELNETCONSOLE_ENABLED": False,
        "COOKIES_ENABLED": False,
        "RETRY_ENABLED": False,
        "METAREFRESH_ENABLED": False,  # else the other links of such a page are not read
        "HTTPERROR_ALLOW_ALL": True,
        "REDIRECT_MAX_TIMES": 10,
        "URLLENGTH_LIMIT": 65536,
        "REQUEST_FINGERPRINTER_IMPLEMENTATION": "2.7",
    }

    def __init__(self, urls: str) -> None:
        super().__init__()
        self.start_urls = urls.split()
        self.host = urlsplit(self.start_urls[0]).netloc
        self.asked: set[str] = set()  # a request that Scrapy finds to be a duplicate costs as much as any
        common = {"allow_domains": [self.host], "deny_extensions": []}
        self.extractors = (
            LinkExtractor(tags=("a", "area", "iframe", "frame"), attrs=("href", "src"), **common),
            LinkExtractor(tags=("link",), attrs=("href",), restrict_xpaths=f"//link[{LINKS}]", **common),
        )

    def parse(self, response: Response) -> Iterator[scrapy.Request]:
        if response.status != 200 or not isinstance(response, HtmlResponse):
            return
        robots = ",".join(response.xpath(ROBOTS).getall()).lower()
        if "nofollow" in robots or "none" in robots:
            return
        for extractor in self.extractors:
            for link in extractor.extract_links(response):
                if not link.nofollow and link.url not in self.asked:
                    self.asked.add(link.url)
                    yield scrapy.Request(link.url, self.parse)
        _, target = get_meta_refresh(response.text, response.url, response.encoding)
        if target:
            url = urljoin(get_base_url(response.text, response.url), target)
            if urlsplit(url).netloc == self.host:
                yield scrapy.Request(url, self.parse)
