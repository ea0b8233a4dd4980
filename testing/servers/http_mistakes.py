"""Requests that are wrong, each with the status that it must be refused with, and bytes that are no requests at all."""

from __future__ import annotations

import contextlib
import random
from collections.abc import Sequence

from testing.servers.server_process import Connection, Server, request

_WRONG = (
    (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n\n", 400),
    (b"GET\r\n\r\n", 400),
    (b"GET TARGET\r\n\r\n", 400),
    (b"GET hello HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    (b"get TARGET HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    (b"GET  TARGET HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    (b"GET /hel\x00lo HTTP/1.1\r\nHost: x\r\n\r\n", 400),
    (b"GET TARGET HTTP/1.1\r\n\r\n", 400),
    (b"GET TARGET HTTP/1.1\r\nHost: x\r\nHost: y\r\n\r\n", 400),
    (b"GET TARGET HTTP/1.1\r\nHost: x\r\nno colon\r\n\r\n", 400),
    (b"GET TARGET HTTP/1.1\r\nHost : x\r\n\r\n", 400),
    (b"GET TARGET HTTP/1.1\r\nHost: x\r\n folded: x\r\n\r\n", 400),
    (b"GET TARGET HTTP/11\r\nHost: x\r\n\r\n", 400),
    (b"GET TARGET HTTP/2.0\r\nHost: x\r\n\r\n", 505),
    (b"POST TARGET HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", 405),
    (b"DELETE TARGET HTTP/1.1\r\nHost: x\r\n\r\n", 405),
    (b"GET TARGET HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\n\r\nabc", 413),
    (b"GET TARGET HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n", 413),
    (b"GET /" + b"a" * 2100 + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414),
    (b"GET /" + b"a" * 20000, 414),
    (b"GET TARGET HTTP/1.1\r\nHost: x\r\nX: " + b"a" * 9000, 431),
    (b"GET TARGET HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 3000 + b"\r\n", 431),
)


def wrong_requests(target: str) -> list[tuple[bytes, int]]:
    """With the status of each; `target` is one that the server has."""
    return [(data.replace(b"TARGET", target.encode()), status) for data, status in _WRONG]


def noise(source: random.Random, targets: Sequence[bytes]) -> bytes:
    """Something between a proper request and noise."""
    parts = [b"GET", b"HEAD", b" ", *targets, b"%2e", b"160", b" HTTP/1.1", b"\r\n", b"\n", b"Host: x", b": "]
    parts += [b"Connection: close", b"Content-Length: ", b"Range: bytes=", b"\0", b"\xff", b"a" * 1500, b"\r\n\r\n"]
    parts.append(request(targets[0].decode()))
    data = bytearray(b"".join(source.choice(parts) for _ in range(source.randrange(1, 30))))
    for _ in range(source.randrange(4)):
        data[source.randrange(len(data))] = source.randrange(256)
    return bytes(data)


def send_noise(server: Server, targets: Sequence[bytes]) -> None:
    """Connections that come and go, each with its noise."""
    source = random.Random(1)
    open_connections: list[Connection] = []
    for _ in range(400):
        connection = server.connect()
        with contextlib.suppress(ConnectionError):
            connection.send(noise(source, targets))
        open_connections.append(connection)
        if len(open_connections) > 20:
            open_connections.pop(source.randrange(20)).close()
    for connection in open_connections:
        connection.close()
