"""An HTTP proxy that knows its own names: requests in absolute form, and tunnels by CONNECT.

Names are mapped to sites, so that a test can have hosts by name without any resolver. It passes all headers
on, those for itself included, so that a test sees what a client would tell a site.
"""

from __future__ import annotations

import asyncio
import base64
import contextlib

from testing.crawl.web.answer import gone
from testing.crawl.web.server import Site, Web, Writer


class Proxy:
    """`names`: host or host:port, as the client says it, to the site that answers for it. `credentials`: user:password
    that the first request of each connection must have."""

    def __init__(self, web: Web, names: dict[str, Site], credentials: str | None = None) -> None:
        self._web = web
        self._names = names
        self._unknown = web.site()
        self._unknown.otherwise = lambda _request: gone(502)
        self._authorization = credentials and base64.b64encode(credentials.encode()).decode()
        self.asked: list[str] = []  # the first line of each connection
        self.port = web.run(web.listen(self._serve))

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def _site(self, target: str) -> Site:
        return self._names.get(target.split("/")[2], self._unknown)

    async def _serve(self, reader: asyncio.StreamReader, writer: Writer) -> None:
        head = await reader.readuntil(b"\r\n\r\n")
        first = head.decode("latin-1").split("\r\n", 1)[0]
        self.asked.append(first)
        method, target, _version = first.split(" ")
        if self._authorization and f"\r\nProxy-Authorization: Basic {self._authorization}\r\n" not in head.decode(
            "latin-1"
        ):
            writer.write(gone(407).on_the_wire())
            return
        if method != "CONNECT":
            await self._web.speak(reader, writer, self._site, head)
            return
        site = self._names.get(target)
        if site is None:
            writer.write(gone(502).on_the_wire())
            return
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        above, below = await asyncio.open_connection(site.address, site.port)
        with contextlib.closing(below):
            ways = [_copy(reader, below), _copy(above, writer)]
            await asyncio.wait(map(asyncio.ensure_future, ways), return_when=asyncio.FIRST_COMPLETED)


async def _copy(source: asyncio.StreamReader, target: Writer) -> None:
    with contextlib.suppress(OSError):
        while data := await source.read(1 << 16):
            target.write(data)
            await target.drain()
