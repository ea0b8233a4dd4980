"""Clients that are slow, silent, rude or many, and the orderly end."""

from __future__ import annotations

import resource
import signal
import socket
import struct
import subprocess
import time
from pathlib import Path

import pytest
from imgserve_stats import stats

from testing.servers.server_process import TIMEOUT_S, Program, Server, StartServer, assert_refuses, request

BIG = "/thumb/picture-0000.jpg?w=4096"


def test_a_client_that_reads_slowly_gets_all_of_a_big_answer(server: Server) -> None:
    expected = server.get(BIG).body
    slow = server.connect(receive_buffer=4096)
    slow.send(request(BIG))
    time.sleep(0.3)
    assert server.get("/hello").status == 200
    assert slow.answer().body == expected


def test_answers_to_one_slow_client_do_not_mix(server: Server) -> None:
    slow = server.connect(receive_buffer=4096)
    slow.send((request(BIG) + request("/hello")) * 10)
    bodies = [slow.answer().body for _ in range(20)]
    assert set(bodies[1::2]) == {b"Hello from imgserve.\n"}
    assert len(set(bodies[::2])) == 1


def test_a_client_that_vanishes_costs_nothing(server: Server) -> None:
    for data in (b"", b"GET /hel", request("/hello"), request("/thumb/picture-0005.jpg?w=700"), request(BIG) * 5):
        for reset in (False, True):
            connection = server.connect(receive_buffer=4096)
            connection.send(data)
            if reset:
                connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
            connection.close()
    deadline = time.monotonic() + TIMEOUT_S
    while stats(server)["connections"] > 1 and time.monotonic() < deadline:
        time.sleep(0.05)
    assert stats(server)["connections"] == 1


def test_a_silent_connection_is_closed(start: StartServer) -> None:
    with start("-i", "1") as server:
        silent, partial, stuck = server.connect(), server.connect(), server.connect(receive_buffer=2048)
        partial.send(b"GET /hello HTTP/1.1\r\n")
        stuck.send(request(BIG) * 30)
        assert silent.ended()
        assert partial.ended()
        deadline = time.monotonic() + TIMEOUT_S
        while stats(server)["swept"] < 3 and time.monotonic() < deadline:
            time.sleep(0.1)
        assert stats(server)["swept"] == 3


def test_three_hundred_connections_are_served_together(server: Server) -> None:
    connections = [server.connect() for _ in range(300)]
    for round_number in range(2):
        for index, connection in enumerate(connections):
            connection.send(request(f"/thumb/picture-{index % 20:04d}.jpg?w={64 + round_number}"))
        assert {connection.answer().status for connection in connections} == {200}
    assert stats(server)["connections"] == 301


def test_without_free_descriptors_clients_wait_until_there_are_some(start: StartServer) -> None:
    def few_descriptors() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (24, 24))

    with start(preexec_fn=few_descriptors) as server:
        connections = [server.connect() for _ in range(40)]
        assert connections[0].get("/hello").status == 200
        for connection in connections[:30]:
            connection.close()
        for connection in connections[30:]:
            assert connection.get("/hello").status == 200


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_lets_requests_in_hand_finish(start: StartServer, sent: signal.Signals) -> None:
    with start("-c", "0") as server:
        idle = server.connect()
        busy = [server.connect() for _ in range(20)]
        assert idle.get("/hello").status == 200
        for index, connection in enumerate(busy):
            connection.send(request(f"/thumb/picture-{index:04d}.jpg?w=640"))
        while stats(server)["rendered"] == 0:
            time.sleep(0.001)
        server.process.send_signal(sent)
        assert [connection.answer().status for connection in busy] == [200] * 20
        assert all(connection.ended() for connection in [idle, *busy])
        assert server.process.wait(TIMEOUT_S) == 0
        with pytest.raises(ConnectionRefusedError):
            server.connect()


def test_a_drain_does_not_wait_for_ever_for_a_client_that_reads_nothing(start: StartServer) -> None:
    with start() as server:
        stuck = server.connect(receive_buffer=2048)
        stuck.send(request(BIG) * 30)
        while stats(server)["requests"] < 3:
            time.sleep(0.05)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(30) == 0


def test_a_second_signal_ends_a_drain(start: StartServer) -> None:
    with start() as server:
        stuck = server.connect(receive_buffer=2048)
        stuck.send(request(BIG) * 30)
        while stats(server)["requests"] < 3:
            time.sleep(0.05)
        server.process.send_signal(signal.SIGTERM)
        with pytest.raises(subprocess.TimeoutExpired):
            server.process.wait(0.3)
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(TIMEOUT_S) == 0


def test_the_access_log_has_a_line_for_every_request(start: StartServer) -> None:
    with start() as server:
        for target in (
            "/hello",
            "/thumb/picture-0000.jpg?w=50",
            "/thumb/picture-0000.jpg?w=50",
            "/thumb/broken-text.jpg",
        ):
            server.get(target)
    lines = [line.split(" ", 1)[1] for line in server.log.read_text().splitlines()]
    assert [line.split(" ", 3)[:3] for line in lines] == [
        ["GET", "/hello", "200"],
        ["GET", "/thumb/picture-0000.jpg?w=50", "200"],
        ["GET", "/thumb/picture-0000.jpg?w=50", "200"],
        ["GET", "/thumb/broken-text.jpg", "422"],
    ]
    assert [line.endswith(" hit") for line in lines] == [False, False, True, False]


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-d", "nowhere"], "cannot read the pictures in 'nowhere'"),
        (["-l", "nowhere/log"], "cannot write the log 'nowhere/log'"),
        (["-p", "70000"], "-p takes a number from 0 to 65535"),
        (["-p", "x"], "-p takes a number"),
        (["-w", "0"], "-w takes a number"),
        (["pictures"], "unexpected argument 'pictures'"),
    ],
)
def test_bad_arguments_end_with_one_line_and_status_2(
    program: Program, tmp_path: Path, arguments: list[str], told: str
) -> None:
    assert_refuses(program, tmp_path, arguments, told)


def test_a_port_in_use_ends_with_one_line_and_status_2(program: Program, server: Server, tmp_path: Path) -> None:
    assert_refuses(program, tmp_path, ["-p", str(server.port)], "choose another port")
