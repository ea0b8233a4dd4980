"""Builds an example server in each way that matters, starts it for a test and sees to it that it ends well.

Tests speak HTTP to it over plain sockets, so that they decide about every byte.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import signal
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from testing.servers.matrix import ROOT, constraints, read_matrix

TIMEOUT_S = 20.0


RUNTIME = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev")) / "multivent/libmultivent.so"

# As users build it; with sanitizers, which notice errors that happen to do no harm; and under the runtime, with as much
# parallelism as the expected matrix allows.
SANITIZE = "-fsanitize=address,undefined"
BUILDS = {
    "plain": [],
    "sanitized": [f"CFLAGS=-O1 -g {SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all", f"LDFLAGS={SANITIZE}"],
    "parallel": ["LDFLAGS=-Wl,--build-id"],
}


@dataclass(frozen=True)
class Program:
    path: Path
    environment: dict[str, str]  # added to the test's own


def build_id(program: Path) -> str:
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    return notes.split("Build ID:")[1].split()[0]


def copy_sources(sources: Path, folder: Path) -> None:
    shutil.copytree(sources, folder, ignore=shutil.ignore_patterns("*.o", "*.d", sources.name, "tests", ".*"))


def build(sources: Path, how: str, folder: Path) -> Program:
    """Builds the server of `sources` in a copy, in one of the BUILDS; skips the test where that can't be."""
    if how == "parallel" and not RUNTIME.exists():
        pytest.skip("the runtime is not built")
    copy_sources(sources, folder)
    subprocess.run(["make", "-s", "-j2", *BUILDS[how]], cwd=folder, check=True)
    program = folder / sources.name
    return Program(program, _parallel_environment(sources, program) if how == "parallel" else {})


def _parallel_environment(sources: Path, program: Path) -> dict[str, str]:
    document = constraints(read_matrix(sources / "expected-matrix.txt"), program.name, build_id(program))
    path = program.with_name("constraints.json")
    path.write_text(json.dumps(document))
    return {
        "LD_PRELOAD": str(RUNTIME),
        "HEDDLE_THREADS": "3",
        "HEDDLE_CONSTRAINTS": str(path),
        "HEDDLE_ORACLE": "1",
        "HEDDLE_SUMMARY": "0",
        "HEDDLE_RUN_FILE": str(program.with_name("run.json")),
    }


@dataclass(frozen=True)
class Answer:
    status: int
    headers: dict[str, str]
    body: bytes


class Connection:
    """A client that sends exactly the bytes it is told to."""

    def __init__(self, port: int, receive_buffer: int | None = None) -> None:
        self.socket = socket.socket()
        self.socket.settimeout(TIMEOUT_S)
        if receive_buffer is not None:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, receive_buffer)
        self.socket.connect(("127.0.0.1", port))
        self.buffer = b""

    def close(self) -> None:
        self.socket.close()

    def send(self, data: bytes) -> None:
        self.socket.sendall(data)

    def get(self, target: str, *headers: str) -> Answer:
        self.send(request(target, *headers))
        return self.answer()

    def answer(self, head: bool = False) -> Answer:
        """The next answer; `head`: to a HEAD request, which has no body whatever its length says."""
        while b"\r\n\r\n" not in self.buffer:
            self._receive()
        top, self.buffer = self.buffer.split(b"\r\n\r\n", 1)
        first, *fields = top.decode().split("\r\n")
        headers = {name.lower(): value.strip() for name, value in (field.split(":", 1) for field in fields)}
        status = int(first.split()[1])
        size = 0 if head or status == 304 else int(headers["content-length"])
        while len(self.buffer) < size:
            self._receive()
        body, self.buffer = self.buffer[:size], self.buffer[size:]
        return Answer(status, headers, body)

    def ended(self) -> bool:
        """Whether the server closes without sending anything more; waits for it."""
        try:
            return self.buffer == b"" and self.socket.recv(1) == b""
        except ConnectionResetError:
            return True

    def _receive(self) -> None:
        data = self.socket.recv(65536)
        if not data:
            raise ConnectionError(f"the server closed after {self.buffer!r}")
        self.buffer += data


def request(target: str, *headers: str, method: str = "GET", version: str = "HTTP/1.1") -> bytes:
    lines = [f"{method} {target} {version}", "Host: test", *headers, "", ""]
    return "\r\n".join(lines).encode()


class Server:
    def __init__(self, process: subprocess.Popen[str], port: int, log: Path) -> None:
        self.process = process
        self.port = port
        self.log = log
        self.silent = True  # nothing on standard error is expected

    def connect(self, receive_buffer: int | None = None) -> Connection:
        return Connection(self.port, receive_buffer)

    def get(self, target: str) -> Answer:
        with contextlib.closing(self.connect()) as connection:
            return connection.get(target, "Connection: close")

    def stop(self) -> str:
        """Asks the server to end and returns what it wrote on standard error; it must end by itself, with 0."""
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            errors = self.process.communicate(timeout=TIMEOUT_S)[1]
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.communicate()
            raise
        assert self.process.returncode == 0, errors
        return errors


StartServer = Callable[..., contextlib.AbstractContextManager[Server]]


@contextlib.contextmanager
def started(program: Program, *options: str, log: Path = Path(os.devnull), **how: object) -> Iterator[Server]:
    """A server on a free port; at the end of the block it is stopped and must have nothing to complain about."""
    command = [str(program.path), "-p", "0", *options]
    environment = {**os.environ, **program.environment}
    process = subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env=environment, **how
    )  # type: ignore[call-overload]
    server: Server | None = None
    try:
        assert process.stdout is not None
        line = process.stdout.readline()
        assert line.startswith("listening on 127.0.0.1:"), line
        server = Server(process, int(line.rsplit(":", 1)[1]), log)
        yield server
    except BaseException:
        process.kill()
        process.communicate()
        raise
    complaints = server.stop()
    assert complaints == "" or not server.silent
    if "HEDDLE_RUN_FILE" in program.environment:
        assert json.loads(Path(program.environment["HEDDLE_RUN_FILE"]).read_text())["mode"] == "parallel"


def running(
    program: Program, files: Path, log: Path, *options: str, **how: object
) -> contextlib.AbstractContextManager[Server]:
    """One that serves files and keeps a log."""
    return started(program, "-d", str(files), "-l", str(log), *options, log=log, **how)


def assert_refuses(program: Program, folder: Path, arguments: list[str], told: str) -> None:
    """Started with these arguments the server ends with status 2 and one line that says what to do."""
    done = subprocess.run(
        [program.path, "-p", "0", *arguments], cwd=folder, capture_output=True, text=True, timeout=TIMEOUT_S
    )
    assert (done.returncode, done.stderr.count("\n")) == (2, 1)
    assert told in done.stderr
