"""Circuits of three hops, through relays as they should be and others."""

from __future__ import annotations

import contextlib
import os
import re
import resource
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from onion_cells import CREATE, DESTROY, GET_KEY, KEY, RELAY, SIZE, SKIN, cell, receive, relay_that_hangs_up

from testing.servers.server_process import TIMEOUT_S, Program, Server, StartServer, assert_refuses, started

Travel = Callable[..., dict[str, Any]]


def key_of(server: Server) -> bytes:
    with contextlib.closing(server.connect()) as connection:
        connection.send(cell(0, GET_KEY))
        circuit, command, key = receive(connection.socket)
        assert (circuit, command) == (0, KEY)
        return key


def test_every_hop_of_a_circuit_may_be_the_same_relay(server: Server, travel: Travel) -> None:
    figures = travel(server.port, "-n", 24, "-c", 6, "-t", 60)
    assert figures["circuits"] == 24
    assert 0 < figures["p50_ms"] <= figures["p99_ms"]


def test_a_circuit_leads_through_three_relays(start: StartServer, tmp_path: Path, travel: Travel) -> None:
    with start() as first, start("-k", str(tmp_path / "other.pem")) as second, start() as third:
        assert key_of(second) != key_of(first) == key_of(third)
        travel(f"{first.port},{second.port},{third.port}", "-n", 12, "-c", 4, "-t", 60)


@pytest.mark.parametrize("name", ["onion-atomic", "onion-workers"])
def test_the_relays_that_differ_build_the_same_circuits(plain: Path, key: Path, travel: Travel, name: str) -> None:
    with started(Program(plain / name, {}), "-k", str(key)) as server:
        assert travel(server.port, "-n", 40, "-c", 8, "-t", 60)["circuits"] == 40


@pytest.mark.parametrize("name", ["onion-atomic", "onion-workers"])
def test_the_relays_that_differ_end_in_the_middle_of_work(plain: Path, key: Path, name: str) -> None:
    with started(Program(plain / name, {}), "-k", str(key)) as server:
        connection = server.connect()
        for circuit in range(1, 60):
            connection.send(cell(circuit, CREATE, SKIN))
        connection.send(cell(0, GET_KEY))
        while receive(connection.socket)[1] != KEY:
            pass
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(TIMEOUT_S) == 0


def test_the_second_hop_is_gone(server: Server, travel: Travel) -> None:
    with relay_that_hangs_up(key_of(server)) as port:
        travel(f"{server.port},{port},{server.port}", "-n", 1, why="a relay gave a circuit up")
    travel(server.port, "-n", 3)


def test_an_onion_skin_for_another_key_is_refused(server: Server) -> None:
    connection = server.connect()
    for circuit in (7, 8):
        connection.send(cell(circuit, CREATE, SKIN))
    assert sorted(receive(connection.socket)[:2] for _ in range(2)) == [(7, DESTROY), (8, DESTROY)]


@pytest.mark.parametrize(
    "wrong",
    [
        cell(1, 77),
        cell(1, GET_KEY, size=1017),
        cell(1, CREATE, SKIN[1:]),
        cell(1, CREATE, SKIN) + cell(1, CREATE, SKIN),
        os.urandom(64) * 64,
    ],
    ids=["no such command", "too long", "short skin", "one id twice", "noise"],
)
def test_who_breaks_the_rules_loses_the_link_and_nobody_else_does(server: Server, travel: Travel, wrong: bytes) -> None:
    with contextlib.closing(server.connect()) as other, contextlib.closing(server.connect()) as connection:
        connection.send(wrong)
        with contextlib.suppress(ConnectionResetError):
            while connection.socket.recv(SIZE):
                pass
        other.send(cell(0, GET_KEY))
        assert receive(other.socket)[1] == KEY
    travel(server.port, "-n", 2)


def test_cells_of_circuits_that_are_not_there_are_overheard(server: Server) -> None:
    connection = server.connect()
    connection.send(cell(5, RELAY, bytes(1016)) + cell(5, DESTROY) + cell(0, GET_KEY))
    assert receive(connection.socket)[1] == KEY


def test_a_cell_before_the_handshake_is_done_ends_the_circuit(server: Server) -> None:
    connection = server.connect()
    connection.send(cell(5, CREATE, SKIN) + cell(5, RELAY, bytes(1016)) + cell(0, GET_KEY))
    assert sorted(receive(connection.socket)[1] for _ in range(2)) == sorted((DESTROY, KEY))


def test_clients_that_vanish_leave_nothing_behind(start: StartServer, travel: Travel) -> None:
    with start("-s", "1") as server:
        server.silent = False
        for number in range(30):
            connection = server.connect()
            connection.send((cell(1, CREATE, SKIN) + cell(2, CREATE, SKIN))[: 100 * number])
            connection.close()
        travel(server.port, "-n", 4)
        deadline = time.monotonic() + TIMEOUT_S
        assert server.process.stderr is not None
        # The relay's link to itself, both ends of it, stays.
        while not (line := server.process.stderr.readline()).startswith("onion: 2 links, 0 circuits"):
            assert time.monotonic() < deadline, line


def test_the_statistics_count_public_key_operations(start: StartServer, travel: Travel) -> None:
    with start("-s", "1") as server:
        server.silent = False
        assert server.process.stderr is not None
        travel(server.port, "-n", 5, "-c", 1, "-t", 60)
        while "15 built" not in (line := server.process.stderr.readline()):
            assert line.startswith("onion: ")
        assert re.search(r"operations: 15 decrypted, 15 made, 15 agreed$", line.strip())


def test_without_free_descriptors_clients_wait_until_there_are_some(start: StartServer) -> None:
    def few_descriptors() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

    with start(preexec_fn=few_descriptors) as server:
        connections = [server.connect() for _ in range(30)]
        for connection in connections[:25]:
            connection.close()
        for connection in connections[25:]:
            connection.send(cell(0, GET_KEY))
            assert receive(connection.socket)[1] == KEY


def test_a_peer_that_takes_nothing_is_given_up(server: Server) -> None:
    connection = server.connect(receive_buffer=4096)

    def ask_without_end() -> None:
        with contextlib.suppress(OSError):
            while True:
                connection.socket.sendall(cell(0, GET_KEY) * 64)

    asking = threading.Thread(target=ask_without_end)
    asking.start()
    asking.join(TIMEOUT_S)
    assert not asking.is_alive()
    with contextlib.closing(server.connect()) as other:
        other.send(cell(0, GET_KEY))
        assert receive(other.socket)[1] == KEY


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_in_the_middle_of_work(start: StartServer, sent: signal.Signals) -> None:
    with start() as server:
        connections = [server.connect() for _ in range(4)]
        for connection in connections:
            connection.send(b"".join(cell(circuit, CREATE, SKIN) for circuit in range(1, 40)))
        receive(connections[0].socket)
        server.process.send_signal(sent)
        assert server.process.wait(TIMEOUT_S) == 0


def test_a_key_is_made_once_and_kept(start: StartServer, tmp_path: Path) -> None:
    file = tmp_path / "new.pem"
    with start("-k", str(file)) as server:
        assert file.stat().st_mode & 0o777 == 0o600
        made = key_of(server)
    with start("-k", str(file)) as server:
        assert key_of(server) == made


def test_what_cannot_be_used_is_refused_with_a_line_that_helps(program: Program, tmp_path: Path) -> None:
    small = tmp_path / "small.pem"
    subprocess.run(["openssl", "genrsa", "-out", small, "2048"], check=True, capture_output=True)
    (tmp_path / "empty.pem").touch()
    for arguments, told in {
        ("-k", "empty.pem"): "no private key in 'empty.pem'",
        ("-k", "."): "another file with -k",
        ("-k", "small.pem"): "no RSA key of 4096 bits",
        ("-k", "no/such/folder.pem"): "another file with -k",
        ("-s", "0"): "from 1 to 86400",
        ("-p", "x"): "from 0 to 65535",
        ("word",): "unexpected argument 'word'",
    }.items():
        assert_refuses(program, tmp_path, list(arguments), told)


def test_a_port_that_is_taken_is_refused(start: StartServer, program: Program, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        assert_refuses(program, tmp_path, ["-k", "relay.pem", "-p", str(taken.getsockname()[1])], "cannot listen")
    with start() as server:
        assert key_of(server)
