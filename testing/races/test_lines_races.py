"""A server of bufferevents with its own constraints: parallel, the same answers as on libevent, no race."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from instrumented import BUILD, TSAN_BUILD, analysed, instrumented
from matrix import ROOT

SOURCES = ROOT / "testing/servers/lines"
CLIENTS = 8
# Short and long work in turn, several lines at once, and a line that comes in two parts.
QUESTIONS = [[b"30000\n"], [b"10\n20\n", b"40000\n"], [b"5", b"000\n"], [b"60000\n100\n"]] * 3


@contextmanager
def running(program: Path, environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], int]]:
    server = subprocess.Popen(
        [program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )
    try:
        assert server.stdout is not None
        yield server, int(server.stdout.readline().rsplit(":", 1)[1])
        server.send_signal(signal.SIGTERM)
        _, complaints = server.communicate(timeout=60)
        assert (server.returncode, complaints) == (0, "")
    finally:
        server.kill()


def ask(port: int) -> bytes:
    """All answers to one client, which comes back once."""
    answers = b""
    for _ in range(2):
        with socket.create_connection(("127.0.0.1", port), timeout=60) as client:
            for question in QUESTIONS:
                for part in question:
                    client.sendall(part)
                wanted = answers.count(b"\n") + sum(part.count(b"\n") for part in question)
                while answers.count(b"\n") < wanted:
                    received = client.recv(4096)
                    assert received, answers
                    answers += received
    return answers


def answers_of(program: Path, environment: dict[str, str]) -> list[bytes]:
    with running(program, environment) as (_, port), ThreadPoolExecutor(CLIENTS) as clients:
        return list(clients.map(ask, [port] * CLIENTS))


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


def assert_ran_in_parallel(folder: Path) -> None:
    figures = json.loads((folder / "run.json").read_text())
    assert figures["mode"] == "parallel"
    assert figures["peak_parallel"] >= 2, "nothing ran in parallel, so this proved nothing"
    calls = {handler["name"]: handler["invocations"] for handler in figures["handlers"]}
    assert calls["on_lines"] > 0, calls


@pytest.fixture(scope="module")
def program(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return analysed(SOURCES, tmp_path_factory.mktemp("lines") / "plain")


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_the_answers_are_those_of_plain_libevent(program: Path, tmp_path: Path, promote: str) -> None:
    expected = answers_of(program, {})
    assert answers_of(program, parallel(program, BUILD, tmp_path, promote)) == expected
    assert_ran_in_parallel(tmp_path)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_thread_sanitizer_has_nothing_to_report(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, promote: str
) -> None:
    sanitized = instrumented(SOURCES, tmp_path_factory.mktemp("races"))
    answers_of(sanitized, parallel(sanitized, TSAN_BUILD, tmp_path, promote))
    assert "\n".join(path.read_text()[:4000] for path in tmp_path.glob("tsan.*")) == ""
    assert_ran_in_parallel(tmp_path)
