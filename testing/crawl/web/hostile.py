"""Servers that break the rules, by mistake or on purpose. Each is a function that writes to the connection."""

from __future__ import annotations

import asyncio
import gzip
import socket
import struct
import zlib

from testing.crawl.web.server import Hostile, Writer

OK = b"HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n"
FOREVER_S = 3600.0


def says(data: bytes) -> Hostile:
    """These bytes, then the end of the connection."""

    async def act(writer: Writer) -> None:
        writer.write(data)
        await writer.drain()

    return act


def says_and_waits(data: bytes) -> Hostile:
    """These bytes, and then nothing more, on an open connection."""

    async def act(writer: Writer) -> None:
        writer.write(data)
        await writer.drain()
        await asyncio.sleep(FOREVER_S)

    return act


def repeats(start: bytes, again: bytes, pause_s: float = 0.0) -> Hostile:
    """`start`, then `again` without end."""

    async def act(writer: Writer) -> None:
        writer.write(start)
        while True:
            writer.write(again)
            await writer.drain()
            await asyncio.sleep(pause_s)

    return act


def resets(data: bytes) -> Hostile:
    """These bytes, then a TCP reset."""

    async def act(writer: Writer) -> None:
        writer.write(data)
        await writer.drain()
        await asyncio.sleep(0.05)  # so that the bytes arrive before the reset, which may overtake them
        connection = writer.get_extra_info("socket")
        connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        writer.transport.abort()

    return act


def with_body(body: bytes, *headers: str) -> bytes:
    lines = b"".join(header.encode() + b"\r\n" for header in headers)
    return OK + lines + b"\r\n" + body


silent = says_and_waits(b"")
closes_at_once = says(b"")
endless_headers = repeats(OK, b"X-More: " + b"y" * 1000 + b"\r\n")
one_endless_header = repeats(OK + b"X-More: ", b"y" * 1000)
endless_status_line = repeats(b"HTTP/1.1 200 ", b"O" * 1000)
endless_body = repeats(OK + b"\r\n", b"<p>more</p>" * 1000)
endless_chunks = repeats(OK + b"Transfer-Encoding: chunked\r\n\r\n", b"3e8\r\n" + b"x" * 1000 + b"\r\n")
endless_chunk_extension = repeats(OK + b"Transfer-Encoding: chunked\r\n\r\n1;", b"x" * 1000)
endless_trailers = repeats(
    OK + b"Transfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n", b"X-More: " + b"y" * 100 + b"\r\n"
)
endless_informational = repeats(b"", b"HTTP/1.1 103 Early Hints\r\nLink: </x>; rel=preload\r\n\r\n")
slow_headers = repeats(OK, b"X-More: y\r\n", 0.2)
slow_body = repeats(with_body(b"", "Content-Length: 1000000"), b"x", 0.2)
short_body = says(with_body(b"<p>cut", "Content-Length: 1000"))
long_body = says(with_body(b"<p>as said</p>and what was not said" + OK, "Content-Length: 14"))
reset_in_the_body = resets(with_body(b"<p>cut", "Content-Length: 1000"))
reset_before_the_head = resets(b"")
reset_in_the_head = resets(OK)
chunks_cut_off = says(with_body(b"5\r\nhello\r\n", "Transfer-Encoding: chunked"))

BROKEN = {
    "no HTTP at all": says(b"SSH-2.0-OpenSSH_9.2p1 Debian-2\r\n\r\n"),
    "an unknown version": says(b"HTTP/7.3 200 OK\r\nContent-Length: 0\r\n\r\n"),
    "no status": says(b"HTTP/1.1 OK\r\nContent-Length: 0\r\n\r\n"),
    "a status that is no number": says(b"HTTP/1.1 abc OK\r\nContent-Length: 0\r\n\r\n"),
    "a chunk size that is no number": says(with_body(b"xyz\r\nhello\r\n0\r\n\r\n", "Transfer-Encoding: chunked")),
    "a chunk size too large for any number": says(
        with_body(b"f" * 40 + b"\r\nhello\r\n0\r\n\r\n", "Transfer-Encoding: chunked")
    ),
    "a negative chunk size": says(with_body(b"-5\r\nhello\r\n0\r\n\r\n", "Transfer-Encoding: chunked")),
    "a chunk without its end": says(with_body(b"5\r\nhelloworld\r\n0\r\n\r\n", "Transfer-Encoding: chunked")),
    "two lengths that differ": says(with_body(b"hello", "Content-Length: 5", "Content-Length: 3")),
    "a length that is no number": says(with_body(b"hello", "Content-Length: five")),
    "a negative length": says(with_body(b"hello", "Content-Length: -5")),
    "a length too large for any number": says(with_body(b"hello", "Content-Length: 99999999999999999999999999")),
    "a header without a colon": says(with_body(b"hello", "Content-Length: 5", "nonsense")),
}
# What a client may read or refuse (RFC 9110, section 5.5; RFC 9112, sections 2.2 and 5.1).
DOUBTFUL = {
    "a header name with a blank": says(with_body(b"hello", "Content-Length : 5")),
    "a zero byte in a header": says(with_body(b"hello", "X: \0", "Content-Length: 5")),
    "a header over two lines": says(with_body(b"hello", "X: a\r\n b", "Content-Length: 5")),
    "line ends without carriage return": says(b"HTTP/1.1 200 OK\nContent-Length: 5\n\nhello"),
    "a carriage return alone": says(with_body(b"hello", "X: a\rContent-Length: 3", "Content-Length: 5")),
    "an empty line first": says(b"\r\n" + with_body(b"hello", "Content-Length: 5")),
    "a length and chunks": says(
        with_body(b"5\r\nhello\r\n0\r\n\r\n", "Content-Length: 3", "Transfer-Encoding: chunked")
    ),
    "chunked, not last": says(with_body(b"5\r\nhello\r\n0\r\n\r\n", "Transfer-Encoding: chunked, gzip")),
    "an unknown transfer coding": says(with_body(b"hello", "Transfer-Encoding: x")),
}


def gzip_bomb(size: int) -> bytes:
    """`size` blanks, about a thousandth as long: one packed piece, which stands there again and again."""
    piece = b" " * (1 << 20)
    packer = zlib.compressobj(9, wbits=-15)
    packed = packer.compress(piece) + packer.flush(zlib.Z_FULL_FLUSH)
    checksum = 0
    for _ in range(size >> 20):
        checksum = zlib.crc32(piece, checksum)
    head = b"\x1f\x8b\x08\0\0\0\0\0\x02\xff"
    end = zlib.compressobj(wbits=-15).flush()
    return head + packed * (size >> 20) + end + struct.pack("<II", checksum, size % (1 << 32))


def cut_gzip(body: bytes) -> bytes:
    return gzip.compress(body, mtime=0)[:-9]


def spoilt_gzip(body: bytes) -> bytes:
    """With a wrong checksum."""
    packed = bytearray(gzip.compress(body, mtime=0))
    packed[-8] ^= 0xFF
    return bytes(packed)
