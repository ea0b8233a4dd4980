"""A crawl with Scrapy, as its tutorial has it: links by a selector, each page saved to a file.

scrapy runspider links_spider.py -a url=URL -a folder=FOLDER
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import scrapy  # type: ignore[import-not-found]


class LinksSpider(scrapy.Spider):  # type: ignore[misc]
    name = "links"

    def __init__(self, url: str, folder: str, **more: str) -> None:
        super().__init__(**more)
        self.start_urls = [url]
        self.folder = Path(folder)
        self.pages = 0

    def parse(self, response: scrapy.http.Response, **_more: object) -> Iterator[scrapy.Request]:
        self.pages += 1
        (self.folder / f"{self.pages}.html").write_bytes(response.body)
        yield from response.follow_all(css="a::attr(href)")
