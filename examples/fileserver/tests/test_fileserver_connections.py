"""Clients that are slow, silent, rude or many, throttles, signals, the log."""

from __future__ import annotations

import contextlib
import re
import resource
import signal
import socket
import struct
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from hello_file import HELLO

from testing.servers.server_process import TIMEOUT_S, Connection, Program, Server, StartServer, assert_refuses, request

LARGE = "/large/file-0000.bin"
LINE = re.compile(r'127\.0\.0\.1 - - \[\d\d/\w{3}/\d{4}:\d\d:\d\d:\d\d [+-]\d{4}\] "([^"]*)" (\d{3}) (\d+)')


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + TIMEOUT_S
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.02)


def stuck(server: Server, number: int = 1) -> list[Connection]:
    """Clients in the middle of a large answer that they do not read."""
    connections = [server.connect(receive_buffer=4096) for _ in range(number)]
    for connection in connections:
        connection.send(request(LARGE) * 3)
        assert connection.socket.recv(15, socket.MSG_PEEK) == b"HTTP/1.1 200 OK"
    return connections


def test_slow_clients_get_everything_and_hold_nobody_up(server: Server, files: Path) -> None:
    slow = stuck(server, 3)
    assert server.get("/hello.txt").body == HELLO
    for connection in slow:
        for _ in range(3):
            assert connection.answer().body == (files / LARGE[1:]).read_bytes()


def test_clients_that_vanish_leave_their_place_to_others(start: StartServer) -> None:
    with start("-m", "4") as server:
        for data in (b"", b"GET /hel", request("/hello.txt"), request(LARGE) * 5):
            for reset in (False, True):
                connection = server.connect(receive_buffer=4096)
                connection.send(data)
                if reset:
                    connection.socket.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                connection.close()
        for _ in range(10):
            assert server.get("/hello.txt").body == HELLO


def test_more_clients_than_there_is_room_for_wait_their_turn(start: StartServer) -> None:
    with start("-m", "5") as server:
        connections = [server.connect() for _ in range(12)]
        for connection in connections:
            connection.send(request("/hello.txt", "Connection: close"))
        assert [connection.answer().body for connection in connections] == [HELLO] * 12


def test_two_hundred_clients_are_served_together(server: Server) -> None:
    connections = [server.connect() for _ in range(200)]
    for _ in range(2):
        for index, connection in enumerate(connections):
            connection.send(request("/hello.txt" if index % 3 else "/d1/"))
        assert {connection.answer().status for connection in connections} == {200}


def test_without_free_descriptors_clients_wait_until_there_are_some(start: StartServer) -> None:
    def few_descriptors() -> None:
        resource.setrlimit(resource.RLIMIT_NOFILE, (28, 28))

    with start("-i", "4", preexec_fn=few_descriptors) as server:
        connections = [server.connect() for _ in range(40)]
        assert connections[0].get("/hello.txt").status == 200
        for connection in connections[:30]:
            connection.close()
        for connection in connections[30:]:
            assert connection.get("/hello.txt").status == 200


def test_who_does_nothing_for_too_long_is_told_or_closed(start: StartServer) -> None:
    with start("-i", "1", "-m", "3") as server:
        silent, partial = server.connect(), server.connect()
        partial.send(b"GET /hello.txt HTTP/1.1\r\n")
        blocked = stuck(server)[0]
        assert silent.ended()
        assert partial.answer().status == 408
        received = 0
        assert partial.ended()
        assert server.get("/hello.txt").body == HELLO
        with contextlib.suppress(ConnectionResetError):
            while blocked.socket.recv(1 << 20):
                received += 1
        assert received > 0


def test_throttles_slow_down_what_they_name(start: StartServer, tmp_path: Path) -> None:
    throttles = tmp_path / "throttles"
    throttles.write_text("# some\n\n**.bin|/d?/nothing 1500000\n/large/** 100000000\n")
    with start("-t", str(throttles)) as server:
        began = time.monotonic()
        assert len(server.get(LARGE).body) == 3_000_000
        alone = time.monotonic() - began
        assert 1.5 < alone < 8
        began = time.monotonic()
        pair = [server.connect(), server.connect()]
        for connection in pair:
            connection.send(request(LARGE, "Range: bytes=0-1499999"))
        assert server.get("/hello.txt").body == HELLO
        assert time.monotonic() - began < 1
        assert [len(connection.answer().body) for connection in pair] == [1_500_000] * 2
        assert time.monotonic() - began > 1.2


def test_who_asks_for_far_too_much_is_told_to_come_back(start: StartServer, tmp_path: Path) -> None:
    throttles = tmp_path / "throttles"
    throttles.write_text("/large/* 1000\n")
    with start("-t", str(throttles)) as server:
        connection = server.connect()
        statuses = []

        def refused() -> bool:
            # What is asked for in small parts is sent at once; the rate is known after two seconds.
            answer = connection.get("/large/file-0001.bin", "Range: bytes=0-249")
            statuses.append(answer.status)
            return answer.status == 503 and answer.headers["retry-after"] == "10"

        until(refused)
        assert set(statuses) == {206, 503}


@pytest.mark.parametrize("sent", [signal.SIGTERM, signal.SIGINT])
def test_a_signal_stops_it_at_once(start: StartServer, sent: signal.Signals) -> None:
    with start() as server:
        stuck(server, 3)
        server.process.send_signal(sent)
        assert server.process.wait(TIMEOUT_S) == 0


def test_a_graceful_end_finishes_what_is_in_hand(start: StartServer) -> None:
    with start() as server:
        idle = server.connect()
        assert idle.get("/hello.txt").body == HELLO
        busy = [server.connect(receive_buffer=4096) for _ in range(3)]
        for connection in busy:
            connection.send(request(LARGE))
            assert connection.socket.recv(15, socket.MSG_PEEK) == b"HTTP/1.1 200 OK"
        server.process.send_signal(signal.SIGUSR1)
        assert idle.ended()
        with pytest.raises(ConnectionRefusedError):
            server.connect()
        assert [len(connection.answer().body) for connection in busy] == [3_000_000] * 3
        assert all(connection.ended() for connection in busy)
        assert server.process.wait(TIMEOUT_S) == 0


def test_a_graceful_end_without_clients_is_immediate(start: StartServer) -> None:
    with start() as server:
        server.process.send_signal(signal.SIGUSR1)
        assert server.process.wait(TIMEOUT_S) == 0


def test_the_log_has_a_line_for_every_request_in_common_log_format(start: StartServer) -> None:
    with start() as server:
        for target in ("/hello.txt", "/nothing", "/site"):
            server.get(target)
        server.connect().get("/hello.txt", "Range: bytes=1-2")
        nonsense = server.connect()
        nonsense.send(b"nonsense\n\n")
        assert nonsense.answer().status == 400
    lines = [LINE.fullmatch(line) for line in server.log.read_text().splitlines()]
    found = [line.groups() for line in lines if line is not None]
    assert len(found) == len(lines)
    pages = [
        str(len(f"<!doctype html>\n<title>{t}</title>\n<h1>{t}</h1>\n")) for t in ("404 Not Found", "400 Bad Request")
    ]
    assert found[0] == ("GET /hello.txt HTTP/1.1", "200", str(len(HELLO)))
    assert found[1] == ("GET /nothing HTTP/1.1", "404", pages[0])
    assert found[2][:2] == ("GET /site HTTP/1.1", "301")
    assert found[3] == ("GET /hello.txt HTTP/1.1", "206", "2")
    assert found[4] == ("-", "400", pages[1])


def test_a_hangup_signal_opens_the_log_anew(start: StartServer) -> None:
    with start() as server:
        server.get("/hello.txt")
        moved = server.log.with_suffix(".1")
        server.log.rename(moved)
        server.process.send_signal(signal.SIGHUP)
        until(server.log.exists)
        server.get("/nothing")
    assert " 200 " in moved.read_text()
    assert " 404 " in server.log.read_text()
    assert " 200 " not in server.log.read_text()


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (["-d", "nowhere"], "cannot read the files in 'nowhere'"),
        (["-l", "nowhere/log"], "cannot write the log 'nowhere/log'"),
        (["-t", "nowhere"], "cannot read the throttles 'nowhere'"),
        (["-t", "bad"], "bad:2: not 'PATTERN BYTES_PER_SECOND'"),
        (["-p", "70000"], "-p takes a number from 0 to 65535, not '70000'"),
        (["-m", "0"], "-m takes a number from 1"),
        (["-i", ""], "-i takes a number"),
        (["more"], "unexpected argument 'more'"),
    ],
)
def test_arguments_that_make_no_sense(program: Program, tmp_path: Path, arguments: list[str], told: str) -> None:
    (tmp_path / "bad").write_text("/x 5\n/y none\n")
    assert_refuses(program, tmp_path, arguments, told)


def test_a_port_that_is_taken(program: Program, server: Server, tmp_path: Path) -> None:
    assert_refuses(program, tmp_path, ["-p", str(server.port)], "choose another port")
    with contextlib.closing(server.connect()) as connection:
        assert connection.get("/hello.txt").body == HELLO
