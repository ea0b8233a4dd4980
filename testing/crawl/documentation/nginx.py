"""Debian's nginx on loopback over a folder, as a user would set it up, and the log of what it was asked for.

The log is what crawls are compared by: it says of each of them in the same way what it fetched, and what came back. The
server is unpacked from its package, not installed, so that nothing is started that the machine did not have.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import quote, unquote_to_bytes

from testing.crawl.documentation.packages import unpacked
from testing.servers.debian_programs import UnfitError
from testing.servers.real_servers import free_port

_START_S = 10.0
_CONFIGURATION = """
daemon off;
pid {work}/pid;
worker_processes 1;
{user}
events {{ worker_connections 768; }}
http {{
  include {types};
  default_type application/octet-stream;
  sendfile on;
  keepalive_requests 1000000000;
  absolute_redirect off;
  add_header LinkChecker allowed always;  # lets LinkChecker ask without pauses
  log_format answers escape=json
    '{{"uri":"$request_uri","status":$status,"method":"$request_method","type":"$sent_http_content_type",'
    '"referrer":"$http_referer"}}';
  access_log {work}/access.log answers;
  client_body_temp_path {work}/body;
  proxy_temp_path {work}/proxy;
  fastcgi_temp_path {work}/fastcgi;
  uwsgi_temp_path {work}/uwsgi;
  scgi_temp_path {work}/scgi;
  server {{
    listen 127.0.0.1:{port};
    root {root};
    index index.html index.htm;
  }}
}}
"""


@dataclass(frozen=True)
class Answer:
    status: int
    type: str  # media type without parameters; empty if none was said
    referrer: str | None = None  # the key of a page that links it, as the crawler said
    read: bool = True  # not only looked at, with HEAD

    @property
    def is_page(self) -> bool:
        return self.status == 200 and self.type in ("text/html", "application/xhtml+xml")


@dataclass(frozen=True)
class Server:
    port: int
    work: Path

    @property
    def origin(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    def answers(self) -> dict[str, Answer]:
        """What was asked for, by key; of several answers the last. Robots.txt is not counted."""
        found = {}
        for line in (self.work / "access.log").read_text(encoding="utf-8").splitlines():
            said = json.loads(line)
            if said["uri"] not in ("", "/robots.txt"):
                kind, page = said["type"].partition(";")[0].strip(), said["referrer"].removeprefix(self.origin)
                found[key(said["uri"])] = Answer(
                    said["status"], kind, key(page) if page else None, said["method"] != "HEAD"
                )
        return found


def key(uri: str) -> str:
    """Path and query of a URL; one for all ways to percent-encode the path, which a server need not tell apart."""
    path, mark, query = uri.partition("?")
    return unquote_to_bytes(path).decode("utf-8", "surrogateescape") + mark + query


def uri(key: str) -> str:
    """A URL's path and query, of its key."""
    path, mark, query = key.partition("?")
    return quote(path.encode("utf-8", "surrogateescape"), safe="/:@!$&'()*+,;=~") + mark + query


@contextmanager
def serving(root: Path, cache: Path, work: Path) -> Iterator[Server]:
    """The folder as a site of its own. `cache` is where packages are unpacked, `work` an empty folder."""
    work.mkdir(parents=True)
    program, types = unpacked("nginx", cache) / "usr/sbin/nginx", unpacked("nginx-common", cache) / "etc/nginx"
    server = Server(free_port(), work)
    file = work / "nginx.conf"
    file.write_text(
        _CONFIGURATION.format(
            work=work,
            types=types / "mime.types",
            root=root,
            port=server.port,
            user="user root;" if os.geteuid() == 0 else "",
        )
    )
    words = [program, "-c", file, "-p", work, "-e", work / "error.log"]
    running = subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE, text=True, start_new_session=True)
    try:
        _until_it_answers(server.port, running)
        yield server
    finally:
        os.killpg(running.pid, signal.SIGTERM)
        running.communicate(timeout=_START_S)


def _until_it_answers(port: int, running: subprocess.Popen[str]) -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and running.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.02)
        else:
            return
    said = (running.stderr.read() if running.stderr and running.poll() is not None else "").strip().splitlines()
    raise UnfitError(f"nginx does not start: {(said or ['?'])[-1][:160]}")
