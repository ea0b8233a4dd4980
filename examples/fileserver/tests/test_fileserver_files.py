"""Files, parts of them, directories, and what is none of the server's business."""

from __future__ import annotations

import os
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hello_file import HELLO

from testing.servers.generators import generator
from testing.servers.server_process import Server, StartServer, request

make_files = generator(Path(__file__).resolve().parents[1] / "make_files.py")
DATE = "Sun, 09 Sep 2001 01:46:40 GMT"


def test_every_file_arrives_as_it_is(server: Server, files: Path) -> None:
    paths = [path for path in files.glob("[dl]*/file-*") if path.is_file()]
    assert len(paths) == 26
    with ThreadPoolExecutor(8) as pool:
        for path, answer in zip(
            paths, pool.map(server.get, [f"/{path.relative_to(files)}" for path in paths]), strict=True
        ):
            assert (answer.status, answer.body) == (200, path.read_bytes())


@pytest.mark.parametrize(
    ("target", "kind", "encoding"),
    [
        ("/hello.txt", "text/plain; charset=utf-8", None),
        ("/site/", "text/html; charset=utf-8", None),
        ("/d4/file-0004.jpg", "image/jpeg", None),
        ("/page.html.gz", "text/html; charset=utf-8", "gzip"),
        ("/noext", "application/octet-stream", None),
        ("/large/file-0000.bin", "application/octet-stream", None),
    ],
)
def test_the_kind_follows_from_the_name(server: Server, target: str, kind: str, encoding: str | None) -> None:
    answer = server.get(target)
    assert (answer.status, answer.headers["content-type"], answer.headers.get("content-encoding")) == (
        200,
        kind,
        encoding,
    )


def test_a_file_that_has_not_changed_is_not_sent_again(server: Server) -> None:
    connection = server.connect()
    assert connection.get("/hello.txt").headers["last-modified"] == DATE
    later = "Sunday, 09-Sep-01 01:46:41 GMT"
    for date, status in ((DATE, 304), (later, 304), ("Sun Sep  9 01:46:39 2001", 200), ("no date", 200)):
        answer = connection.get("/hello.txt", f"If-Modified-Since: {date}")
        assert (answer.status, answer.body) == (status, HELLO if status == 200 else b"")


@pytest.mark.parametrize(
    ("wanted", "status", "part"),
    [
        ("bytes=0-4", 206, slice(0, 5)),
        ("bytes=6-", 206, slice(6, None)),
        ("bytes=-5", 206, slice(-5, None)),
        ("bytes=-500", 206, slice(0, None)),
        ("bytes=0-0", 206, slice(0, 1)),
        ("bytes=5-500", 206, slice(5, None)),
        ("bytes=19-", 416, None),
        ("bytes=-0", 416, None),
        ("bytes=999999999999999999999-", 200, slice(0, None)),
        ("bytes=5-4", 200, slice(0, None)),
        ("bytes=-", 200, slice(0, None)),
        ("bytes=0-1,3-4", 200, slice(0, None)),
        ("bytes=a-b", 200, slice(0, None)),
        ("lines=0-4", 200, slice(0, None)),
    ],
)
def test_a_part_of_a_file(server: Server, wanted: str, status: int, part: slice | None) -> None:
    answer = server.connect().get("/hello.txt", f"Range: {wanted}")
    assert answer.status == status
    if part is None:
        assert answer.headers["content-range"] == f"bytes */{len(HELLO)}"
        return
    assert answer.body == HELLO[part]
    if status == 206:
        first = len(HELLO[: part.start]) if part.start >= 0 else len(HELLO) + part.start
        assert answer.headers["content-range"] == f"bytes {first}-{first + len(answer.body) - 1}/{len(HELLO)}"


def test_a_part_of_what_has_changed_since_is_sent_whole(server: Server) -> None:
    connection = server.connect()
    assert connection.get("/hello.txt", "Range: bytes=0-1", f"If-Range: {DATE}").status == 206
    for other in ("Sun, 09 Sep 2001 01:46:41 GMT", '"a tag"'):
        assert connection.get("/hello.txt", "Range: bytes=0-1", f"If-Range: {other}").body == HELLO


def test_a_large_part_from_the_middle(server: Server, files: Path) -> None:
    data = (files / "large/file-0001.bin").read_bytes()
    answer = server.connect().get("/large/file-0001.bin", "Range: bytes=1000001-2000000")
    assert answer.body == data[1000001:2000001]


def test_head_tells_of_a_file_without_sending_it(server: Server) -> None:
    connection = server.connect()
    for target, size in (("/large/file-0000.bin", 3_000_000), ("/empty.txt", 0), ("/hello.txt", len(HELLO))):
        connection.send(request(target, "Range: bytes=0-0", method="HEAD"))
        answer = connection.answer(head=True)
        assert (answer.status, answer.headers["content-length"]) == (200, str(size))
    assert connection.get("/empty.txt").body == b""
    assert connection.get("/hello.txt").body == HELLO


def test_a_directory_is_listed(server: Server, files: Path) -> None:
    text = server.get("/").body.decode()
    names = re.findall(r'<a href="\./([^"]*)">([^<]*)</a>', text)
    assert [name for _, name in names][:3] == ["d0/", "d1/", "d2/"]
    assert ("with%20space%20%26%20%3Csign%3E.txt", "with space &amp; &lt;sign&gt;.txt") in names
    listed = {name for _, name in names}
    assert "hello.txt" in listed
    assert listed & {".hidden", "pipe", "loop"} == set()
    for href, _ in names:
        assert server.get(f"/{href}").status in (200, 403)
    assert '<a href="../">' not in text
    assert '<a href="../">' in server.get("/void/").body.decode()
    assert (files / "void").is_dir()


def test_a_directory_without_a_slash_is_redirected_and_its_index_is_shown(server: Server) -> None:
    answer = server.get("/site")
    assert (answer.status, answer.headers["location"]) == (301, "/site/")
    assert server.get("/site/").body == b"<h1>index</h1>\n"


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/nothing", 404),
        ("/hello.txt/", 404),
        ("/hello.txt/more", 404),
        ("/" + "a" * 300, 404),
        ("/.hidden", 404),
        ("/%2ehidden", 404),
        ("/d0/../.hidden", 404),
        ("/..", 400),
        ("/../outside.txt", 400),
        ("/%2e%2e/outside.txt", 400),
        ("/d0/../../outside.txt", 400),
        ("/d0/%2e%2e%2f%2e%2e/outside.txt", 400),
        ("/escape.txt", 403),
        ("/escapes/outside.txt", 403),
        ("/escapes/", 403),
        ("/loop", 403),
        ("/pipe", 403),
        ("/a%00b", 400),
        ("/a%4", 400),
        ("/a%zz", 400),
        ("/inside.txt", 200),
        ("/./d0/..//hello.txt", 200),
        ("/d0/../hello.txt?query", 200),
        ("/with%20space%20%26%20%3csign%3e.txt", 200),
    ],
)
def test_a_target_never_leads_out_of_the_root(server: Server, target: str, status: int) -> None:
    connection = server.connect()
    answer = connection.get(target)
    assert answer.status == status
    assert b"outside\n" not in answer.body
    assert connection.get("/hello.txt").body == HELLO


def test_a_changed_file_is_sent_as_it_is_now(server: Server, files: Path) -> None:
    path = files / "d0/changing.txt"
    for text in (b"first", b"other", b"and longer", b"f"):
        path.write_bytes(text)
        assert server.get("/d0/changing.txt").body == text
    path.unlink()
    assert server.get("/d0/changing.txt").status == 404


def test_a_file_that_shrinks_while_it_is_sent_harms_nobody_else(server: Server, files: Path) -> None:
    path = files / "large/shrinking.bin"
    path.write_bytes(bytes(20_000_000))
    slow = server.connect(receive_buffer=4096)
    slow.send(request("/large/shrinking.bin"))
    assert slow.socket.recv(1000)
    os.truncate(path, 10)
    slow.socket.settimeout(5)
    while slow.socket.recv(1 << 20):
        pass
    assert server.get("/hello.txt").body == HELLO
    path.unlink()


def test_maps_are_shared_and_given_back(start: StartServer) -> None:
    with start("-c", "1", "-s", "1") as server:  # less than one large file: each that is not in use goes at once
        server.silent = False
        for index in range(10):
            assert len(server.get(f"/large/file-000{index % 2}.bin").body) == 3_000_000
        assert server.process.stderr is not None
        maps = mapped = found = 0
        while mapped + found < 10:
            figures = re.search(r"(\d+) maps .*, (\d+) mapped, (\d+) found", server.process.stderr.readline())
            assert figures is not None
            maps, mapped, found = map(int, figures.groups())
        assert mapped + found == 10
        assert maps <= 2 < mapped


def test_the_same_seed_makes_the_same_files(tmp_path: Path) -> None:
    made = [
        make_files.make(tmp_path / name, make_files.Tree(6, 1, 5000, seed))
        for name, seed in (("a", 1), ("b", 1), ("c", 2))
    ]
    a, b, c = ([path.read_bytes() for path in sorted((tmp_path / f).rglob("*.*"))] for f in "abc")
    assert a == b != c
    assert made[0] == made[1]


def test_the_list_of_urls_names_every_file_and_folder(tmp_path: Path) -> None:
    mix = tmp_path / "mix.txt"
    command = ["--small", "2", "--large", "1", "--large-bytes", "10", "--mix", str(mix)]
    assert make_files.main([str(tmp_path / "f"), *command]) == 0
    assert mix.read_text().splitlines() == [
        "4 /d0/file-0000.html",
        "4 /d1/file-0001.txt",
        "1 /large/file-0000.bin",
        "1 /d0/",
        "1 /d1/",
        "1 /large/",
    ]
