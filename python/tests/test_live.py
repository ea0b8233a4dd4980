"""Looking at a program while it runs: heddle top, SIGUSR1, metrics; and that the program does not notice."""

from __future__ import annotations

import contextlib
import json
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from cli_support import Heddle
from test_real_runtime import TICK

from heddle.documents import schemas
from heddle.program.elf import Elf
from heddle.run import live, view
from heddle.system import machine, places

pytestmark = pytest.mark.skipif(not places.multivent().is_file(), reason="the runtime is not built")

SERVER = """
#include <event2/event.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
static struct event_base *base;
static void ready(void) {
  static int told;
  if (!told++) puts("ready");
  fflush(stdout);
}
void on_tick(evutil_socket_t fd, short what, void *arg) { (void)fd; (void)what; (void)arg; ready(); }
static void on_end(evutil_socket_t fd, short what, void *arg) {
  (void)fd; (void)what; (void)arg;
  event_base_loopbreak(base);
}
static void own(int number) { (void)number; if (write(1, "own\\n", 4) < 0) _exit(1); }
int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  if (strcmp(how, "own") == 0) signal(SIGUSR1, own);
  for (int fd = 3; strcmp(how, "close") == 0 && fd < 1024; ++fd) close(fd);
  base = event_base_new();
  struct timeval often = {0, 10000};
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &often);
  event_add(event_new(base, SIGTERM, EV_SIGNAL, on_end, NULL), NULL);
  if (strcmp(how, "fork") == 0) {
    ready();
    pid_t child = fork();
    if (child == 0) { pause(); _exit(0); }
    int status = 0;
    kill(child, SIGUSR1);
    waitpid(child, &status, 0);
    printf("child %d\\n", WIFSIGNALED(status) ? WTERMSIG(status) : 0);
  }
  fflush(stdout);
  event_base_dispatch(base);
  return wait(NULL) == -1 ? 0 : 9;
}
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    target = tmp_path_factory.mktemp("live") / "server"
    command = ["gcc", "-x", "c", "-", "-o", str(target), "-levent", "-Wl,--build-id"]
    subprocess.run(command, input=SERVER, text=True, check=True)
    return target


@pytest.fixture
def real(tmp_path: Path) -> Heddle:
    found = Heddle(tmp_path, places.build())
    found.environment["XDG_RUNTIME_DIR"] = str(tmp_path)
    return found


Start = Callable[..., contextlib.AbstractContextManager[subprocess.Popen[str]]]


@pytest.fixture
def start(real: Heddle, built: Path, constraints_for: Callable[..., Path], monkeypatch: pytest.MonkeyPatch) -> Start:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(real.folder))
    program = real.folder / "server"
    program.write_bytes(built.read_bytes())
    program.chmod(0o755)
    constraints_for(program, Elf(program).build_id() or "", **TICK)

    @contextlib.contextmanager
    def started(*options: str, arguments: tuple[str, ...] = ()) -> Iterator[subprocess.Popen[str]]:
        command = [sys.executable, "-m", "heddle", "run", *options, "./server", *arguments]
        with subprocess.Popen(
            command,
            cwd=real.folder,
            env=real.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        ) as process:
            try:
                assert process.stdout is not None
                for line in process.stdout:
                    if line == "ready\n":
                        break
                yield process
            finally:
                process.kill()

    return started


def ended(process: subprocess.Popen[str]) -> tuple[int, str, str]:
    process.send_signal(signal.SIGTERM)
    out, err = process.communicate(timeout=20)
    return process.returncode, out, err


def test_top_shows_the_only_program_and_its_figures_move(real: Heddle, start: Start) -> None:
    with start("--threads", "2") as process:
        first = json.loads(real("top", "--json").out)
        assert schemas.problems(first, "run") == []
        time.sleep(0.3)
        second = json.loads(real("top", str(process.pid), "--json").out)
        (tick,) = [h for h in second["handlers"] if h["name"] == "on_tick"]
        assert tick["invocations"] > first["handlers"][0]["invocations"]
        text = real("top").out
        assert text.startswith("server: 2 threads; ")
        assert "on_tick" in text
        code, out, err = ended(process)
        assert (code, out) == (0, "")
        assert err.count("heddle: parallel, 2 threads") == 1
    assert list((real.folder / "heddle").iterdir()) == []


def test_without_a_program_top_says_how_to_start_one(real: Heddle) -> None:
    done = real("top")
    assert (done.code, done.err.count("\n")) == (2, 1)
    assert "no program runs under heddle" in done.err
    assert "as process 1" in real("top", "1").err


def test_what_a_killed_program_leaves_is_taken_away(real: Heddle, start: Start) -> None:
    with start("--threads", "2") as process:
        assert real("top").code == 0
        process.kill()
        process.wait()
    assert "no program runs" in real("top").err
    assert list((real.folder / "heddle").iterdir()) == []


def test_sigusr1_prints_the_summary_and_the_program_goes_on(real: Heddle, start: Start) -> None:
    with start("--threads", "2") as process:
        while not (real.folder / "heddle" / f"{process.pid}.json").exists():  # from then on the signal is answered
            time.sleep(0.001)
        process.send_signal(signal.SIGUSR1)
        assert process.stderr is not None
        lines = [process.stderr.readline() for _ in range(2)]
        assert lines[0].startswith("heddle: running")
        assert lines[1].startswith("heddle: parallel, 2 threads")
        code, _, err = ended(process)
        assert (code, err.count("heddle: parallel, 2 threads")) == (0, 1)


def test_a_program_keeps_its_own_sigusr1(start: Start) -> None:
    with start("--threads", "2", arguments=("own",)) as process:
        process.send_signal(signal.SIGUSR1)
        assert process.stdout is not None
        assert process.stdout.readline() == "own\n"
        assert ended(process)[0] == 0


def test_a_program_may_close_descriptors_that_it_did_not_open(real: Heddle, start: Start) -> None:
    with start("--threads", "2", arguments=("close",)) as process:
        assert real("top").code == 0
        assert ended(process)[0] == 0


def test_a_child_has_the_usual_sigusr1(start: Start) -> None:
    with start("--threads", "2", arguments=("fork",)) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == f"child {int(signal.SIGUSR1)}\n"
        assert ended(process)[0] == 0


def test_a_serial_run_is_one_thread_without_a_watcher(real: Heddle, start: Start) -> None:
    with start("--serial") as process:
        assert len(list(Path(f"/proc/{process.pid}/task").iterdir())) == 1
        assert "no program runs" in real("top").err


def tasks(process: subprocess.Popen[str]) -> int:
    return len(list(Path(f"/proc/{process.pid}/task").iterdir()))


def until_shown(real: Heddle, process: subprocess.Popen[str]) -> None:
    while not (real.folder / "heddle" / f"{process.pid}.json").exists():
        time.sleep(0.001)


@pytest.mark.skipif(machine.cores() == 1, reason="with one core such a run is serial")
def test_a_run_that_finds_out_its_threads_has_one_until_top_asks(real: Heddle, start: Start) -> None:
    with start("--threads", "auto") as process:
        until_shown(real, process)
        assert tasks(process) == 1
        first = json.loads(real("top", "--json").out)
        time.sleep(0.3)
        second = json.loads(real("top", str(process.pid), "--json").out)
        assert second["handlers"][0]["invocations"] > first["handlers"][0]["invocations"] > 0
        assert tasks(process) == 2
        assert ended(process)[0] == 0
    assert list((real.folder / "heddle").iterdir()) == []


@pytest.mark.skipif(machine.cores() == 1, reason="with one core such a run is serial")
def test_a_run_of_one_thread_that_may_get_more_answers_sigusr1(real: Heddle, start: Start) -> None:
    with start("--threads", "auto") as process:
        until_shown(real, process)
        process.send_signal(signal.SIGUSR1)
        assert process.stderr is not None
        lines = [process.stderr.readline() for _ in range(2)]
        assert lines[0].startswith("heddle: running")
        assert lines[1].startswith("heddle: parallel")
        assert ended(process)[0] == 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def scrape(port: int) -> dict[str, float]:
    from prometheus_client.parser import text_string_to_metric_families

    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=20) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        return {
            sample.name + "".join(f" {value}" for value in sample.labels.values()): sample.value
            for family in families
            for sample in family.samples
        }


@pytest.mark.parametrize("how", [("--threads", "2"), ("--serial",)])
def test_metrics_are_served_until_the_program_ends(start: Start, how: tuple[str, ...]) -> None:
    port = free_port()
    with start(*how, "--metrics", str(port)) as process:
        first = scrape(port)
        assert first["heddle_parallel"] == (how[0] == "--threads")
        time.sleep(0.2)
        key = "heddle_handler_run_seconds_count on_tick"
        assert scrape(port)[key] > first[key]
        assert ended(process)[0] == 0  # the server is no child of the program, and holds none of its streams
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) != 0:
                return
        time.sleep(0.05)
    pytest.fail("the port is still served")


def test_a_port_that_is_taken_stops_the_start(real: Heddle, start: Start, toy: Path) -> None:
    del start
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = real("run", "--serial", "--metrics", str(port), f"./{toy.name}", "hello")
        assert (done.code, done.out) == (2, "")
        assert f"--metrics {port} is not possible" in done.err


def test_the_view_shows_differences_and_fits() -> None:
    def document(invocations: int, seconds: float, waited: int) -> dict[str, object]:
        figures = {"min": 0.0, "mean": 0.001, "max": 0.1, "p50": 0.001, "p99": 0.05}
        return {
            "program": {"name": "server"},
            "settings": {"threads": 4},
            "mode": "parallel",
            "seconds": seconds,
            "cpu_seconds": seconds * 2,
            "handlers": [
                {"name": "on_" + "x" * 200, "known": False, "invocations": invocations, "run": figures, "wait": figures}
            ],
            "contention": [
                {
                    "waiter": "a",
                    "holder": "b",
                    "verdict": "always",
                    "objects": ["counter"],
                    "count": waited,
                    "seconds": waited * 0.01,
                }
            ],
        }

    lines = view.lines(document(300, 11.0, 5), document(100, 10.0, 3), 300)
    assert lines[0] == "server: 4 threads; 2.00 processors busy in the last second"
    assert " 200 " in lines[3]
    assert " 20% " in lines[3]
    assert "    a waited 20 ms for b, 2 times on counter" in lines
    assert all(len(line) <= 60 for line in view.lines(document(300, 11.0, 5), None, 60))


def test_a_folder_of_somebody_else_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path))
    (tmp_path / "heddle").mkdir(mode=0o777)
    (tmp_path / "heddle").chmod(0o777)
    with pytest.raises(live.BadInputError, match="not a folder of yours alone"):
        live.folder()
