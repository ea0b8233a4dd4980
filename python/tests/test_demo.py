"""`heddle demo`: its servers always end, its comparison is fair, and wrong answers fail it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from cli_support import GOLDEN, ROOT, Heddle

from heddle import nodejs, places
from heddle.constraints import Constraints
from heddle.demo import load, serving
from heddle.errors import BadInputError
from heddle.report import contention

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
        "import sys, time; from heddle import interruption; from heddle.demo.serving import serving\n"
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
    found = load.measured(load_document(), busy_s=1.6, elapsed_s=2.0)
    assert (found.per_s, found.probe_p99_ms, found.checked_urls) == (50.0, 2.0, 10)
    assert found.server_cores == pytest.approx(0.75)
    assert found.cpu_per_request_ms == pytest.approx(15.0)
    assert found.foreign == pytest.approx(0.0)


def test_processor_time_of_others_is_noticed() -> None:
    assert load.measured(load_document(), busy_s=2.6, elapsed_s=2.0).foreign > 0


def test_one_wrong_answer_fails_the_load() -> None:
    errors = load_document()["errors"] | {"total": 1, "body": 1, "examples": ["/thumb/a.jpg: another body"]}
    with pytest.raises(
        load.WrongAnswersError, match=r"1 wrong answers \(1 body\), such as: /thumb/a\.jpg: another body"
    ):
        load.measured(load_document(errors=errors), 0, 2.0)


def entry(waiter: str, holder: str, count: int, seconds: float, verdict: str = "always") -> dict[str, Any]:
    return {"waiter": waiter, "holder": holder, "verdict": verdict, "count": count, "seconds": seconds}


@pytest.fixture
def constraints() -> Constraints:
    return Constraints(json.loads((GOLDEN / "server.constraints.json").read_text()))


def test_waiting_is_added_up_over_runs_and_directions(constraints: Constraints) -> None:
    runs = [
        {"contention": [entry("on_lookup", "on_accept", 2, 0.5), entry("on_render", "on_render", 1, 0.1, "session")]},
        {"contention": [entry("on_accept", "on_lookup", 1, 0.25)]},
    ]
    found = contention.hindrances(constraints, runs)
    assert [(h.first, h.second, h.count, h.seconds) for h in found] == [
        ("on_accept", "on_lookup", 3, 0.75),
        ("on_render", "on_render", 1, 0.1),
    ]


def test_a_hindrance_names_object_places_and_paths(constraints: Constraints) -> None:
    hindrance = contention.hindrances(constraints, [{"contention": [entry("on_lookup", "on_accept", 2, 1.5)]}])[0]
    assert contention.describe(constraints, hindrance, 100) == [
        "  on_accept x on_lookup: waited 2 times, 1.50 s in all, on stats.requests (global, server.c:6)",
        "     write  on_lookup server.c:36",
        "     read   on_accept server.c:25",
    ]


def test_a_hindrance_by_a_handler_that_is_not_known_says_so(constraints: Constraints) -> None:
    hindrance = contention.hindrances(constraints, [{"contention": [entry("on_lookup", "plugin_cb", 1, 0.001)]}])[0]
    assert contention.describe(constraints, hindrance, 100) == [
        "  on_lookup x plugin_cb: waited 1 time, 1.0 ms in all; what they share is not known"
    ]


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (["demo", "basic"], "heddle: there is no demo 'basic': use heddle demo c or heddle demo node"),
        (["demo", "--threads", "1"], "heddle: --threads 1 would compare libevent with itself: give 2 or more"),
        (["demo", "--threads", "x"], "heddle: --threads x is not possible: give a number from 1 to 1024, or auto"),
    ],
)
def test_a_demo_that_makes_no_sense_is_refused(heddle: Heddle, words: list[str], line: str) -> None:
    done = heddle(*words)
    assert (done.code, done.line) == (2, line)


def all_parts_built() -> bool:
    return all(part.is_file() for part in (places.elyze(), places.multivent(), places.load_generator()))


@pytest.mark.skipif(not all_parts_built(), reason="the native parts are not built")
def test_the_whole_demo_compares_answers_and_names_what_to_do_next(tmp_path: Path) -> None:
    # The constants are shrunk; figures of so short a run mean nothing, and none is looked at.
    shrunk = (
        "import sys; from heddle.demo import imgserve as demo\n"
        "demo.PICTURES, demo.ROUNDS, demo.MEASURED_S, demo.WARM_UP_S = 12, 1, 0.5, 0.1\n"
        "from heddle import places; from pathlib import Path; places.root = lambda: Path(sys.argv[1])\n"
        "from heddle.cli.app import main; sys.exit(main(['demo', '--threads', '2', '--json', sys.argv[2]]))"
    )
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "schemas").symlink_to(ROOT / "schemas")
    (tmp_path / "elyze").symlink_to(ROOT / "elyze")
    runner = Heddle(tmp_path, places.build())
    done = subprocess.run(
        [sys.executable, "-c", shrunk, str(tmp_path), str(tmp_path / "figures.json")],
        env=runner.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "12 URLs, answered byte for byte the same under both" in done.stdout
    assert "What still holds it back most" in done.stdout
    assert "--why on_" in done.stdout
    # That is how the server ends, not how it works.
    assert not [line for line in done.stdout.splitlines() if "on_signal" in line and "waited" in line]
    figures = json.loads((tmp_path / "figures.json").read_text())
    assert figures["checked_urls"] == 12
    assert {row["what"] for row in figures["results"]} >= {"thumbnails per second", "/stats p99, ms"}


@pytest.mark.skipif(
    not (nodejs.is_built() and places.load_generator().is_file()), reason="heddle-node or the load is not built"
)
def test_the_node_demo_compares_answers_and_shows_the_report(tmp_path: Path) -> None:
    shrunk = (
        "import sys; from heddle.demo import node as demo\n"
        "demo.PAGES, demo.ROUNDS, demo.MEASURED_S, demo.WARM_UP_S = 6, 1, 0.6, 0.3\n"
        "from heddle import places; from pathlib import Path; places.root = lambda: Path(sys.argv[1])\n"
        "from heddle.cli.app import main; sys.exit(main(['demo', 'node', '--json', sys.argv[2]]))"
    )
    for name in ("examples", "node", "schemas"):
        (tmp_path / name).symlink_to(ROOT / name)
    done = subprocess.run(
        [sys.executable, "-c", shrunk, str(tmp_path), str(tmp_path / "figures.json")],
        env=Heddle(tmp_path, places.build()).environment | {"HEDDLE_NODE": str(nodejs.node())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "6 URLs, answered byte for byte the same under both" in done.stdout
    assert "What heddle-node says of its last round\n  heddle: " in done.stdout
    assert json.loads((tmp_path / "figures.json").read_text())["demo"] == "node"
