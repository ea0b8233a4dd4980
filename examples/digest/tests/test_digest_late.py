"""Handlers that all count errors in one place: one after the other as they are, together when built with --late."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from testing.servers.instrumented import BUILD, TSAN_BUILD, heddle
from testing.servers.server_process import build_id, copy_sources

SOURCES = Path(__file__).resolve().parents[1]
CLIENTS = 6
LINES = [f"{20_000 + 5_000 * (n % 3)} text {n}\n" for n in range(30)]
WRONG = {4: "hello\n", 11: "0 too few\n", 18: "12\n", 25: "-1 below\n"}
SANITIZED = ("CFLAGS=-O1 -g -fsanitize=thread", "LDFLAGS=-fsanitize=thread")


def built(folder: Path, *options: str) -> Path:
    copy_sources(SOURCES, folder)
    heddle("build", *options, "--", "make", cwd=folder)
    heddle("analyze", "digest", cwd=folder)
    return folder / "digest"


def sanitized(late: Path, folder: Path) -> Path:
    """With ThreadSanitizer and late points, under the constraints of the program without the former."""
    copy_sources(SOURCES, folder)
    heddle("build", "--late", "--", "make", *SANITIZED, cwd=folder)
    document = document_of(late)
    document["program"]["build_id"] = build_id(folder / "digest")
    (folder / "digest.constraints.json").write_text(json.dumps(document))
    return folder / "digest"


def document_of(program: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Path(f"{program}.constraints.json").read_text())
    return found


def under_runtime(program: Path, folder: Path, promote: str = "adaptive", runtime: Path = BUILD) -> dict[str, str]:
    return {
        "LD_PRELOAD": str(runtime / "multivent/libmultivent.so"),
        "TSAN_OPTIONS": f"log_path={folder / 'tsan'} exitcode=66",
        "HEDDLE_THREADS": "4",
        "HEDDLE_CONSTRAINTS": f"{program}.constraints.json",
        "HEDDLE_RUN_FILE": str(folder / "run.json"),
        "HEDDLE_ORACLE": "1",
        "HEDDLE_PROMOTE": promote,
    }


@contextmanager
def running(program: Path, environment: dict[str, str]) -> Iterator[tuple[subprocess.Popen[str], int]]:
    server = subprocess.Popen(
        [program], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, env={**os.environ, **environment}
    )
    try:
        assert server.stdout is not None
        yield server, int(server.stdout.readline().rsplit(":", 1)[1])
    finally:
        server.kill()
        server.communicate()


def ask(client: int, port: int) -> list[str]:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as connection:
        stream = connection.makefile("rw", newline="\n")
        answers = []
        for n, line in enumerate(LINES):
            stream.write(WRONG.get((n + client) % len(LINES), line))
            stream.flush()
            answers.append(stream.readline())
        return answers


def run(program: Path, environment: dict[str, str]) -> tuple[list[list[str]], str]:
    """What each client was told, and what the server says of its errors in the end."""
    with running(program, environment) as (server, port):
        with ThreadPoolExecutor(CLIENTS) as clients:
            answers = list(clients.map(ask, range(CLIENTS), [port] * CLIENTS))
        server.send_signal(signal.SIGUSR1)
        assert server.stdout is not None
        assert server.stdout.readline()
        time.sleep(0.1)  # the end and the report have nothing in common, and would overlap
        server.send_signal(signal.SIGTERM)
        said, complaints = server.communicate(timeout=60)
        assert (server.returncode, complaints) == (0, "")
        return answers, said.splitlines()[-1]


def peak(folder: Path) -> int:
    """Handlers at once; one thread runs all where every pair is `always`."""
    figures = json.loads((folder / "run.json").read_text())
    if figures["mode"] == "serial":
        assert figures["why"] == "none of its handlers may run beside another one or itself"
        return 1
    return int(figures["peak_parallel"])


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("plain") / "src")


@pytest.fixture(scope="module")
def late(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("late") / "src", "--late")


def by_names(program: Path, key: str) -> dict[tuple[str, str], Any]:
    document = document_of(program)
    names = [handler["name"] for handler in document["handlers"]]
    return {(names[pair["a"]], names[pair["b"]]): pair.get(key) for pair in document["pairs"]}


def test_without_late_points_the_counters_keep_all_that_count_apart(plain: Path) -> None:
    verdicts = by_names(plain, "verdict")
    counting = [pair for pair in verdicts if set(pair) <= {"on_accept", "on_readable"}]
    assert [verdicts[pair] for pair in counting] == ["always"] * 3
    assert set(by_names(plain, "starts").values()) == {None}
    assert "late_points" not in document_of(plain)


def test_with_late_points_they_start_together_and_each_point_is_named(late: Path) -> None:
    starts = by_names(late, "starts")
    assert starts["on_accept", "on_readable"] == {"a": "never", "b": "never"}
    assert starts["on_readable", "on_readable"] == {"a": "session", "b": "session"}
    # The report reads the counters at once: others may start beside it, it does not start beside them.
    assert starts["on_report", "on_readable"] == {"a": "always", "b": "never"}
    assert by_names(late, "verdict")["on_readable", "on_readable"] == "always"
    source = (SOURCES / "main.c").read_text().splitlines()
    counted = [point for point in document_of(late)["late_points"] if "errors_count" in source[point["line"] - 1]]
    assert len(counted) >= 4


@pytest.mark.timeout(300)
def test_built_with_late_points_it_is_what_it_was_under_plain_libevent(plain: Path, late: Path) -> None:
    assert run(late, {}) == run(plain, {})


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_handlers_overlap_only_with_late_points_and_the_results_are_equal(
    plain: Path, late: Path, tmp_path: Path, promote: str
) -> None:
    expected = run(plain, {})
    assert expected[1].startswith(f"bad requests {CLIENTS * len(WRONG)},")
    assert run(plain, under_runtime(plain, tmp_path, promote)) == expected
    assert peak(tmp_path) == 1
    assert run(late, under_runtime(late, tmp_path, promote)) == expected
    assert peak(tmp_path) >= 2


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_thread_sanitizer_has_nothing_to_report(
    plain: Path, late: Path, tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, promote: str
) -> None:
    program = sanitized(late, tmp_path_factory.mktemp("races") / "src")
    assert run(program, under_runtime(program, tmp_path, promote, TSAN_BUILD)) == run(plain, {})
    assert "\n".join(path.read_text()[:4000] for path in tmp_path.glob("tsan.*")) == ""
    assert peak(tmp_path) >= 2


def test_a_program_without_the_late_points_that_its_constraints_rest_on_is_refused(
    plain: Path, late: Path, tmp_path: Path
) -> None:
    document = document_of(late)
    document["program"]["build_id"] = build_id(plain)
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(document))
    environment = {**os.environ, **under_runtime(plain, tmp_path), "HEDDLE_CONSTRAINTS": str(wrong)}
    done = subprocess.run([plain], env=environment, capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode != 0
    assert "rests on a late point at main.c:" in done.stderr
    assert "heddle build --late" in done.stderr


@pytest.mark.timeout(300)
def test_the_oracle_finds_no_overlap_that_was_allowed_and_those_that_were_not(tmp_path: Path) -> None:
    program = built(tmp_path / "src", "--late", "--trace")
    trace = tmp_path / "run.accesses"
    run(program, {"HEDDLE_ACCESSES": str(trace)})
    heddle("check", trace, f"{program}.constraints.json", cwd=tmp_path)
    document = document_of(program)
    for pair in document["pairs"]:
        pair["starts"] = {"a": "never", "b": "never"}  # as if all of it were touched behind late points
    wrong = tmp_path / "wrong.json"
    wrong.write_text(json.dumps(document))
    with pytest.raises(subprocess.CalledProcessError):
        heddle("check", trace, wrong, cwd=tmp_path)
