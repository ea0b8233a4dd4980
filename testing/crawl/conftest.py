"""A web and a crawler for each test."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from testing.crawl.crawling import Crawler, program
from testing.crawl.web.certificates import Authority, make_authority
from testing.crawl.web.server import Site, Web


@pytest.fixture(scope="session")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return make_authority(tmp_path_factory.mktemp("authority"))


@pytest.fixture
def web(authority: Authority) -> Iterator[Web]:
    with Web(authority) as running:
        yield running


@pytest.fixture
def site(web: Web) -> Site:
    return web.site()


@pytest.fixture
def crawl(tmp_path: Path) -> Crawler:
    if not program().exists():
        pytest.skip("heddle-crawl is not built")
    return Crawler(tmp_path)
