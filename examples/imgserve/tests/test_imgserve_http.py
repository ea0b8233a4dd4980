"""What the server makes of requests: proper ones, wrong ones, and bytes that are none."""

from __future__ import annotations

import contextlib
import socket

import pytest
from imgserve_stats import stats

from testing.servers.http_mistakes import send_noise, wrong_requests
from testing.servers.server_process import Server, request

HELLO = b"Hello from imgserve.\n"


def test_a_connection_serves_many_requests(server: Server) -> None:
    connection = server.connect()
    for _ in range(50):
        answer = connection.get("/hello")
        assert (answer.status, answer.body) == (200, HELLO)
    assert stats(server)["accepted"] == 2


def test_the_client_decides_when_a_connection_ends(server: Server) -> None:
    for data in (
        request("/hello", "Connection: close"),
        request("/hello", "Connection: foo, Close"),
        request("/hello", version="HTTP/1.0"),
    ):
        connection = server.connect()
        connection.send(data)
        assert connection.answer().headers["connection"] == "close"
        assert connection.ended()
    connection = server.connect()
    connection.send(request("/hello", "Connection: keep-alive", version="HTTP/1.0") * 2)
    assert [connection.answer().status for _ in range(2)] == [200, 200]


def test_head_answers_without_the_body(server: Server) -> None:
    connection = server.connect()
    connection.send(request("/hello", method="HEAD") + request("/nothing", method="HEAD") + request("/hello"))
    first = connection.answer(head=True)
    assert (first.status, first.headers["content-length"]) == (200, str(len(HELLO)))
    assert connection.answer(head=True).status == 404
    assert connection.answer().body == HELLO


def test_requests_may_arrive_byte_by_byte(server: Server) -> None:
    connection = server.connect()
    connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in request("/hello") + request("/stats"):
        connection.send(bytes([byte]))
    assert connection.answer().body == HELLO
    assert b"requests 1\n" in connection.answer().body


def test_pipelined_requests_are_answered_in_order(server: Server) -> None:
    connection = server.connect()
    targets = ["/hello", "/thumb/picture-0001.jpg?w=64", "/nothing", "/thumb/picture-0002.jpg?w=64"] * 20
    connection.send(b"".join(request(target) for target in targets))
    answers = [connection.answer() for _ in targets]
    assert [answer.status for answer in answers] == [200, 200, 404, 200] * 20
    assert answers[1].body == answers[5].body != answers[3].body == answers[7].body


def test_lines_may_end_without_carriage_return_and_start_after_empty_ones(server: Server) -> None:
    connection = server.connect()
    connection.send(b"\r\n\n" + request("/hello").replace(b"\r\n", b"\n"))
    assert connection.answer().body == HELLO


@pytest.mark.parametrize(("data", "status"), wrong_requests("/hello"))
def test_a_wrong_request_is_refused_and_the_connection_ends(server: Server, data: bytes, status: int) -> None:
    connection = server.connect()
    connection.send(data)
    answer = connection.answer()
    assert answer.status == status
    assert answer.body.startswith(str(status).encode())
    assert connection.ended()
    assert server.get("/hello").status == 200


@pytest.mark.parametrize(
    ("target", "status"),
    [
        ("/", 404),
        ("/hello/", 404),
        ("/helloo", 404),
        ("/thumb/", 404),
        ("/thumb/?w=10", 404),
        ("/thumb/..", 404),
        ("/thumb/.hidden.jpg", 404),
        ("/thumb/../../../etc/passwd", 400),
        ("/thumb/%2e%2e%2fpasswd", 400),
        ("/thumb/a%00.jpg", 400),
        ("/thumb/a%0a.jpg", 400),
        ("/thumb/a%4", 400),
        ("/thumb/a%zz", 400),
        ("/thumb/" + "a" * 500, 404),
        ("/thumb/picture-0000.jpg?w=", 400),
        ("/thumb/picture-0000.jpg?w=7", 400),
        ("/thumb/picture-0000.jpg?w=-160", 400),
        ("/thumb/picture-0000.jpg?w=16x", 400),
        ("/thumb/picture-0000.jpg?w=99999999999999999999", 400),
        ("/thumb/picture-0000.jpg?v=3&w=8", 200),
        ("/thumb/picture-0000.jpg?", 200),
        ("/thumb/with%20space.jpg", 200),
        ("/hello?x=y", 200),
    ],
)
def test_targets_are_checked_and_the_connection_goes_on(server: Server, target: str, status: int) -> None:
    connection = server.connect()
    assert connection.get(target).status == status
    assert connection.get("/hello").status == 200


def test_a_refusal_reaches_a_client_that_is_still_sending(server: Server) -> None:
    connection = server.connect()
    connection.send(b"POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
    with contextlib.suppress(ConnectionError):
        connection.send(b"x" * 1_000_000)
    assert connection.answer().status == 405


def test_noise_never_stops_the_server(server: Server) -> None:
    send_noise(server, [b"/thumb/", b"/hello", b"?w="])
    assert server.get("/hello").body == HELLO
