"""`heddle ipc record` counts what a program is known to send, and leaves the program as it is."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from heddle.documents import schemas
from heddle.ipc.data import Image, Meter
from heddle.system import places

HERE = Path(__file__).resolve().parent
ROUNDS, BATCH, BYTES = 50, 4, 100

if not places.ipc().is_file():
    pytest.skip("the library that records is not built", allow_module_level=True)


@pytest.fixture(scope="module")
def talk(tmp_path_factory: pytest.TempPathFactory) -> Path:
    program = tmp_path_factory.mktemp("talk") / "talk"
    subprocess.run(["gcc", "-O1", "-Wall", HERE / "talk.c", "-o", program, "-pthread"], check=True)
    return program


@dataclass(frozen=True)
class Recorded:
    code: int
    out: str
    err: str
    document: dict[str, Any]

    def flows(self) -> list[tuple[int, int, dict[str, Any]]]:
        """Sender, receiver, and what it sent, in the order of the processes' numbers."""
        found = [flow for pair in self.document["pairs"] for flow in pair["flows"]]
        return sorted(((flow["from"], flow["to"], flow) for flow in found), key=lambda one: one[:2])

    def between(self) -> dict[tuple[int, int], dict[str, int]]:
        """Sums by sender and receiver, numbered as they began."""
        order = {}
        for process in self.document["processes"]:
            order.setdefault(process["pid"], len(order))
        sums: dict[tuple[int, int], dict[str, int]] = {}
        for sender, receiver, flow in self.flows():
            of = sums.setdefault((order[sender], order[receiver]), dict.fromkeys(("messages", "bytes", "batches"), 0))
            for name in of:
                of[name] += flow[name]
        return sums


def record(folder: Path, *command: str | Path, options: tuple[str, ...] = (), **more: Any) -> Recorded:  # noqa: ANN401
    file = folder / "ipc.json"
    words = [sys.executable, "-m", "heddle", "ipc", "record", "--json", str(file), *options, "--", *map(str, command)]
    done = subprocess.run(words, capture_output=True, text=True, check=False, cwd=folder, timeout=60, **more)
    document = json.loads(file.read_text()) if file.exists() else {}
    if document:
        schemas.check(document, "ipc_report", str(file))
    return Recorded(done.returncode, done.stdout, done.stderr, document)


def asked(rounds: int = ROUNDS, batch: int = BATCH, size: int = BYTES) -> dict[str, int]:
    return {"messages": rounds * batch, "bytes": rounds * batch * size, "batches": rounds}


def answered(rounds: int = ROUNDS) -> dict[str, int]:
    return {"messages": rounds, "bytes": rounds, "batches": rounds}


KINDS = {
    "stream": "UNIX stream",
    "packet": "UNIX packet",
    "datagram": "UNIX datagram",
    "pipes": "pipe",
    "unix": "UNIX stream",
    "tcp": "TCP",
    "tcp6": "TCP",
    "named-datagrams": "UNIX datagram",
    "udp": "UDP",
    "stdio": "pipe",
    "exec": "UNIX stream",
    "vectors": "UNIX datagram",
    "killed": "UNIX stream",
    "numbers": "UNIX stream",
}


@pytest.mark.parametrize("way", KINDS)
def test_messages_bytes_and_batches_are_counted_exactly(talk: Path, tmp_path: Path, way: str) -> None:
    recorded = record(tmp_path, talk, way, str(ROUNDS), str(BATCH), str(BYTES))
    assert (recorded.code, recorded.out) == (0, "done\n"), recorded.err
    assert recorded.between() == {(0, 1): asked(), (1, 0): answered()}
    assert {flow["kind"] for _, _, flow in recorded.flows()} == {KINDS[way]}
    assert {flow["received_bytes"] for _, _, flow in recorded.flows()} == {asked()["bytes"], answered()["bytes"]}
    assert recorded.document["notes"] == []
    assert recorded.document["outside"] == []


@pytest.mark.parametrize("way", ["packet", "datagram", "vectors", "named-datagrams", "udp"])
def test_each_datagram_is_received_by_a_call(talk: Path, tmp_path: Path, way: str) -> None:
    recorded = record(tmp_path, talk, way, str(ROUNDS), str(BATCH), str(BYTES))
    assert [flow["receives"] for _, _, flow in recorded.flows()] == [ROUNDS * BATCH, ROUNDS]


def test_many_connections_of_two_processes_are_one_pair(talk: Path, tmp_path: Path) -> None:
    recorded = record(tmp_path, talk, "connections", "2", "3", "10")
    assert recorded.between() == {(0, 1): asked(200, 3, 10), (1, 0): answered(200)}
    assert len(recorded.document["pairs"]) == 1


def test_threads_of_a_process_are_told_together(talk: Path, tmp_path: Path) -> None:
    recorded = record(tmp_path, talk, "threads", str(ROUNDS), str(BATCH), str(BYTES))
    assert recorded.between() == {
        (0, 1): asked(),
        (1, 0): answered(),
        (0, 2): asked(),
        (2, 0): answered(),
    }


def test_a_descriptor_is_followed_under_all_its_numbers(talk: Path, tmp_path: Path) -> None:
    recorded = record(tmp_path, talk, "duplicates", str(ROUNDS), str(BATCH), str(BYTES))
    sent = recorded.between()[0, 1]
    assert sent == {"messages": 3 + (ROUNDS - 1) * BATCH, "bytes": ROUNDS * BATCH * BYTES, "batches": ROUNDS + 1}
    assert recorded.between()[1, 0] == answered()


def test_a_descriptor_that_was_passed_leads_to_who_uses_it(talk: Path, tmp_path: Path) -> None:
    recorded = record(tmp_path, talk, "passing", str(ROUNDS), str(BATCH), str(BYTES))
    by_kind = {(flow["kind"], flow["from"] < flow["to"]): flow["messages"] for _, _, flow in recorded.flows()}
    assert by_kind == {("UNIX stream", True): ROUNDS * BATCH, ("UNIX stream", False): ROUNDS, ("UNIX packet", False): 1}
    assert any("descriptors are passed" in clash for pair in recorded.document["pairs"] for clash in pair["clashes"])


def test_a_daemon_is_followed(talk: Path, tmp_path: Path) -> None:
    recorded = record(tmp_path, talk, "daemon", str(ROUNDS), str(BATCH), str(BYTES), options=("--wait",))
    assert asked() in recorded.between().values()
    assert answered() in recorded.between().values()


def test_a_process_that_goes_on_is_recorded_until_the_command_ends(tmp_path: Path) -> None:
    recorded = record(tmp_path, "sh", "-c", "sleep 30 >/dev/null 2>&1 & echo $!; sleep 0.5")
    assert any("went on after the command" in note for note in recorded.document["notes"])
    os.kill(int(recorded.out), signal.SIGKILL)


def test_the_parts_of_a_pipeline_are_pairs(tmp_path: Path) -> None:
    recorded = record(tmp_path, "sh", "-c", "seq 100000 | grep 7 | wc -l")
    assert recorded.out == "40951\n"
    assert [(pair["a"], pair["b"]) for pair in recorded.document["pairs"]] in (
        [("grep", "seq"), ("grep", "wc")],
        [("grep", "wc"), ("grep", "seq")],
    )
    by_names = {(pair["a"], pair["b"]): pair for pair in recorded.document["pairs"]}
    assert by_names["grep", "seq"]["bytes"] == len("".join(f"{n}\n" for n in range(1, 100001)))
    assert all("standard input" in clash for pair in recorded.document["pairs"] for clash in pair["clashes"][:1])


def test_python_programs_are_followed(tmp_path: Path) -> None:
    server = (
        "import socket, subprocess, sys\n"
        "one, other = socket.socketpair()\n"
        "code = 'import socket as t, sys; s = t.socket(fileno=int(sys.argv[1]));'\n"
        "code += '[s.send(s.recv(9)) for _ in range(20)]'\n"
        "child = subprocess.Popen([sys.executable, '-c', code, str(other.fileno())], pass_fds=[other.fileno()])\n"
        "other.close()\n"
        "for _ in range(20):\n    one.sendall(b'question!')\n    assert one.recv(9) == b'question!'\n"
        "sys.exit(child.wait() + 7)\n"
    )
    recorded = record(tmp_path, sys.executable, "-c", server)
    assert recorded.code == 7
    told = [flow for _, _, flow in recorded.flows() if flow["kind"] == "UNIX stream"]
    assert [(flow["messages"], flow["bytes"], flow["batches"]) for flow in told] == [(20, 180, 20), (20, 180, 20)]


def test_streams_signals_and_exit_codes_are_the_commands_own(tmp_path: Path) -> None:
    script = "cat; echo wrong >&2; exit 5"
    recorded = record(tmp_path, "sh", "-c", script, input="given\n")
    assert (recorded.code, recorded.out, recorded.err) == (5, "given\n", "wrong\n")
    assert record(tmp_path, "sh", "-c", "kill -TERM $$").code == 128 + signal.SIGTERM


def test_after_ctrl_c_the_report_comes_all_the_same(tmp_path: Path) -> None:
    file = tmp_path / "ipc.json"
    script = "trap 'echo over; exit 9' INT; echo ready; while :; do sleep 0.1; done"
    words = [sys.executable, "-m", "heddle", "ipc", "record", "--json", str(file), "--", "sh", "-c", script]
    # A shell cannot trap what was ignored when it started, as SIGINT is in the background of another shell.
    with subprocess.Popen(
        words,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    ) as running:
        assert running.stdout is not None
        assert running.stdout.readline() == "ready\n"
        os.killpg(running.pid, signal.SIGINT)
        assert running.wait(20) == 9
        assert running.stdout.read() == "over\n"
    assert json.loads(file.read_text())["exit_code"] == 9


def test_what_cannot_be_followed_is_said(tmp_path: Path) -> None:
    static = tmp_path / "fixed"
    subprocess.run(["gcc", "-static", "-x", "c", "-", "-o", static], input=b"int main(void) { return 0; }", check=True)
    recorded = record(tmp_path, "sh", "-c", f"{static}; true")
    assert [(each["program"], each["why"]) for each in recorded.document["not_recorded"]] == [
        (str(static), "it is linked statically")
    ]
    assert "linked statically" in record(tmp_path, static).document["notes"][0]


def test_others_that_were_not_recorded_are_named(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        code = f"import socket; s = socket.create_connection(('127.0.0.1', {port})); s.sendall(b'hello'); s.recv(9)"
        command = [
            sys.executable,
            "-m",
            "heddle",
            "ipc",
            "record",
            "--json",
            "ipc.json",
            "--",
            sys.executable,
            "-c",
            code,
        ]
        with subprocess.Popen(command, cwd=tmp_path) as running:
            connection, _ = server.accept()
            with connection:
                assert connection.recv(9) == b"hello"
            assert running.wait(20) == 0
    [outside] = json.loads((tmp_path / "ipc.json").read_text())["outside"]
    assert (outside["peer"], outside["messages"], outside["bytes"]) == (f"127.0.0.1:{port}", 1, 5)
    assert not outside["another_machine"]


def test_a_program_that_is_not_there_is_bad_input(tmp_path: Path) -> None:
    recorded = record(tmp_path, "no-such-program")
    assert recorded.code == 2
    assert "no-such-program" in recorded.err


def test_the_report_is_for_people(talk: Path, tmp_path: Path) -> None:
    file = tmp_path / "report.txt"
    words = [sys.executable, "-m", "heddle", "ipc", "record", "--report", str(file), "--"]
    done = subprocess.run(
        [*words, talk, "stream", "2000", "20", "64"], capture_output=True, text=True, check=False, cwd=tmp_path
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "done\n", "")
    text = file.read_text()
    assert "talk <-> talk (UNIX stream)" in text
    assert "42,000, 2.6 MB, 61 B each" in text
    assert "4,000, 10.5 messages each" in text
    assert "=> batch:" in text


def test_processor_time_is_the_kernels(talk: Path, tmp_path: Path) -> None:
    recorded = record(tmp_path, talk, "stream", "3000", "10", "64")
    [pair] = recorded.document["pairs"]
    whole = sum(process["cpu_s"] for process in recorded.document["processes"])
    # It does little else but talk, and no more than all of it.
    assert 0.4 * whole < pair["ipc_s"] < 1.1 * whole
    assert pair["ipc_error_s"] < 0.1 * pair["ipc_s"]


def test_a_process_that_computes_has_a_small_share(tmp_path: Path) -> None:
    code = "import os; os.write(1, b'x'); sum(range(3_000_000)); os.write(1, b'x')"
    recorded = record(tmp_path, "sh", "-c", f'{sys.executable} -c "{code}" | cat')
    [pair] = recorded.document["pairs"]
    assert (pair["messages"], pair["bytes"], pair["advice"]) == (2, 2, "leave")
    assert pair["share"] < 0.02


def test_an_estimate_knows_its_error() -> None:
    every = Meter(
        calls=13, short_calls=3, short_ns=2_000, samples=10, weight=10, time_ns=90_000, square=10 * 81e6 / 1024
    )
    assert every.cpu_s == pytest.approx(92e-6)
    assert every.variance == 0
    # 100 calls, of which 10 were timed: half 1 us, half 3 us.
    some = Meter(calls=100, samples=10, weight=100, time_ns=200_000, square=100 * 5_000_000 / 1024)
    assert some.cpu_s == pytest.approx(200e-6)
    assert some.variance == pytest.approx((100**2) * 1e-12 * 0.9 / 10)


def test_names_say_what_an_interpreter_runs() -> None:
    def name(path: str, *arguments: str) -> str:
        numbers = "pid parent user flags start_ns end_ns cpu_ns samples sample_ns own_ns calls lost stale call_ns"
        rest = dict.fromkeys((*numbers.split(), "unseen_children"), 0)
        return Image(**rest, path=path, arguments=arguments, idle=Meter(), unclaimed=Meter()).name

    assert name("/usr/bin/python3.11", "python3", "-u", "/srv/app.py", "x") == "python3.11 app.py"
    assert name("/usr/bin/python3.11", "python3", "-m", "http.server") == "python3.11 -m http.server"
    assert name("/usr/bin/redis-check-rdb", "/usr/bin/redis-server", "x.conf") == "redis-server"
    assert name("/usr/sbin/nginx", "nginx: worker process") == "nginx"
    assert name("/usr/bin/nothing-is-known") == "nothing-is-known"


def test_recording_costs_little(talk: Path, tmp_path: Path) -> None:
    """No judgement of time: that what recording says it took itself is part of what the kernel says."""
    began = time.process_time()
    recorded = record(tmp_path, talk, "pipes", "5000", "4", "64")
    assert time.process_time() - began < 5
    took = sum(process["recording_s"] for process in recorded.document["processes"])
    assert 0 < took < sum(process["cpu_s"] for process in recorded.document["processes"])
