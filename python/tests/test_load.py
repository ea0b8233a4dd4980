"""Servers under load: they always end, what they say is told when they fail, and one wrong answer is no figure."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_support import ROOT

from heddle.errors import BadInputError
from heddle.measure import load, serving

SERVER = """
import signal, sys, time
signal.signal(signal.SIGTERM, lambda *_: sys.exit({on_stop}))
print("listening on 127.0.0.1:4711", flush=True)
time.sleep({life})
sys.exit({exit_code})
"""


def python_server(on_stop: int = 0, life: float = 60, exit_code: int = 0) -> list[str]:
    return [sys.executable, "-c", SERVER.format(on_stop=on_stop, life=life, exit_code=exit_code)]


def is_running(pid: int) -> bool:
    return Path(f"/proc/{pid}").exists()


def test_a_server_is_up_inside_the_block_and_gone_after_it() -> None:
    with serving.serving(python_server()) as server:
        assert server.port == 4711
        assert is_running(server.pid)
    assert not is_running(server.pid)
    assert server.exit_code == 0


def test_a_server_is_stopped_when_the_block_fails() -> None:
    seen = []
    with pytest.raises(ZeroDivisionError), serving.serving(python_server()) as server:  # noqa: PT012
        seen.append(server.pid)
        raise ZeroDivisionError
    assert not is_running(seen[0])


def test_a_server_that_cannot_start_is_reported_with_its_own_words() -> None:
    command = [sys.executable, "-c", "import sys; sys.exit('imgserve: port 80 is taken: choose another with -p')"]
    with (
        pytest.raises(BadInputError, match=r"ended with exit code 1 .*port 80 is taken: choose another with -p"),
        serving.serving(command),
    ):
        pytest.fail("it never listened")


def test_a_server_that_dies_under_load_is_reported() -> None:
    command = [
        sys.executable,
        "-c",
        "import os; print('listening on 127.0.0.1:1', flush=True); os.kill(os.getpid(), 11)",
    ]
    with pytest.raises(BadInputError, match="was ended by signal 11"), serving.serving(command) as server:
        os.waitid(os.P_PID, server.pid, os.WEXITED | os.WNOWAIT)


def test_a_server_that_fails_while_it_stops_is_reported() -> None:
    with pytest.raises(BadInputError, match="ended with exit code 9"), serving.serving(python_server(on_stop=9)):
        pass


def test_being_told_to_stop_stops_the_server_too() -> None:
    code = (
        "import sys, time; from heddle import interruption; from heddle.measure.serving import serving\n"
        "interruption.as_exception()\n"
        "with serving(sys.argv[1:]) as server:\n"
        "    print(server.pid, flush=True); time.sleep(60)"
    )
    command = [sys.executable, "-c", code, *python_server()]
    environment = dict(os.environ) | {"PYTHONPATH": str(ROOT / "python")}
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        pid = int(process.stdout.readline())
        assert is_running(pid)
        process.terminate()
        assert process.wait(timeout=60) == 128 + signal.SIGTERM
    assert not is_running(pid)


def load_document(**changed: object) -> dict[str, Any]:
    route = {"route": "/thumb", "requests": 100, "p50_ms": 5.0, "p99_ms": 9.0}
    errors = {"total": 0, "connect": 0, "cut": 0, "protocol": 0, "status": 0, "body": 0, "timeout": 0, "examples": []}
    document = {
        "seconds": 2.0,
        "requests": 100,
        "requests_per_s": 50.0,
        "routes": [route],
        "probe": {"p50_ms": 1.0, "p99_ms": 2.0},
        "errors": errors,
        "client_cpu_s": 0.1,
        "server_cpu_s": 1.5,
        "checked_urls": 10,
    }
    return document | changed


def test_figures_are_per_second_of_what_counts() -> None:
    found = load.figures(load_document())
    assert (found.per_s, found.probe_p99_ms, found.checked_urls) == (50.0, 2.0, 10)
    assert found.server_cores == pytest.approx(0.75)
    assert found.cpu_per_request_ms == pytest.approx(15.0)


def test_one_wrong_answer_fails_the_load() -> None:
    errors = load_document()["errors"] | {"total": 1, "body": 1, "examples": ["/thumb/a.jpg: another body"]}
    with pytest.raises(
        load.WrongAnswersError, match=r"1 wrong answers \(1 body\), such as: /thumb/a\.jpg: another body"
    ):
        load.figures(load_document(errors=errors))
