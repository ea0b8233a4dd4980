"""--workers: however many kernel threads crawl, records and archive hold what one alone finds."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from testing.crawl.crawling import Crawler
from testing.crawl.web.random_web import RandomWeb
from testing.crawl.web.server import Web

# Which of the pages that link to a URL is named, how long it took: that depends on the order of answers.
SAME = "url status error depth type bytes sha256 redirect links attempts".split()


def recorded(crawl: Crawler) -> Counter[str]:
    return Counter(repr([record[field] for field in SAME]) for record in crawl.read())


def archived(file: Path) -> Counter[tuple[str, str, str]]:
    """The first of two equal bodies is a response, the other one a revisit: whichever came first."""
    found: Counter[tuple[str, str, str]] = Counter()
    with file.open("rb") as stream:
        for record in ArchiveIterator(stream, no_record_parse=True):
            kind = "response" if record.rec_type == "revisit" else record.rec_type
            names = ("WARC-Target-URI", "WARC-Payload-Digest")
            url, digest = (record.rec_headers.get_header(name) or "" for name in names)
            found[kind, url, digest] += 1
    return found


@pytest.mark.parametrize("seed", [5000, 5001])
def test_any_number_of_workers_records_and_archives_the_same(
    crawl: Crawler, web: Web, tmp_path: Path, seed: int
) -> None:
    made = RandomWeb(web, seed, pages=25, delay_s=0.002)
    words = ["--rate", "0", "--private", "--resources", *(site.url() for site in made.sites)]
    crawl(*words)  # what fails at first has done so
    alone = None
    for workers in range(1, 9):
        file = tmp_path / f"{workers}.warc"
        crawl.results = tmp_path / f"{workers}.jsonl"
        crawl("--workers", str(workers), "--warc", str(file), *words)
        found = (recorded(crawl), archived(file))
        assert min(sum(kind.values()) for kind in found) > 20
        alone = alone or found
        assert found[0] - alone[0] == alone[0] - found[0] == Counter(), f"{workers} workers: records"
        assert found[1] - alone[1] == alone[1] - found[1] == Counter(), f"{workers} workers: archive"
