"""What the server makes of requests: proper ones, wrong ones, and bytes that are none."""

from __future__ import annotations

import contextlib
import socket

import pytest
from hello_file import HELLO

from testing.servers.http_mistakes import send_noise, wrong_requests
from testing.servers.server_process import Server, request


def test_a_connection_goes_on_until_the_client_ends_it(server: Server) -> None:
    connection = server.connect()
    for _ in range(30):
        assert connection.get("/hello.txt").body == HELLO
        assert connection.get("/nothing").status == 404
    assert connection.get("/hello.txt", "Connection: Close").headers["connection"] == "close"
    assert connection.ended()


def test_old_clients_have_to_ask_for_more_than_one_answer(server: Server) -> None:
    once = server.connect()
    once.send(request("/hello.txt", version="HTTP/1.0"))
    assert once.answer().headers["connection"] == "close"
    assert once.ended()
    more = server.connect()
    more.send(request("/hello.txt", "Connection: x, keep-alive", version="HTTP/1.0") * 3)
    assert [more.answer().body for _ in range(3)] == [HELLO] * 3


def test_requests_may_arrive_byte_by_byte_or_all_at_once(server: Server) -> None:
    connection = server.connect()
    connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in b"\r\n\n" + request("/hello.txt") + request("/d0").replace(b"\r\n", b"\n"):
        connection.send(bytes([byte]))
    assert connection.answer().body == HELLO
    assert connection.answer().status == 301
    targets = ["/hello.txt", "/nothing", "/d0/", "/empty.txt"] * 40
    connection.send(b"".join(request(target) for target in targets))
    assert [connection.answer().status for _ in targets] == [200, 404, 200, 200] * 40


@pytest.mark.parametrize(("data", "status"), [*wrong_requests("/hello.txt"), (b'GET /"x" HTTP/1.1\nHost: x\n\n', 400)])
def test_what_is_wrong_is_refused_and_the_connection_ends(server: Server, data: bytes, status: int) -> None:
    connection = server.connect()
    connection.send(data)
    answer = connection.answer()
    assert answer.status == status
    assert f"<h1>{status} ".encode() in answer.body
    assert (answer.headers.get("allow") == "GET, HEAD") == (status == 405)
    assert connection.ended()
    assert server.get("/hello.txt").body == HELLO


def test_a_refusal_reaches_a_client_that_goes_on_sending(server: Server) -> None:
    connection = server.connect()
    connection.send(b"PUT /new.txt HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
    with contextlib.suppress(ConnectionError):
        for _ in range(10):
            connection.send(b"x" * 100_000)
    assert connection.answer().status == 405


def test_noise_never_stops_the_server(server: Server) -> None:
    send_noise(server, [b"/hello.txt", b"/d0/", b"/../", b"?", b"-"])
    assert server.get("/hello.txt").body == HELLO
