"""`heddle crawl`: handing over to the crawler, and the page and picture of its results. The crawler is a stand-in."""

from __future__ import annotations

import csv
import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_support import Heddle
from test_page import Structure

from heddle.crawl import page, plot, shape
from heddle.crawl.results import Group, Summary, group_of, summary
from testing import browser

Record = dict[str, Any]

# Says its arguments, writes the records in RECORDS where --json wants them, and ends with CODE, or waits for a signal.
STAND_IN = """#!{python} -SEs
import os, sys, time
words = sys.argv[1:]
if "--json" in words and words[words.index("--json") + 1] != "-":
    open(words[words.index("--json") + 1], "w").write(os.environ.get("RECORDS", ""))
try:
    print(words, flush=True)
    if "CODE" not in os.environ:
        time.sleep(60)
except KeyboardInterrupt:
    sys.exit(130)
sys.exit(int(os.environ["CODE"]))
"""


def record(url: str, **changed: object) -> Record:
    plain: Record = {
        "url": url,
        "status": 200,
        "error": None,
        "depth": 1,
        "referrer": "http://a.test/",
        "type": "text/html",
    }
    plain |= {"bytes": 2000, "sha256": "0" * 64, "redirect": None, "links": 2, "attempts": 1, "ms": 12.5}
    return plain | changed


RECORDS = [
    record("http://a.test/", depth=0, referrer=None),
    record("http://a.test/x/1"),
    record("http://a.test/x/2", ms=900),
    record("http://a.test/gone", status=404, bytes=10),
    record("http://b.test/moved", status=301, redirect="http://b.test/", depth=2, referrer="http://a.test/x/1"),
    record("http://b.test/cut", error="reset", depth=2, referrer="http://a.test/x/1"),
    record("http://c.test/", status=0, error="dns", type=None, sha256=None, bytes=0),
]


def lines(records: list[Record]) -> str:
    return "".join(json.dumps(one) + "\n" for one in records)


def summed(records: list[Record]) -> Summary:
    found = Summary()
    for one in records:
        found.add(one)
    return found


@pytest.fixture
def crawler(heddle: Heddle, tmp_path: Path) -> Heddle:
    program = tmp_path / "build" / "crawler" / "heddle-crawl"
    program.parent.mkdir(parents=True)
    program.write_text(STAND_IN.format(python=sys.executable))
    program.chmod(0o755)
    heddle.environment |= {"HEDDLE_BUILD": str(tmp_path / "build"), "CODE": "0", "RECORDS": lines(RECORDS)}
    return heddle


def test_options_go_to_the_crawler_as_they_were_given(crawler: Heddle) -> None:
    done = crawler(
        "crawl", "--max-depth", "3", "--check", "--header", "A: -b", "--header=C: d", "--json", "-", "http://a/"
    )
    assert done.code == 0, done.err
    assert done.out.startswith(
        "['--json', '-', '--max-depth=3', '--header=A: -b', '--header=C: d', '--check', 'http://a/']"
    )


def test_options_that_only_the_crawler_knows_are_its_to_judge(crawler: Heddle) -> None:
    done = crawler("crawl", "http://a/", "--novelty", "3", "http://b/")
    assert done.out.startswith("['http://a/', '--novelty', '3', 'http://b/']")


def test_help_names_what_the_crawler_knows(heddle: Heddle) -> None:
    said = heddle("crawl", "--help").out
    assert [word for word in ("--frontier", "--workers", "--state", "--csv") if f"{word} " not in said] == []


def test_a_table_has_a_line_for_each_record(crawler: Heddle) -> None:
    odd = record('http://a.test/"x",y', error="reset", status=0, referrer=None, ms=0.25)
    assert crawler("crawl", "--csv", "t.csv", "http://a/", RECORDS=lines([*RECORDS, odd])).code == 0
    with (crawler.folder / "t.csv").open(newline="") as stream:
        rows = list(csv.DictReader(stream))
    assert list(rows[0]) == list(odd)
    assert [row["url"] for row in rows] == [each["url"] for each in [*RECORDS, odd]]
    assert rows[-1] == {name: "" if value is None else str(value) for name, value in odd.items()}


@pytest.mark.parametrize("code", [0, 1, 2, 130])
@pytest.mark.parametrize("more", [(), ("--report", "r.html")])
def test_the_exit_code_is_the_crawlers(crawler: Heddle, code: int, more: tuple[str, ...]) -> None:
    assert crawler("crawl", *more, "http://a/", CODE=str(code)).code == code
    assert (crawler.folder / "r.html").exists() == (bool(more) and code != 2)


@pytest.mark.parametrize("more", [(), ("--report", "r.html")])
def test_ctrl_c_ends_the_crawler_and_what_was_found_is_reported(crawler: Heddle, more: tuple[str, ...]) -> None:
    del crawler.environment["CODE"]
    command = [sys.executable, "-m", "heddle", "crawl", *more, "http://a/"]
    running = subprocess.Popen(
        command,
        cwd=crawler.folder,
        env=crawler.environment,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Tests that a shell runs in the background have it ignored, and so would the crawler.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    assert running.stdout is not None
    assert "http://a/" in running.stdout.readline()
    # As a terminal does it: to the whole group.
    os.killpg(running.pid, signal.SIGINT)
    running.communicate(timeout=30)
    assert running.returncode == 130
    assert not more or "404" in (crawler.folder / "r.html").read_text()


def test_a_crawler_that_a_signal_ended_has_its_code(crawler: Heddle) -> None:
    program = Path(crawler.environment["HEDDLE_BUILD"]) / "crawler" / "heddle-crawl"
    program.write_text("#!/bin/sh\nkill -TERM $$\n")
    assert crawler("crawl", "--report", "r.html", "http://a/").code == 128 + signal.SIGTERM


def test_the_results_of_a_report_stay_where_json_says(crawler: Heddle) -> None:
    assert crawler("crawl", "--json", "r.jsonl", "--report", "r.html", "http://a/").code == 0
    assert (crawler.folder / "r.jsonl").read_text() == lines(RECORDS)


def test_a_report_without_json_leaves_no_file(crawler: Heddle, tmp_path: Path) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    done = crawler("crawl", "--plot", "p.svg", "--report", "r.html", "http://a/", TMPDIR=str(temporary))
    assert done.code == 0, done.err
    assert list(temporary.iterdir()) == []
    assert "<svg" in (crawler.folder / "p.svg").read_text()


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--report", "no/folder/r.html"), "no/folder/r.html cannot be written: name a file in a folder that exists"),
        (("--plot", "p.gif"), "p.gif is no picture that can be made: name a file that ends in .svg or .png"),
        (("--csv", "no/folder/t.csv"), "no/folder/t.csv cannot be written: name a file in a folder that exists"),
        (("--json", "-", "--report", "r.html"), "--report, --plot and --csv read the results from a file"),
        (("--state", "s", "--report", "r.html"), "with --state a report needs what earlier runs found"),
    ],
)
def test_what_could_not_be_reported_is_refused_before_the_crawl(
    crawler: Heddle, words: tuple[str, ...], line: str
) -> None:
    done = crawler("crawl", *words, "http://a/")
    assert (done.code, done.out) == (2, "")
    assert done.line.startswith(f"heddle: {line}")


@pytest.mark.parametrize(
    "words",
    [
        ("--json", "x", "--csv", "x"),
        ("--json", "x", "--report", "./x"),
        ("--report", "x", "--csv", "x"),
        ("--csv", "x", "--warc", "x"),
        ("--json", "x", "--plot", "./x.svg", "--report", "x.svg"),
    ],
)
def test_two_files_of_one_name_are_refused_before_the_crawl(crawler: Heddle, words: tuple[str, ...]) -> None:
    done = crawler("crawl", *words, "http://a/")
    assert (done.code, done.out) == (2, "")
    assert "would be written twice" in done.line


def test_results_that_are_none_are_one_line(crawler: Heddle) -> None:
    done = crawler("crawl", "--json", "r.jsonl", "--report", "r.html", "http://a/", RECORDS='{"url": 1}\n[]\n')
    assert done.code == 2
    assert done.line == "heddle: line 1 of r.jsonl is no record: name a result of heddle crawl"


def test_a_crawler_that_is_not_built_is_one_line(heddle: Heddle) -> None:
    done = heddle("crawl", "http://a/")
    assert done.code == 2
    assert done.line.startswith("heddle: the crawler is not built (")


def test_records_are_added_up(tmp_path: Path) -> None:
    (tmp_path / "r.jsonl").write_text(lines(RECORDS))
    found = summary(tmp_path / "r.jsonl")
    assert (found.records, found.bytes, found.broken_count) == (7, 10_010, 3)
    assert found.outcomes == {"200": 3, "404": 1, "301": 1, "reset": 1, "dns": 1}
    assert found.depths == {0: 1, 1: 4, 2: 2}
    assert found.types == {"text/html": 5}
    assert [name for name, _ in found.slowest_hosts()] == ["http://a.test", "http://b.test", "http://c.test"]
    assert found.hosts["http://a.test"].quantile(0.95) == 900
    assert found.slowest[0] == (900, "http://a.test/x/2")
    assert found.links["http://a.test/", "http://a.test/x/"] == 2
    assert summary(tmp_path / "nothing").records == 0


def test_a_group_is_host_and_first_folder() -> None:
    assert group_of("http://h:1/a/b/c?d/e") == "http://h:1/a/"
    assert group_of("http://h/a?b/c") == "http://h/"
    assert group_of("http://h/") == "http://h/"


def test_sizes_are_for_people() -> None:
    assert [shape.size(count) for count in (0, 1023, 1536, 150 << 10, 5 << 40)] == [
        "0 B",
        "1023 B",
        "1.5 KiB",
        "150 KiB",
        "5120 GiB",
    ]


def test_ranges_have_no_gaps() -> None:
    assert shape.ranges([0, 0.5, 1, 3, 4, 64], 4) == [(0, 2), (1, 2), (4, 1), (16, 0), (64, 1)]
    assert shape.ranges([], 4) == []


def test_the_graph_keeps_the_largest_groups() -> None:
    found = Summary(groups={f"http://h/{n}/": Group(pages=n + 1, depth=n % 3) for n in range(40)})
    drawn = shape.graph(found)
    assert (len(drawn.nodes), drawn.left_out) == (24, 16)
    assert min(node.pages for node in drawn.nodes) == 17
    assert all(0 < node.x < drawn.width and 0 < node.y < drawn.height for node in drawn.nodes)
    assert len({(node.x, node.y) for node in drawn.nodes}) == 24


def test_the_page_is_whole_and_needs_nothing_but_itself() -> None:
    text = page.page(summed(RECORDS))
    structure = Structure(text.replace("<path ", "<g ").replace("</path>", "</g>"))
    assert structure.open == []
    for _, attributes in structure.elements:
        assert not {"src", "srcset", "background", "action", "href"} & attributes.keys()
    assert "default-src 'none'" in text
    assert all(th.get("scope") in ("row", "col") for th in structure.all("th"))
    words = " ".join(" ".join(structure.text).split())
    for part in ("7 URLs of 3 hosts, 9.8 KiB in all; 3 broken or refused.", "404", "reset", "http://a.test/x/"):
        assert part in words


def test_an_empty_crawl_has_a_page_and_a_picture(tmp_path: Path) -> None:
    assert Structure(page.page(Summary())).open == []
    plot.save(tmp_path / "p.png", Summary())
    assert (tmp_path / "p.png").read_bytes().startswith(b"\x89PNG")


def test_urls_cannot_break_out_of_the_page() -> None:
    evil = "http://a.test/</script><script>alert(1)</script><img src=x onerror=alert(1)>"
    text = page.page(summed([record(evil, status=500, referrer=evil, type=evil)]))
    assert text.count("<script") == 1
    assert "<img" not in text


def test_the_picture_is_the_same_for_the_same_results(tmp_path: Path) -> None:
    for name in ("one", "two"):
        plot.save(tmp_path / f"{name}.svg", summed(RECORDS))
    text = (tmp_path / "one.svg").read_text()
    assert "7 URLs of 3 hosts" in text


@pytest.mark.slow
@pytest.mark.skipif(browser.find() is None, reason="no Chromium")
def test_tables_are_sorted_and_filtered_in_a_browser(tmp_path: Path) -> None:
    (tmp_path / "r.html").write_text(page.page(summed(RECORDS)))
    with browser.browser(tmp_path) as shown:
        shown.open(tmp_path / "r.html")
        visible = "[...document.querySelectorAll('#broken tbody tr')].filter(row => !row.hidden)"
        rows = f"{visible}.map(row => row.cells[0].textContent)"
        assert shown.value(rows) == ["404", "reset", "dns"]
        shown.value("document.querySelector('#broken th button').click()")
        assert shown.value(rows) == ["404", "dns", "reset"]
        shown.value("document.getElementById('by-url').focus()")
        shown.type("b.test")
        assert shown.value(rows) == ["reset"]
        assert shown.value("document.getElementById('shown').textContent") == "1 of 3"
        assert shown.errors == []
