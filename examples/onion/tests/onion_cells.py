"""Cells as bytes, for clients and relays that do not keep to the rules; cell.h has the layout."""

from __future__ import annotations

import contextlib
import socket
import struct
import threading
from collections.abc import Iterator

SIZE = 1024
GET_KEY, KEY, CREATE, CREATED, RELAY, DESTROY = range(1, 7)
SKIN = bytes(512)


def cell(circuit: int, command: int, payload: bytes = b"", size: int | None = None) -> bytes:
    head = struct.pack(">IBxH", circuit, command, len(payload) if size is None else size)
    return (head + payload).ljust(SIZE, b"\0")


def receive(peer: socket.socket) -> tuple[int, int, bytes]:
    """Circuit, command and payload of the next cell."""
    data = b""
    while len(data) < SIZE:
        part = peer.recv(SIZE - len(data))
        if not part:
            raise ConnectionError(f"closed after {len(data)} bytes of a cell")
        data += part
    circuit, command, size = struct.unpack_from(">IBxH", data)
    return circuit, command, data[8 : 8 + size]


@contextlib.contextmanager
def relay_that_hangs_up(key: bytes) -> Iterator[int]:
    """The port of something that says it has this key, and closes as soon as it is asked for more."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def serve() -> None:
            with contextlib.suppress(OSError):
                while True:
                    peer, _ = listening.accept()
                    with peer, contextlib.suppress(ConnectionError):
                        if receive(peer)[1] == GET_KEY:
                            peer.sendall(cell(0, KEY, key))

        thread = threading.Thread(target=serve)
        thread.start()
        try:
            yield listening.getsockname()[1]
        finally:
            listening.shutdown(socket.SHUT_RDWR)
            thread.join()
