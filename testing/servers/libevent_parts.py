"""Programs on libevent's parts (`lines`, `sealed`, `pages`, `names`), and a client for each that keeps all answers."""

from __future__ import annotations

import http.client
import json
import os
import signal
import socket
import ssl
import subprocess
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

CLIENTS = 8
# Short and long work in turn, several lines at once, and a line that comes in two parts.
QUESTIONS = [[b"30000\n"], [b"10\n20\n", b"40000\n"], [b"5", b"000\n"], [b"60000\n100\n"]] * 3
NAMES = [[b"a30000.test\n"], [b"b40000.test\n"], [b"a10.test\n"], [b"b60000.test\n"]] * 3
PAGES = [
    ("GET", "/primes?below=30000", None),
    ("POST", "/sum", b"1\n20\n300\n"),
    ("GET", "/squares?count=40", None),
    ("GET", "/primes?below=60000", None),
    ("GET", "/later?below=5000", None),
    ("GET", "/nowhere", None),
] * 2
FETCHERS = 6


def lines_of(connect: Callable[[], socket.socket], questions: Sequence[Sequence[bytes]]) -> bytes:
    """All answers to one client, which comes back once."""
    answers = b""
    for _ in range(2):
        with connect() as client:
            for question in questions:
                for part in question:
                    client.sendall(part)
                wanted = answers.count(b"\n") + sum(part.count(b"\n") for part in question)
                while answers.count(b"\n") < wanted:
                    received = client.recv(4096)
                    assert received, answers
                    answers += received
    return answers


def connected(port: int) -> socket.socket:
    return socket.create_connection(("127.0.0.1", port), timeout=60)


def lines(port: int) -> bytes:
    return lines_of(lambda: connected(port), QUESTIONS)


def names(port: int) -> bytes:
    return lines_of(lambda: connected(port), NAMES)


def trusting() -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.check_hostname = False
    context.verify_mode = ssl.CERT_NONE
    return context


def sealed(port: int) -> bytes:
    context = trusting()
    return lines_of(lambda: context.wrap_socket(connected(port)), QUESTIONS)


def pages(port: int) -> bytes:
    return pages_over(http.client.HTTPConnection("127.0.0.1", port, timeout=60))


def sealed_pages(port: int) -> bytes:
    return pages_over(http.client.HTTPSConnection("127.0.0.1", port, timeout=60, context=trusting()))


def pages_over(kept: http.client.HTTPConnection) -> bytes:
    """Over a connection that is kept, and each page over one of its own."""
    found = b""
    for close in (False, True):
        for method, path, body in PAGES:
            if close:
                kept.close()
            kept.request(method, path, body, {"Connection": "close"} if close else {})
            answer = kept.getresponse()
            found += b"%d %s" % (answer.status, answer.read())
    kept.close()
    return found


@dataclass(frozen=True)
class Server:
    program: str
    client: Callable[[int], bytes]
    handler: str  # that the client reaches
    takes_certificate: bool = False


SERVERS = {
    "lines": Server("lines", lines, "on_lines"),
    "sealed": Server("sealed", sealed, "on_lines"),
    "pages": Server("pages", pages, "on_primes"),
    "sealed pages": Server("pages", sealed_pages, "on_primes", takes_certificate=True),
    "names": Server("names", names, "on_answer"),
}


def certificate(folder: Path) -> Path:
    """One for localhost, signed by itself, and its key in the same file."""
    file = folder / "certificate.pem"
    made = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-days", "1"]
    made += ["-subj", "/CN=localhost", "-keyout", str(file), "-out", str(file)]
    subprocess.run(made, check=True, stderr=subprocess.DEVNULL)
    return file


@contextmanager
def running(program: Path, environment: dict[str, str], *arguments: Path) -> Iterator[int]:
    server = subprocess.Popen(
        [program, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **environment},
    )
    try:
        assert server.stdout is not None
        yield int(server.stdout.readline().rsplit(":", 1)[1])
        server.send_signal(signal.SIGTERM)
        _, complaints = server.communicate(timeout=60)
        assert (server.returncode, complaints) == (0, "")
    finally:
        server.kill()


def answers_of(server: Server, program: Path, environment: dict[str, str]) -> list[bytes]:
    arguments = [certificate(program.parent)] if server.takes_certificate else []
    with running(program, environment, *arguments) as port, ThreadPoolExecutor(CLIENTS) as clients:
        return list(clients.map(server.client, [port] * CLIENTS))


def parallel(program: Path, runtime: Path, folder: Path, promote: str) -> dict[str, str]:
    return {
        "LD_PRELOAD": str(runtime / "multivent/libmultivent.so"),
        "TSAN_OPTIONS": f"log_path={folder / 'tsan'} exitcode=66",
        "HEDDLE_THREADS": "4",
        "HEDDLE_CONSTRAINTS": f"{program}.constraints.json",
        "HEDDLE_RUN_FILE": str(folder / "run.json"),
        "HEDDLE_ORACLE": "1",
        "HEDDLE_PROMOTE": promote,
    }


def assert_ran_in_parallel(folder: Path, handler: str, promote: str) -> None:
    """The run was parallel. Where another thread is woken for every handler, two handlers also ran at once."""
    figures = json.loads((folder / "run.json").read_text())
    assert figures["mode"] == "parallel"
    assert promote != "always" or figures["peak_parallel"] >= 2, "nothing ran in parallel, so this proved nothing"
    calls = {known["name"]: known["invocations"] for known in figures["handlers"]}
    assert calls[handler] > 0, calls


def fetched(program: Path, server: Path, environment: dict[str, str]) -> str:
    with running(server, {}) as port:
        done = subprocess.run(
            [program, str(port), str(FETCHERS)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
            env={**os.environ, **environment},
        )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def reports(folder: Path) -> str:
    return "\n".join(path.read_text()[:4000] for path in folder.glob("tsan.*"))
