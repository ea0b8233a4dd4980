"""A web server on loopback that is as slow, wrong or silent as a test wants."""

from __future__ import annotations

import io
import random
import socket
import socketserver
import threading
import time
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Self

from PIL import Image


def picture(seed: int, *, progressive: bool = False, size: tuple[int, int] | None = None) -> bytes:
    """A JPEG with something to see."""
    numbers = random.Random(seed)
    width, height = size or (numbers.randint(20, 200), numbers.randint(20, 200))
    image = Image.frombytes("RGB", (3, 3), numbers.randbytes(27)).resize((width, height), Image.Resampling.BICUBIC)
    bytes_of = io.BytesIO()
    image.save(bytes_of, "JPEG", progressive=progressive)
    return bytes_of.getvalue()


@dataclass
class Answer:
    body: bytes
    status: int = 200
    wait: float = 0.0  # before the answer
    pause: float = 0.0  # in the middle of the body
    stall: bool = False  # never answers
    says: int | None = None  # the length that it says the body has
    location: str | None = None


@dataclass
class Site:
    """`site.url` + path -> an answer."""

    answers: dict[str, Answer] = field(default_factory=dict)
    most_at_once: int = 0  # requests

    def __post_init__(self) -> None:
        site = self
        self._lock = threading.Lock()
        self._now = 0
        self._over = threading.Event()

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            wbufsize = -1

            def do_GET(self) -> None:
                with site._lock:
                    site._now += 1
                    site.most_at_once = max(site.most_at_once, site._now)
                try:
                    self.answer(site.answers.get(self.path, Answer(b"", 404)))
                finally:
                    with site._lock:
                        site._now -= 1

            def answer(self, answer: Answer) -> None:
                time.sleep(answer.wait)
                if answer.stall:
                    site._over.wait(60)
                    self.close_connection = True
                    return
                self.send_response(answer.status)
                if answer.location:
                    self.send_header("Location", answer.location)
                self.send_header("Content-Length", str(len(answer.body) if answer.says is None else answer.says))
                self.end_headers()
                half = len(answer.body) // 2 if answer.pause else 0
                self.wfile.write(answer.body[:half])
                self.wfile.flush()
                time.sleep(answer.pause)
                self.wfile.write(answer.body[half:])
                self.wfile.flush()
                if answer.says is not None:
                    self.close_connection = True

            def handle_one_request(self) -> None:
                try:
                    super().handle_one_request()
                except OSError:
                    self.close_connection = True

            def log_message(self, *_: object) -> None:
                pass

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads = True
            request_queue_size = 512
            allow_reuse_address = True

            def get_request(self) -> tuple[socket.socket, object]:
                peer, address = super().get_request()
                peer.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
                return peer, address

        self._server = Server(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def page(self, path: str, images: int, *, wait: float = 0.0) -> str:
        """A page with so many images; its URL."""
        tags = []
        for number in range(images):
            name = f"{number}.jpg"
            self.answers[path + name] = Answer(
                picture(hash(path) % 1000 + number, progressive=number % 2 == 1), wait=wait
            )
            tags.append(f'<p>text <img src="{name}"></p>')
        self.answers[path] = Answer(f"<!DOCTYPE html><html><body>{''.join(tags)}</body></html>".encode(), wait=wait)
        return self.url + path

    def __enter__(self) -> Self:
        threading.Thread(target=self._server.serve_forever, args=(0.05,), daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
