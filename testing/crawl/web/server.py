"""The servers: sites by address and port on loopback, in one thread, with a log of all that they were asked.

A path is served by an `Answer`, by a function of the request and of how often it was asked before, or by something
hostile that writes bytes as it likes. What is not there is 404, robots.txt too unless the site has one.
"""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
import threading
import time
from collections.abc import Awaitable, Callable, Coroutine
from dataclasses import dataclass
from typing import Any, TypeVar

from testing.crawl.web.answer import Answer, gone
from testing.crawl.web.certificates import Authority, Fault
from testing.crawl.web.log import Exchange, Log

T = TypeVar("T")
Writer = asyncio.StreamWriter
Hostile = Callable[[Writer], Awaitable[None]]
MOST_HEAD = 1 << 16


@dataclass(frozen=True)
class Request:
    method: str
    target: str  # as on the request line
    headers: dict[str, str]
    before: int  # how many requests for this path came earlier


Reply = Answer | Hostile
Resource = Answer | Callable[[Request], Reply]


class Turns:
    """The first answers in turn, then the last again and again."""

    def __init__(self, *answers: Reply) -> None:
        self._answers = answers

    def __call__(self, request: Request) -> Reply:
        return self._answers[min(request.before, len(self._answers) - 1)]


class ByMethod:
    """One answer to HEAD, another to GET."""

    def __init__(self, head: Reply, get: Reply) -> None:
        self._head, self._get = head, get

    def __call__(self, request: Request) -> Reply:
        return self._head if request.method == "HEAD" else self._get


def hostile(act: Hostile) -> Callable[[Request], Reply]:
    """A resource that answers with bytes of its own making."""
    return lambda _request: act


class Site:
    """One scheme, address and port, and what is served there by path and query."""

    def __init__(self, web: Web, scheme: str, address: str) -> None:
        self.web, self.scheme, self.address = web, scheme, address
        self.port = 0
        self.resources: dict[str, Resource] = {}
        self.otherwise: Callable[[Request], Reply] = lambda _request: gone(404)
        self.delay_s = 0.0
        self._asked: dict[str, int] = {}

    @property
    def origin(self) -> str:
        return f"{self.scheme}://{self.address}:{self.port}"

    def url(self, path: str = "/") -> str:
        return self.origin + path

    def put(self, path: str, resource: Resource) -> str:
        """Serves it there, and returns its URL."""
        self.resources[path] = resource
        return self.url(path)

    def robots(self, words: str) -> None:
        self.put("/robots.txt", Answer(words.encode(), "text/plain"))

    def reply(self, method: str, target: str, headers: dict[str, str]) -> Reply:
        path = target if target.startswith("/") else "/" + target.split("/", 3)[3]
        before = self._asked.get(path, 0)
        self._asked[path] = before + 1
        found = self.resources.get(path, self.otherwise)
        return found if isinstance(found, Answer) else found(Request(method, target, headers, before))


def _bound_to(address: str) -> str:
    return "127.0.0.1" if address == "localhost" else address.strip("[]")


class Web:
    """Use it in a `with` block. Sites are made at any time; their paths may change while it runs."""

    def __init__(self, authority: Authority | None = None) -> None:
        self.log = Log()
        self._authority = authority
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, name="web", daemon=True)
        self._servers: list[asyncio.Server] = []
        self._addresses = 1
        self._connections = 0
        self._tasks: set[asyncio.Task[None]] = set()

    def __enter__(self) -> Web:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.run(self._end())
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()

    def site(self, address: str | None = None, fault: Fault | None = None) -> Site:
        """A new site, at an address of its own unless one is given; with `fault`, which may be "none", over TLS."""
        if address is None:
            self._addresses += 1
            address = f"127.0.0.{self._addresses}"
        site = Site(self, "http" if fault is None else "https", address)
        context = None
        if fault not in (None, "plain text"):
            assert self._authority is not None
            context = self._authority.context("127.0.0.1" if address == "localhost" else address, fault)
        site.port = self.run(self._listen(site, context))
        return site

    def closed(self) -> str:
        """A URL at a port where nobody listens."""
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            return f"http://127.0.0.1:{probe.getsockname()[1]}/"

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Runs it in the servers' thread."""
        return asyncio.run_coroutine_threadsafe(work, self._loop).result(timeout=30)

    async def listen(self, serve: Callable[[asyncio.StreamReader, Writer], Coroutine[Any, Any, None]]) -> int:
        """Something else than a site, on 127.0.0.1; its port."""
        return await self._start(serve, "127.0.0.1", None)

    async def _listen(self, site: Site, context: ssl.SSLContext | None) -> int:
        async def serve(reader: asyncio.StreamReader, writer: Writer) -> None:
            if site.scheme == "https" and context is None:
                await reader.read(1)  # of what is not HTTP to it
                writer.write(gone(400).on_the_wire())
            else:
                await self.speak(reader, writer, lambda _target: site)

        return await self._start(serve, _bound_to(site.address), context)

    async def _start(
        self,
        serve: Callable[[asyncio.StreamReader, Writer], Coroutine[Any, Any, None]],
        address: str,
        context: ssl.SSLContext | None,
    ) -> int:
        async def guarded(reader: asyncio.StreamReader, writer: Writer) -> None:
            task = asyncio.current_task()
            assert task is not None
            self._tasks.add(task)
            try:
                with contextlib.suppress(OSError, asyncio.IncompleteReadError, asyncio.LimitOverrunError):
                    await serve(reader, writer)
            except asyncio.CancelledError:
                pass  # the web ends
            finally:
                self._tasks.discard(task)
                writer.close()

        server = await asyncio.start_server(guarded, address, 0, ssl=context, limit=MOST_HEAD, backlog=1000)
        self._servers.append(server)
        return int(server.sockets[0].getsockname()[1])

    async def _end(self) -> None:
        for server in self._servers:
            server.close()
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def speak(
        self, reader: asyncio.StreamReader, writer: Writer, choose: Callable[[str], Site], head: bytes = b""
    ) -> None:
        """Answers what comes on one connection until either side ends it; `head` has been read from it already."""
        self._connections += 1
        number = self._connections
        while True:
            head = head or await reader.readuntil(b"\r\n\r\n")
            start = time.monotonic()
            first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
            head = b""
            method, target, _version = first.split(" ")
            fields = (line.split(":", 1) for line in lines)
            headers = {name.lower(): value.strip() for name, value in fields}
            site = choose(target)
            url = site.url(target) if target.startswith("/") else target
            exchange = Exchange(url, "/".join(url.split("/")[:3]), method, headers, number, start)
            self.log.add(exchange)
            if not await self._answer(site.reply(method, target, headers), site, writer, exchange):
                return

    async def _answer(self, reply: Reply, site: Site, writer: Writer, exchange: Exchange) -> bool:
        """Whether the connection may serve another request."""
        if not isinstance(reply, Answer):
            try:
                await reply(writer)
            finally:
                exchange.end = time.monotonic()
            return False
        try:
            if delay := reply.delay_s + site.delay_s:
                await asyncio.sleep(delay)
            exchange.end = time.monotonic()
            writer.write(reply.on_the_wire(head_only=exchange.method == "HEAD"))
            await writer.drain()
            exchange.complete = True
        except (OSError, asyncio.CancelledError):
            exchange.end = exchange.end or time.monotonic()
            raise
        return not reply.closes
