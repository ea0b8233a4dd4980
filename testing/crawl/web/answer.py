"""What a server says to one request, and how it puts it on the wire.

A body has a coding (gzip, br, zstd, deflate) and a framing: with its length, in chunks, or ended by the connection.
"""

from __future__ import annotations

import gzip
import zlib
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from http import HTTPStatus
from typing import Literal

import brotli
import zstandard

Framing = Literal["length", "chunked", "close", "none"]
Headers = tuple[tuple[str, str], ...]

HTML = "text/html; charset=utf-8"
XHTML = "application/xhtml+xml"


def raw_deflate(body: bytes) -> bytes:
    """RFC 1951 without the zlib wrapper: what some servers call deflate."""
    packer = zlib.compressobj(wbits=-15)
    return packer.compress(body) + packer.flush()


CODINGS: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda body: gzip.compress(body, mtime=0),
    "x-gzip": lambda body: gzip.compress(body, mtime=0),
    "br": brotli.compress,
    "zstd": zstandard.ZstdCompressor(write_content_size=False).compress,
    "deflate": zlib.compress,
}


@dataclass(frozen=True)
class Answer:
    body: bytes = b""
    type: str | None = HTML
    status: int = 200
    headers: Headers = ()
    framing: Framing = "length"
    coding: str | None = None
    version: str = "HTTP/1.1"
    delay_s: float = 0.0  # before the first byte
    ends: bool = field(default=False)  # the connection, after this

    def encoded(self) -> bytes:
        return CODINGS[self.coding](self.body) if self.coding else self.body

    def on_the_wire(self, head_only: bool = False) -> bytes:
        body = self.encoded()
        lines = [f"{self.version} {self.status} {_phrase(self.status)}"]
        if self.type is not None:
            lines.append(f"Content-Type: {self.type}")
        if self.coding:
            lines.append(f"Content-Encoding: {self.coding}")
        lines += [f"{name}: {value}" for name, value in self.headers]
        if self.framing == "length":
            lines.append(f"Content-Length: {len(body)}")
        elif self.framing == "chunked":
            lines.append("Transfer-Encoding: chunked")
        if self.closes:
            lines.append("Connection: close")
        head = "\r\n".join([*lines, "", ""]).encode("latin-1")
        if head_only or self.framing == "none":
            return head
        return head + (in_chunks(body) if self.framing == "chunked" else body)

    @property
    def closes(self) -> bool:
        return self.ends or self.framing == "close" or self.version == "HTTP/1.0"


def _phrase(status: int) -> str:
    try:
        return HTTPStatus(status).phrase
    except ValueError:
        return "Unheard Of"


def in_chunks(body: bytes, size: int = 1000) -> bytes:
    """With plain extensions, digits of both cases, leading zeros and a trailer (RFC 9112, section 7.1)."""
    parts = []
    for number, start in enumerate(range(0, len(body), size)):
        piece = body[start : start + size]
        digits = f"{len(piece):x}" if number % 2 else f"000{len(piece):X}"
        extension = ("", ';quoted="a;b"', ";flag")[number % 3]
        parts.append(f"{digits}{extension}\r\n".encode() + piece + b"\r\n")
    return b"".join([*parts, b"0;last\r\nX-Trailer: content-length: 5\r\nX-Other: 1\r\n\r\n"])


def text(words: str, type_: str = "text/plain; charset=utf-8") -> Answer:
    return Answer(words.encode(), type_)


def redirect(target: str, status: int = 302) -> Answer:
    return Answer(b"moved", "text/plain", status, (("Location", target),))


def gone(status: int) -> Answer:
    return Answer(f"status {status}".encode(), "text/plain", status)


def later(status: int, after: str | None = None) -> Answer:
    """429 or 503, with Retry-After if there is one."""
    return replace(gone(status), headers=(("Retry-After", after),) if after is not None else ())
