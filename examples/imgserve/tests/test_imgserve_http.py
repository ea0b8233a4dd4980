"""What the server makes of requests: proper ones, wrong ones, and bytes that are none."""

from __future__ import annotations

import contextlib
import random
import socket

import pytest
from imgserve_process import Connection, Imgserve, request

HELLO = b"Hello from imgserve.\n"


def test_a_connection_serves_many_requests(server: Imgserve) -> None:
    connection = server.connect()
    for _ in range(50):
        answer = connection.get("/hello")
        assert (answer.status, answer.body) == (200, HELLO)
    assert server.stats()["accepted"] == 2


def test_the_client_decides_when_a_connection_ends(server: Imgserve) -> None:
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


def test_head_answers_without_the_body(server: Imgserve) -> None:
    connection = server.connect()
    connection.send(request("/hello", method="HEAD") + request("/nothing", method="HEAD") + request("/hello"))
    first = connection.answer(head=True)
    assert (first.status, first.headers["content-length"]) == (200, str(len(HELLO)))
    assert connection.answer(head=True).status == 404
    assert connection.answer().body == HELLO


def test_requests_may_arrive_byte_by_byte(server: Imgserve) -> None:
    connection = server.connect()
    connection.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    for byte in request("/hello") + request("/stats"):
        connection.send(bytes([byte]))
    assert connection.answer().body == HELLO
    assert b"requests 1\n" in connection.answer().body


def test_pipelined_requests_are_answered_in_order(server: Imgserve) -> None:
    connection = server.connect()
    targets = ["/hello", "/thumb/picture-0001.jpg?w=64", "/nothing", "/thumb/picture-0002.jpg?w=64"] * 20
    connection.send(b"".join(request(target) for target in targets))
    answers = [connection.answer() for _ in targets]
    assert [answer.status for answer in answers] == [200, 200, 404, 200] * 20
    assert answers[1].body == answers[5].body != answers[3].body == answers[7].body


def test_lines_may_end_without_carriage_return_and_start_after_empty_ones(server: Imgserve) -> None:
    connection = server.connect()
    connection.send(b"\r\n\n" + request("/hello").replace(b"\r\n", b"\n"))
    assert connection.answer().body == HELLO


@pytest.mark.parametrize(
    ("data", "status"),
    [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n", 400),
        (b"GET\r\n\r\n", 400),
        (b"GET /hello\r\n\r\n", 400),
        (b"GET hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"get /hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET  /hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET /hel\x00lo HTTP/1.1\r\nHost: x\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost : x\r\n\r\n", 400),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\n folded: x\r\n\r\n", 400),
        (b"GET /hello HTTP/11\r\nHost: x\r\n\r\n", 400),
        (b"GET /hello HTTP/2.0\r\nHost: x\r\n\r\n", 505),
        (b"POST /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", 405),
        (b"DELETE /hello HTTP/1.1\r\nHost: x\r\n\r\n", 405),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", 413),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413),
        (b"GET /" + b"a" * 1100 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
        (b"GET /" + b"a" * 20000, 414),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 9000, 431),
        (b"GET /hello HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 3000 + b"\r\n", 431),
    ],
)
def test_a_wrong_request_is_refused_and_the_connection_ends(server: Imgserve, data: bytes, status: int) -> None:
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
def test_targets_are_checked_and_the_connection_goes_on(server: Imgserve, target: str, status: int) -> None:
    connection = server.connect()
    assert connection.get(target).status == status
    assert connection.get("/hello").status == 200


def test_a_refusal_reaches_a_client_that_is_still_sending(server: Imgserve) -> None:
    connection = server.connect()
    connection.send(b"POST /upload HTTP/1.1\r\nHost: x\r\nContent-Length: 1000000\r\n\r\n")
    with contextlib.suppress(ConnectionError):
        connection.send(b"x" * 1_000_000)
    assert connection.answer().status == 405


def mutated(source: random.Random) -> bytes:
    """Something between a proper request and noise."""
    parts = [
        b"GET",
        b"HEAD",
        b" ",
        b"/thumb/",
        b"/hello",
        b"%2e",
        b"?w=",
        b"160",
        b" HTTP/1.1",
        b"\r\n",
        b"\n",
        b"Host: x",
    ]
    parts += [
        b": ",
        b"Connection: close",
        b"Content-Length: ",
        b"\0",
        b"\xff",
        b"a" * 1500,
        b"\r\n\r\n",
        request("/hello"),
    ]
    data = bytearray(b"".join(source.choice(parts) for _ in range(source.randrange(1, 30))))
    for _ in range(source.randrange(4)):
        data[source.randrange(len(data))] = source.randrange(256)
    return bytes(data)


def test_noise_never_stops_the_server(server: Imgserve) -> None:
    source = random.Random(1)
    open_connections: list[Connection] = []
    for _ in range(400):
        connection = server.connect()
        with contextlib.suppress(ConnectionError):
            connection.send(mutated(source))
        open_connections.append(connection)
        if len(open_connections) > 20:
            open_connections.pop(source.randrange(20)).close()
    for connection in open_connections:
        connection.close()
    assert server.get("/hello").body == HELLO
