"""The crawler finds each page of a site once, over whatever links, and stays as short as its README says."""

from __future__ import annotations

import http.server
import json
import os
import random
import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

import pytest

from heddle.documents import schemas
from heddle.documents import trace as traces
from testing.servers.matrix import ROOT

SOURCE = Path(__file__).resolve().parents[1] / "crawler.cpp"
LIBRARY = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev")) / "pico/libheddle_pico.a"
FOLDERS, PAGES = 8, 25
MOST_LINES = 24


class Handler(http.server.SimpleHTTPRequestHandler):
    def __init__(self, *arguments: object, asked: Counter[str], folder: Path) -> None:
        self.asked = asked
        super().__init__(*arguments, directory=folder)  # type: ignore[arg-type]

    def do_GET(self) -> None:
        self.asked[self.path] += 1
        super().do_GET()

    def log_message(self, *_: object) -> None: ...


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 1024  # a thread per link asks at once


@contextmanager
def serving(folder: Path) -> Iterator[tuple[int, Counter[str]]]:
    asked: Counter[str] = Counter()
    server = Server(("127.0.0.1", 0), partial(Handler, asked=asked, folder=folder))
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1], asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture(scope="module")
def crawler(tmp_path_factory: pytest.TempPathFactory) -> Path:
    if not LIBRARY.exists():
        pytest.skip("pico is not built")
    program = tmp_path_factory.mktemp("crawler") / "crawler"
    flags = ["-std=c++20", "-O1", "-Wall", "-Wextra", "-Werror", "-I", ROOT, "-pthread"]
    subprocess.run(["g++", *flags, SOURCE, "-o", program, LIBRARY, "-lboost_context"], check=True)
    return program


def write_site(folder: Path) -> set[str]:
    """Pages in folders that link to each other at random, in each way that there is; returns the paths to be found."""
    chance = random.Random(5)
    paths = [f"/{part}/{page}.html" for part in range(FOLDERS) for page in range(PAGES)]
    for number, path in enumerate(paths):
        near = [f"{chance.randrange(PAGES)}.html" for _ in range(3)]
        far = chance.sample(paths, 3)
        after = paths[number + 1 : number + 2]  # so that each is found
        others = ["#top", f"{near[0]}#end", "mailto:a@b", "https://elsewhere.invalid/", "//elsewhere"]
        links = [*near, *far, *after, *others]
        body = "".join(f'<p><a class="x" href="{link}">{link}</a>' for link in links)
        file = folder / path[1:]
        file.parent.mkdir(exist_ok=True)
        file.write_text(f"<!doctype html><title>{path}</title>{body}{'x' * chance.randrange(100_000)}")
    (folder / "index.html").write_text(f'<a href="{paths[0]}">start</a> <a href="/missing.html">missing</a> <a href="')
    return {"/", "/missing.html", *paths}


def test_each_page_is_visited_once(crawler: Path, tmp_path: Path) -> None:
    expected = write_site(tmp_path)
    with serving(tmp_path) as (port, asked):
        done = subprocess.run(
            [crawler, "127.0.0.1", str(port)], capture_output=True, text=True, check=False, timeout=100
        )
    assert done.returncode == 0, done.stderr
    assert asked == Counter(expected)
    said = [f"{path} {'404' if 'missing' in path else '200'}" for path in expected]
    assert sorted(done.stdout.splitlines()) == sorted(said)


def test_a_listing_of_a_folder_is_crawled(crawler: Path, tmp_path: Path) -> None:
    for name in ("a.txt", "b.txt"):
        (tmp_path / name).write_text("no links")
    with serving(tmp_path) as (port, asked):
        subprocess.run([crawler, "localhost", str(port)], check=True, stdout=subprocess.DEVNULL, timeout=100)
    assert asked == Counter(["/", "/a.txt", "/b.txt"])


def test_it_leaves_the_same_documents_as_other_runs(crawler: Path, tmp_path: Path) -> None:
    site = tmp_path / "site"
    site.mkdir()
    expected = write_site(site)
    run_file, trace_file, timeline = tmp_path / "run.json", tmp_path / "crawl.trace", tmp_path / "timeline.json"
    asked_for = {"HEDDLE_RUN_FILE": str(run_file), "HEDDLE_TRACE": str(trace_file), "HEDDLE_SUMMARY": "1"}
    with serving(site) as (port, _):
        done = subprocess.run(
            [crawler, "127.0.0.1", str(port)],
            env=os.environ | asked_for,
            capture_output=True,
            text=True,
            check=True,
            timeout=100,
        )
    run = schemas.load(run_file, "run")
    schemas.check(run, "run", str(run_file))
    assert run["program"]["name"] == "crawler"
    assert (run["mode"], run["settings"]["threads"]) == ("serial", 1)
    sites = {entry["name"]: entry for entry in run["handlers"]}
    links = [name for name in sites if name.startswith("crawl(")]
    assert len(links) == 1, sites.keys()
    link = sites[links[0]]
    assert link["most_pending"] > 1
    assert link["pending"] == 0
    assert 0 < link["run"]["mean"] <= link["run"]["max"] <= run["seconds"]
    assert done.stderr.startswith("heddle: serial, because ")
    assert links[0][:20] in done.stderr

    recorded = traces.load(trace_file)
    records = recorded.of(links[0])
    assert len(records) == link["invocations"]
    # Each link has a thread; those that visit a page, all but the first one, wait for it at least once.
    threads = len(set(records["session"]))
    assert threads >= len(expected) - 1
    assert len(records) >= threads + len(expected) - 1
    assert (records["ready_ns"] <= records["start_ns"]).all()
    assert (records["start_ns"] <= records["end_ns"]).all()
    every = recorded.records
    assert sorted(every["sequence"]) == list(range(1, len(every) + 1))
    in_turn = every[every["start_ns"].argsort()]
    assert (in_turn["end_ns"][:-1] <= in_turn["start_ns"][1:]).all(), "two ran at once on one worker"
    export = ["-m", "heddle", "trace", "export", str(trace_file), "--format", "chrome", "-o", str(timeline)]
    subprocess.run([sys.executable, *export], check=True, stdout=subprocess.DEVNULL, timeout=100)
    assert sum(event["ph"] == "X" for event in json.loads(timeline.read_text())) == len(every)


def test_it_has_as_few_lines_as_its_readme_says() -> None:
    lines = [line for line in SOURCE.read_text().splitlines() if line.strip() and not line.strip().startswith("//")]
    assert len(lines) <= MOST_LINES
    assert max(map(len, lines)) <= 120
    said = re.search(r"crawler in (\d+) lines", (SOURCE.parent / "README.md").read_text())
    assert said is not None
    assert int(said[1]) == len(lines)
