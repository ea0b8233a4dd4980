"""A disk that is full ends the crawl with one line that says so. With more room it goes on, and nothing is lost.

The disk is a tmpfs, which only root may mount.
"""

from __future__ import annotations

import os
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from warcio.archiveiterator import ArchiveIterator

from testing.crawl.crawling import Crawler
from testing.crawl.killing import requests
from testing.crawl.web.answer import HTML, Answer
from testing.crawl.web.server import Site, Web

PAGES = 300
LARGE = "64m"


class Disk:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def resize(self, size: str) -> None:
        subprocess.run(["mount", "-o", f"remount,size={size}", self.folder], check=True)


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Disk]:
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small disk")
    folder = tmp_path / "disk"
    folder.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={LARGE}", "tmpfs", folder], check=False)
    if mounted.returncode != 0:
        pytest.skip("no disk can be mounted here")
    try:
        yield Disk(folder)
    finally:
        subprocess.run(["umount", folder], check=True)


def tree(site: Site) -> set[str]:
    """Pages that link four more each, and do not get smaller when they are packed."""
    chance = random.Random(1)
    for number in range(PAGES):
        children = [child for child in range(4 * number + 1, 4 * number + 5) if child < PAGES]
        links = "".join(f"<a href=/{child}>" for child in children)
        site.put(f"/{number}", Answer(f"{links}<!-- {chance.randbytes(1000).hex()} -->".encode(), HTML))
    return {site.url(f"/{number}") for number in range(PAGES)}


# Which of the files are on the small disk, and how large it is when it is small.
PLACES = {
    "state": (("state",), "256k"),
    "json": (("json",), "16k"),
    "warc": (("warc",), "128k"),
    "all": (("state", "json", "warc"), "512k"),
}


@pytest.mark.parametrize("what", PLACES)
def test_a_full_disk_loses_nothing(crawl: Crawler, web: Web, site: Site, disk: Disk, tmp_path: Path, what: str) -> None:
    expected = tree(site)
    files, size = PLACES[what]
    at = {name: (disk.folder if name in files else tmp_path) / name for name in ("state", "json", "warc")}
    crawl.results = at["json"]
    words = ["--rate", "0", "--connections", "4", "--state", at["state"], "--warc", at["warc"], site.url("/0")]
    disk.resize(size)
    for _ in range(2):  # still full
        done = crawl(*words, code=2)
        assert done.err.count("\n") == 1, done.err
        assert any(str(at[name]) in done.err for name in files), done.err
        assert 0 < len(done.records) < PAGES
    assert 0 < requests(web) < PAGES + 20
    disk.resize(LARGE)
    done = crawl(*words)
    assert done.urls == expected
    assert {record["error"] for record in done.records} == {None}
    assert archived(at["warc"]) >= expected


def archived(warc: Path) -> set[str]:
    """The URLs of a whole archive."""
    found = set()
    with warc.open("rb") as stream:
        for record in ArchiveIterator(stream, check_digests="raise"):
            if record.rec_type in ("response", "revisit"):
                found.add(record.rec_headers.get_header("WARC-Target-URI"))
                record.content_stream().read()
    return found


@pytest.mark.parametrize("name", ["state", "json", "warc"])
def test_a_disk_without_any_room_is_one_line(crawl: Crawler, site: Site, disk: Disk, tmp_path: Path, name: str) -> None:
    expected = tree(site)
    disk.resize("8k")
    filler = disk.folder / "filler"
    filler.write_bytes(b"x" * 8192)
    at = {one: (disk.folder if one == name else tmp_path) / one for one in ("state", "json", "warc")}
    crawl.results = at["json"]
    words = ["--rate", "0", "--state", at["state"], "--warc", at["warc"], site.url("/0")]
    done = crawl(*words, code=2)
    assert done.err.count("\n") == 1, done.err
    assert str(disk.folder) in done.err
    disk.resize(LARGE)
    filler.unlink()
    assert crawl(*words).urls == expected
