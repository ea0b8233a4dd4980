"""The page is this machine's, and of who knows its key; other sites get nothing and change nothing."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from workbench import PROGRAM, SECONDS, Page, imported, opened

FILES: dict[str, str | bytes] = {"a.c": "int f(void) { return 1; }\nint g(void) { return f(); }\n"}


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    _, store = imported(tmp_path, FILES)
    with opened(store) as (_, page):
        yield page


def edit_of(page: Page) -> str:
    change = {"new": "Note", "set": {"on": page.one("Function", name="f")["id"], "text": "seen"}}
    return json.dumps({"seen": page.commit, "changes": [change]})


def asked(page: Page, **headers: str) -> int:
    headers = {"Content_Type": "application/json", "Origin": f"http://{page.host}", **headers}
    return page.ask("POST", "/edit", edit_of(page), **{name: value for name, value in headers.items() if value}).status


def test_the_page_itself_may(page: Page) -> None:
    assert asked(page) == 200
    assert asked(page, Sec_Fetch_Site="same-origin") == 200
    local = f"localhost:{page.port}"
    assert asked(page, Host=local, Origin=f"http://{local}") == 200


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "http://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Origin": "http://127.0.0.1:1"}, 403),
        ({"Origin": "https://{host}"}, 403),
        ({"Host": "evil.example:{port}", "Origin": "http://evil.example:{port}"}, 403),
        ({"Host": "127.0.0.1"}, 403),
        ({"Host": ""}, 403),
        ({"Sec_Fetch_Site": "cross-site"}, 403),
        ({"Sec_Fetch_Site": "same-site"}, 403),
        ({"Content_Type": "text/plain"}, 415),
        ({"Content_Type": ""}, 415),
    ],
)
def test_another_site_changes_nothing(page: Page, headers: dict[str, str], status: int) -> None:
    before = dict(page.objects)
    filled = {name: value.format(host=page.host, port=page.port) for name, value in headers.items()}
    if filled.get("Host") == "":
        connection = http.client.HTTPConnection("127.0.0.1", page.port, timeout=SECONDS)
        connection.putrequest("POST", "/edit", skip_host=True)
        body = edit_of(page).encode()
        for name, value in (("Cookie", page.cookie), ("Content-Length", str(len(body)))):
            connection.putheader(name, value)
        connection.endheaders(body)
        assert connection.getresponse().status in (400, 403)
    else:
        assert asked(page, **filled) == status
    assert page.objects == before


@pytest.mark.parametrize("path", ["/", "/page.js", "/events", "/edit", "/?key=0000"])
def test_without_the_key_nothing_is_said(page: Page, path: str) -> None:
    for cookie in ("", f"workbench-{page.port}=", f"workbench-{page.port}=" + "0" * 32, "a=b; c"):
        assert page.ask("GET", path, cookie=cookie or "x=y").status == 403
        headers = {"Content_Type": "application/json", "Origin": f"http://{page.host}"}
        assert page.ask("POST", path, edit_of(page), cookie=cookie or "x=y", **headers).status == 403


def test_the_cookie_is_the_page_s_alone(page: Page) -> None:
    entry = page.ask("GET", f"/?key={page.cookie.partition('=')[2]}", cookie="")
    assert "HttpOnly" in entry.headers["Set-Cookie"]
    assert "SameSite=Strict" in entry.headers["Set-Cookie"]
    assert entry.headers["Location"] == "/"


def test_what_is_served_runs_no_script_but_its_own(page: Page) -> None:
    for path in ("/", "/page.js", "/page.css", "/nothing"):
        response = page.ask("GET", path)
        assert response.status == (404 if path == "/nothing" else 200)
        policy = response.headers["Content-Security-Policy"]
        assert "default-src 'none'; script-src 'self'; " in policy
        assert "unsafe" not in policy
        assert response.headers["X-Content-Type-Options"] == "nosniff"
    assert page.ask("GET", "/../main.cpp").status == 404
    assert page.ask("GET", "/%2e%2e/main.cpp").status == 404


def test_it_listens_to_this_machine_only(page: Page) -> None:
    listening = subprocess.run(["ss", "-Hltn", f"sport = :{page.port}"], capture_output=True, text=True, check=True)
    assert [line.split()[3] for line in listening.stdout.splitlines()] == [f"127.0.0.1:{page.port}"]


BAD = [
    "",
    "{",
    "[]",
    "{}",
    '{"seen": 1}',
    '{"seen": 1, "changes": {}}',
    '{"seen": -1, "changes": []}',
    '{"changes": []}',
    '{"seen": 99, "changes": [1]}',
    '{"seen": 99, "changes": [{}]}',
    '{"seen": 99, "changes": [{"id": "1", "set": {}}]}',
    '{"seen": 99, "changes": [{"id": 999999, "set": {}}]}',
    '{"seen": 99, "changes": [{"id": 18446744069414584321, "set": {}}]}',
    '{"seen": 99, "changes": [{"new": "Secret", "set": {}}]}',
    '{"seen": 99, "changes": [{"new": "Note", "set": {"text": 7}}]}',
    '{"seen": 99, "changes": [{"new": "Note", "set": {"on": -1}}]}',
    '{"seen": 99, "changes": [{"erase": null}]}',
    '{"seen": 99, "changes": [{"id": 2, "set": {"place": 1e999}}]}',
    "[" * 100_000,
    b'{"seen": 99, "changes": [{"id": 2, "set": {"name": "\xff"}}]}',
]


@pytest.mark.parametrize("number", range(len(BAD)))
def test_what_is_no_edit_is_told_and_nothing_else_happens(page: Page, number: int) -> None:
    before = dict(page.objects)
    headers = {"Content_Type": "application/json", "Origin": f"http://{page.host}"}
    response = page.ask("POST", "/edit", BAD[number], **headers)
    assert response.status in (400, 409)
    assert json.loads(response.body)["refused"]  # type: ignore[attr-defined]
    assert page.objects == before
    assert asked(page) == 200


def test_too_large_an_edit_is_not_read(page: Page) -> None:
    headers = {"Content_Type": "application/json", "Origin": f"http://{page.host}"}
    try:
        status = page.ask("POST", "/edit", "x" * (9 << 20), **headers).status
    except OSError:  # closed before all was sent
        status = 413
    assert status == 413
    assert asked(page) == 200


def test_pages_that_go_away_are_forgotten(page: Page) -> None:
    for way in range(30):
        with socket.create_connection(("127.0.0.1", page.port)) as gone:
            request = f"GET /events HTTP/1.1\r\nHost: {page.host}\r\nCookie: {page.cookie}\r\n\r\n"
            if way % 3 == 1:
                body = edit_of(page)
                request = (
                    f"POST /edit HTTP/1.1\r\nHost: {page.host}\r\nCookie: {page.cookie}\r\n"
                    f"Origin: http://{page.host}\r\nContent-Type: application/json\r\n"
                    f"Content-Length: {len(body)}\r\n\r\n{body}"
                )
            gone.sendall(request.encode() if way % 3 != 2 else request.encode()[:20])
            if way % 3 != 2 and way % 2:
                gone.recv(10)
            # Reset instead of closed.
            gone.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
        assert asked(page) == 200


def test_an_editor_waits_for_its_workshop_and_finds_the_next(tmp_path: Path) -> None:
    _, store = imported(tmp_path, FILES)

    def start(*words: str | Path) -> subprocess.Popen[str]:
        return subprocess.Popen([PROGRAM, *words], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)

    editor = start("editor", store)
    workshop = start("workshop", store)
    try:
        assert editor.stdout
        page = Page(editor.stdout.readline().split()[-1])
        assert asked(page) == 200
        workshop.send_signal(signal.SIGKILL)
        workshop.wait()
        page.until(lambda: page.away != "")
        assert asked(page) == 503
        before, page.commit = dict(page.objects), 0
        workshop = start("workshop", store)
        page.until(lambda: page.commit != 0)
        assert page.objects == before
        assert asked(page) == 200
        page.close()
    finally:
        for process in (editor, workshop):
            process.send_signal(signal.SIGTERM)
            assert process.wait(SECONDS) == 0


def test_processes_end_together(tmp_path: Path) -> None:
    _, store = imported(tmp_path, FILES)
    process = subprocess.Popen([PROGRAM, "serve", store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    children = Path(f"/proc/{process.pid}/task/{process.pid}/children")
    assert "begun" in process.stderr.readline()
    editor = next(
        int(pid) for pid in children.read_text().split() if b"workbench" in Path(f"/proc/{pid}/comm").read_bytes()
    )
    os.kill(editor, signal.SIGKILL)
    assert process.wait(SECONDS) == 1
    assert process.stderr.read() == "workbench: the Editor has ended\n"
    process = subprocess.Popen([PROGRAM, "serve", store], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout
    assert process.stderr
    process.stdout.readline()
    assert "begun" in process.stderr.readline()
    editor = next(
        int(pid)
        for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()
        if b"workbench" in Path(f"/proc/{pid}/comm").read_bytes()
    )
    process.kill()
    process.wait()
    deadline = time.monotonic() + SECONDS
    while Path(f"/proc/{editor}/exe").exists() and Path(f"/proc/{editor}/stat").read_text().split()[2] != "Z":
        assert time.monotonic() < deadline, "the Editor has stayed"
        time.sleep(0.02)
