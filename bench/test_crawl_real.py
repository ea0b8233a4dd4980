"""The benchmark of real pages: what counts as a difference, and what makes it doubtful."""

from __future__ import annotations

from bench import crawl_real
from bench.crawl_real import Row
from testing.crawl.documentation.nginx import Answer
from testing.crawl.documentation.peers import Run
from testing.crawl.documentation.reasons import Comparison


def row(pages: int = 60_000, **changed: Comparison) -> Row:
    run = Run({f"/{number}": Answer(200, "text/html") for number in range(pages)}, 1.0, 0.5)
    comparisons = {name: Comparison(common_pages=pages) for name in crawl_real.PEERS} | changed
    return Row("a-doc", dict.fromkeys(("ours", *crawl_real.PEERS), run), comparisons)


def test_the_claim_is_that_which_is_announced_and_met_without_a_difference() -> None:
    (claim,) = crawl_real.claims([row()], {})
    assert (claim.id, claim.met, claim.doubt) == (crawl_real.CLAIMS[0], True, "")


def test_a_url_without_a_reason_fails_the_claim_and_is_shown() -> None:
    worse = row(scrapy=Comparison(unexplained={"/x": "only we asked"}))
    assert not crawl_real.claims([worse], {})[0].met
    assert any("/x" in line for line in crawl_real.table([worse]))


def test_a_reason_is_counted_and_fails_nothing() -> None:
    argued = row(wget2=Comparison(reasons={"wget2 follows <img src>": ["/a", "/b"]}))
    assert crawl_real.claims([argued], {})[0].met
    assert crawl_real.reasons([argued], "wget2") == {"wget2 follows <img src>": 2}


def test_few_pages_and_missing_peers_are_doubts() -> None:
    assert "10 pages only" in crawl_real.claims([row(pages=10)], {})[0].doubt
    without = row()
    without.unfit["scrapy"] = "scrapy is not there"
    assert "without scrapy: a-doc" in crawl_real.claims([without], {"b-doc": "not fetched"})[0].doubt
