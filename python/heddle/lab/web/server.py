"""Debian's nginx on loopback over a folder, with a latency as of a network, and what it computed.

Loopback answers at once, and a comparison of concurrency models over it would compare nothing but processor time. The
latency comes from nginx's echo module: every answer is delayed by a timer of the server's event loop, so that any
number of requests can be under way.
"""

import os
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from heddle.errors import BadInputError

_START_S = 10.0
_INSTALL = "install it: apt-get install nginx-light libnginx-mod-http-echo"
_ECHO = Path("/usr/lib/nginx/modules/ngx_http_echo_module.so")
_PROGRAM = Path("/usr/sbin/nginx")
_CONFIGURATION = """
daemon off;
pid {work}/pid;
load_module {echo};
worker_processes 1;
{user}
events {{ worker_connections 4096; }}
http {{
  types {{ text/html html; image/jpeg jpg; }}
  default_type application/octet-stream;
  sendfile on;
  tcp_nodelay on;
  keepalive_requests 1000000000;
  access_log off;
  client_body_temp_path {work}/body;
  proxy_temp_path {work}/proxy;
  fastcgi_temp_path {work}/fastcgi;
  uwsgi_temp_path {work}/uwsgi;
  scgi_temp_path {work}/scgi;
  server {{
    listen 127.0.0.1:{port} backlog=4096;
    root {root};
    index index.html;
    limit_rate {rate};
    location @now {{ try_files $uri ${{uri}}index.html =404; }}
    location / {{ {delay} }}
  }}
}}
"""
_DELAYED = "echo_sleep {seconds:.3f}; echo_exec @now;"


@dataclass(frozen=True)
class Web:
    origin: str
    pids: tuple[int, ...]

    def url(self, path: str) -> str:
        return f"{self.origin}/{path.lstrip('/')}"

    @property
    def cpu_seconds(self) -> float:
        """User and system time of the server so far."""
        return sum(_cpu_seconds(pid) for pid in self.pids)


@contextmanager
def serving(root: Path, latency: float = 0.0, rate: int = 0) -> Iterator[Web]:
    """The folder as a site; `latency` in seconds, `rate` in bytes a second for each connection; 0 for none."""
    for file, what in ((_PROGRAM, "nginx"), (_ECHO, "nginx's echo module")):
        if not file.is_file():
            raise BadInputError(f"{what} is not here", _INSTALL)
    with tempfile.TemporaryDirectory(prefix="heddle-web-") as folder:
        work = Path(folder)
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        file = work / "nginx.conf"
        file.write_text(
            _CONFIGURATION.format(
                work=work,
                echo=_ECHO,
                root=root.absolute(),
                port=port,
                rate=rate,
                user="user root;" if os.geteuid() == 0 else "",
                delay=_DELAYED.format(seconds=latency) if latency > 0 else "",
            )
        )
        words = [_PROGRAM, "-c", file, "-p", work, "-e", work / "error.log"]
        # In a group of its own: Ctrl-C is for us, and we end the server.
        running = subprocess.Popen(list(map(str, words)), stderr=subprocess.PIPE, text=True, start_new_session=True)
        try:
            _wait_until_it_answers(port, running)
            yield Web(f"http://127.0.0.1:{port}", (running.pid, *_children(running.pid)))
        finally:
            os.killpg(running.pid, signal.SIGTERM)
            running.communicate(timeout=_START_S)


def _wait_until_it_answers(port: int, running: "subprocess.Popen[str]") -> None:
    deadline = time.monotonic() + _START_S
    while time.monotonic() < deadline and running.poll() is None:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
        except OSError:
            time.sleep(0.01)
        else:
            if _children(running.pid):
                return
    said = (running.stderr.read() if running.stderr and running.poll() is not None else "").strip().splitlines()
    raise BadInputError(f"nginx does not start ({(said or ['no message'])[-1][:160]})", "run nginx by hand to see more")


def _children(pid: int) -> list[int]:
    try:
        return [int(word) for word in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]
    except OSError:
        return []


def _cpu_seconds(pid: int) -> float:
    """Of a process with one thread, as nginx's are (Documentation/scheduler/sched-stats.rst)."""
    try:
        return int(Path(f"/proc/{pid}/schedstat").read_text().split()[0]) / 1e9
    except OSError:
        return 0.0
