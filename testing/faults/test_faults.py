"""What can happen to a process from outside: it is stopped, interrupted, runs out of descriptors, its clock jumps.

Nothing is lost and every answer is right, whoever makes the calls. What happens when a handler forks is among the
runtime's own tests (multivent/loop/crew_loop_test.cpp).
"""

from __future__ import annotations

import json
import os
import resource
import signal
import socket
import subprocess
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest

from heddle.documents.contracts import VERSIONS
from heddle.program.elf import Elf

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
PATIENCE = 60  # seconds; nothing takes that long unless it fails
MODES = {
    "serial": {"HEDDLE_SERIAL": "1"},
    "parallel": {"HEDDLE_THREADS": "3"},
    "auto": {"HEDDLE_THREADS": "auto"},
    "forced": {"HEDDLE_THREADS": "3", "HEDDLE_PROMOTE": "always"},
}
# Handler: where its session begins. All but on_read touch what is common to them.
HANDLERS = {"on_read": "object", "on_accept": "null", "on_pause_over": "null", "on_tick": "null", "on_end": "null"}


@pytest.fixture(scope="module")
def echo(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("faults") / "echo"
    flags = ("-O1", "-g", "-Wall", "-Wextra", "-Werror", "-D_GNU_SOURCE")
    subprocess.run(["gcc", *flags, HERE / "echo.c", "-o", program, "-levent", "-Wl,--build-id"], check=True)
    shared = ("-shared", "-fPIC", "-o", program.with_name("wild_clock.so"))
    subprocess.run(["gcc", *flags, HERE / "wild_clock.c", *shared], check=True)
    names = list(HANDLERS)
    pairs = []
    for a, first in enumerate(names):
        for b in range(a, len(names)):
            verdict = "always" if first != "on_read" else "session" if a == b else "never"
            pairs.append({"a": a, "b": b, "verdict": verdict, "conflicts": []})
    place = {"file": "echo.c", "line": 1, "kind": "event", "registrations": []}
    document = {
        "schema": "heddle/constraints",
        "version": VERSIONS["constraints"],
        "tool": {"name": "faults", "version": "1"},
        "program": {"name": "echo", "build_id": Elf(program).build_id()},
        "handlers": [
            {"id": i, "name": name, "session": {"kind": kind, "offset": 0}, **place}
            for i, (name, kind) in enumerate(HANDLERS.items())
        ],
        "pairs": pairs,
        **{part: [] for part in ("objects", "accesses", "assumptions")},
    }
    program.with_name("constraints.json").write_text(json.dumps(document))
    return program


class Server:
    """A server that runs; `figures` is what it said at its end."""

    def __init__(self, process: subprocess.Popen[str], port: int) -> None:
        self.process, self.port, self.figures = process, port, dict[str, int]()

    def connect(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE)

    def talk(self, rounds: int) -> None:
        with self.connect() as connection:
            for number in range(rounds):
                ask(connection, number)


def ask(connection: socket.socket, number: int) -> None:
    byte = bytes([number % 256])
    connection.sendall(byte)
    assert connection.recv(1) == byte


@contextmanager
def serving(program: Path, mode: str, limit: Callable[[], None] | None = None, **more: str) -> Iterator[Server]:
    port_file = program.with_name(f"port.{mode}")
    port_file.unlink(missing_ok=True)
    preload = ":".join(filter(None, (str(BUILD / "multivent/libmultivent.so"), more.get("LD_PRELOAD"))))
    constraints = {"HEDDLE_CONSTRAINTS": str(program.with_name("constraints.json"))}
    environment = {**os.environ, **MODES[mode], **constraints, "LD_PRELOAD": preload}
    command = [program, port_file]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, env=environment, stdout=pipe, stderr=pipe, text=True, preexec_fn=limit) as process:
        try:
            deadline = time.monotonic() + PATIENCE
            while not (port_file.exists() and port_file.read_text().endswith("\n")):
                assert process.poll() is None, process.communicate()[1]
                assert time.monotonic() < deadline
                time.sleep(0.01)
            server = Server(process, int(port_file.read_text()))
            yield server
            process.terminate()
            out, err = process.communicate(timeout=PATIENCE)
            assert (process.returncode, err) == (0, ""), err
            server.figures.update((name, int(number)) for name, number in map(str.split, out.strip().split(", ")))
        finally:
            process.kill()


def talkers(server: Server, pool: ThreadPoolExecutor, count: int, rounds: int) -> Callable[[], None]:
    """Starts them; the result waits until all have had all their answers."""
    talks = [pool.submit(server.talk, rounds) for _ in range(count)]

    def join() -> None:
        for talk in talks:
            talk.result(timeout=PATIENCE)

    return join


@pytest.mark.parametrize("mode", MODES)
def test_a_process_that_is_stopped_for_a_while_goes_on(echo: Path, mode: str) -> None:
    with serving(echo, mode) as server, ThreadPoolExecutor(6) as pool:
        join = talkers(server, pool, 6, 60)
        for _ in range(8):
            server.process.send_signal(signal.SIGSTOP)
            time.sleep(0.03)
            server.process.send_signal(signal.SIGCONT)
            time.sleep(0.01)
        join()


@pytest.mark.parametrize("mode", MODES)
def test_signals_that_interrupt_system_calls_a_thousand_times_a_second_lose_nothing(echo: Path, mode: str) -> None:
    with serving(echo, mode) as server, ThreadPoolExecutor(6) as pool:
        join = talkers(server, pool, 6, 60)
        for _ in range(500):
            server.process.send_signal(signal.SIGUSR2)
            time.sleep(0.001)
        join()


@pytest.mark.parametrize("mode", MODES)
def test_a_server_without_descriptors_serves_those_it_has_and_later_the_rest(echo: Path, mode: str) -> None:
    def few() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

    with serving(echo, mode, few) as server:
        clients = [server.connect() for _ in range(40)]  # all are accepted by the kernel, not by the server
        for number, client in enumerate(clients[:8]):
            ask(client, number)
        for client in clients[8:]:
            client.sendall(b"x")
        time.sleep(0.1)
        for client in clients[:8]:
            client.close()
        for client in clients[8:]:
            assert client.recv(1) == b"x"
            client.close()
        server.talk(3)
    assert server.figures["pauses"] > 0


@pytest.mark.parametrize("mode", MODES)
def test_timers_do_not_follow_a_wall_clock_that_jumps(echo: Path, mode: str) -> None:
    with serving(echo, mode, LD_PRELOAD=str(echo.with_name("wild_clock.so"))) as server:
        server.talk(100)  # a tenth of a second at least
        time.sleep(0.2)
    # The timer fires every 5 ms. A jump of the clock neither stops it until that hour, nor makes it catch up at once.
    assert 3 <= server.figures["ticks"] <= 12_000
