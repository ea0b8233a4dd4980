"""Programs that link the runtime: found by pkg-config and by CMake, with both ways that libevent is divided.

And programs of either division that do not link it, under `heddle run`.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import pytest

from heddle.documents import schemas
from heddle.documents.contracts import VERSIONS
from heddle.program.elf import Elf
from testing.servers.instrumented import analysed
from testing.servers.libevent_parts import SERVERS, answers_of, assert_ran_in_parallel, parallel

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
SOURCE = HERE / "meeting.c"
STRICT = ("-Wall", "-Wextra", "-pedantic", "-Werror", "-g")
MODULES = {
    "combined": ("multivent", "libevent_openssl", "libevent_pthreads"),
    "split": ("multivent_core", "libevent_extra"),
}
# Debian's pkg-config modules of these two ask for the combined library, whoever uses them.
SPLIT_REST = ("-levent_pthreads", "-levent_openssl")
TARGETS = {
    "combined": "multivent::multivent event_openssl event_pthreads",
    "split": "multivent::core event_extra event_openssl event_pthreads",
}
LONG = "60"  # seconds; nothing waits that long unless it fails
PATIENCE = 60  # the same
MET = ["met", "parallel 1, threads 2, calls 3, at once 2"]  # the third call is the end of libevent's stream


def run(*command: str | Path, **environment: str) -> str:
    words = [str(word) for word in command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env={**os.environ, **environment})
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    said = run(sys.executable, "-m", "heddle", "install", "--prefix", folder, HEDDLE_BUILD=str(BUILD))
    assert str(folder / "include/multivent.h") in said.splitlines()
    return folder


def flags(prefix: Path, libraries: str) -> list[str]:
    environment = {"PKG_CONFIG_PATH": str(prefix / "lib/pkgconfig")}
    words = run("pkg-config", "--cflags", "--libs", *MODULES[libraries], **environment).split()
    return [*words, *(SPLIT_REST if libraries == "split" else ()), f"-Wl,-rpath,{prefix}/lib", "-Wl,--build-id"]


def built(
    folder: Path, prefix: Path, libraries: str = "combined", compiler: tuple[str, ...] = ("gcc", "-std=gnu11")
) -> Path:
    program = folder / "meeting"
    run(*compiler, *STRICT, SOURCE, "-o", program, *flags(prefix, libraries))
    return program


def constraints(program: Path, verdict: str = "never", names: tuple[str, str] = ("on_first", "on_second")) -> Path:
    session = {"kind": "null", "offset": 0}
    place = {"file": "meeting.c", "line": 1, "kind": "event", "session": session, "registrations": []}
    document = {
        "schema": "heddle/constraints",
        "version": VERSIONS["constraints"],
        "tool": {"name": "linking", "version": "1"},
        "program": {"name": program.name, "build_id": Elf(program).build_id()},
        "handlers": [{"id": i, "name": name, **place} for i, name in enumerate(names)],
        "pairs": [{"a": a, "b": b, "verdict": verdict, "conflicts": []} for a, b in ((0, 0), (0, 1), (1, 1))],
        **{part: [] for part in ("objects", "accesses", "assumptions")},
    }
    file = program.with_name(f"{program.name}.constraints.json")
    file.write_text(json.dumps(document))
    return file


class Ran:
    def __init__(self, program: Path, *words: str, **environment: str) -> None:
        done = subprocess.run(
            [program, *words], capture_output=True, text=True, check=False, env={**os.environ, **environment}
        )
        assert done.returncode == 0, done.stderr
        self.lines, self.err = done.stdout.splitlines(), done.stderr

    @property
    def met(self) -> bool:
        return "met" in self.lines


@pytest.mark.parametrize("libraries", MODULES)
@pytest.mark.parametrize("compiler", [("gcc", "-std=gnu11"), ("g++", "-x", "c++", "-std=gnu++17")], ids=lambda c: c[0])
def test_a_program_linked_through_pkg_config_runs_in_parallel(
    prefix: Path, tmp_path: Path, libraries: str, compiler: tuple[str, ...]
) -> None:
    program = built(tmp_path, prefix, libraries, compiler)
    constraints(program)
    ran = Ran(program, LONG, "threads=2", f"json={tmp_path / 'run.json'}")
    assert ran.lines == MET, ran.err
    assert ran.err == ""
    document = json.loads((tmp_path / "run.json").read_text())
    assert schemas.problems(document, "run") == []
    assert {h["name"]: h["invocations"] for h in document["handlers"] if h["known"]} == {"on_first": 1, "on_second": 1}


@pytest.mark.parametrize("libraries", TARGETS)
def test_a_program_linked_through_cmake_runs_in_parallel(prefix: Path, tmp_path: Path, libraries: str) -> None:
    (tmp_path / "CMakeLists.txt").write_text(
        f"""cmake_minimum_required(VERSION 3.25)
project(meeting C)
find_package(multivent 0.1 REQUIRED)
add_executable(meeting {SOURCE})
target_link_libraries(meeting PRIVATE {TARGETS[libraries]})
target_link_options(meeting PRIVATE -Wl,--build-id)
"""
    )
    run("cmake", "-S", tmp_path, "-B", tmp_path / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", tmp_path / "build")
    program = tmp_path / "build/meeting"
    constraints(program)
    ran = Ran(program, LONG, "threads=2")
    assert ran.lines == MET, ran.err


@pytest.mark.parametrize(
    "compiler", [("gcc", "-std=c11"), ("g++", "-std=c++17", "-Wold-style-cast")], ids=lambda c: c[0]
)
def test_the_header_is_strict_c_and_cpp(prefix: Path, tmp_path: Path, compiler: tuple[str, ...]) -> None:
    source = tmp_path / ("use.c" if compiler[0] == "gcc" else "use.cpp")
    source.write_text(
        "#include <multivent.h>\nstatic void f(int, short, void *);\nstatic void f(int a, short b, void *c) "
        "{ (void)a; (void)b; (void)c; }\nint main(void) { return multivent_require(MULTIVENT_HANDLER(&f), "
        "MULTIVENT_HANDLER(&f), MULTIVENT_SESSION); }\n"
    )
    run(*compiler, *STRICT, f"-I{prefix}/include", "-fsyntax-only", source)


@pytest.fixture(scope="module")
def program(prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    return built(tmp_path_factory.mktemp("meeting"), prefix)


def test_without_constraints_it_runs_serially_and_says_so_once(program: Path) -> None:
    why = f"there is no meeting.constraints.json beside it: run heddle analyze {program} first"
    ran = Ran(program, "0")
    assert ran.err == f"heddle: serial, because {why}\n"
    assert ran.lines == ["alone", "parallel 0, threads 1, calls 3, at once 1", f"serial: {why}"]
    assert Ran(program, "0", HEDDLE_SUMMARY="0").err == ""


def test_start_says_why_a_program_is_serial(program: Path) -> None:
    assert Ran(program, "0", "start").lines[0].startswith("start: there is no meeting.constraints.json beside it: ")
    ran = Ran(program, "0", "threads=1", "start")
    assert (ran.lines[0], ran.err) == ("start: one thread was asked for", "")


def test_constraints_of_another_build_are_not_used(prefix: Path, tmp_path: Path) -> None:
    program = built(tmp_path, prefix)
    file = constraints(program)
    document = json.loads(file.read_text())
    document["program"]["build_id"] = "0123abcd"
    file.write_text(json.dumps(document))
    ran = Ran(program, "0", "threads=2")
    assert not ran.met
    assert ran.err == f"heddle: serial, because {file}: made for another build of meeting: run heddle analyze again\n"


def test_a_file_of_constraints_can_be_named(program: Path, tmp_path: Path) -> None:
    file = constraints(program).rename(tmp_path / "elsewhere.json")
    assert Ran(program, LONG, "threads=2", f"constraints={file}").met
    missing = Ran(program, "0", "threads=2", "constraints=/nonexistent.json", "start")
    assert missing.lines[0].startswith("start: /nonexistent.json: ")


def test_a_promise_stands_in_for_the_document_and_a_requirement_beats_both(program: Path, tmp_path: Path) -> None:
    assert Ran(program, LONG, "threads=2", "promise").met
    assert not Ran(program, "0", "threads=2", "promise", "require").met
    file = constraints(program).rename(tmp_path / "elsewhere.json")
    assert not Ran(program, "0", "threads=2", f"constraints={file}", "require").met


def test_what_is_said_too_late_is_refused(program: Path) -> None:
    assert "late: too late, there is an event base already" in Ran(program, "0", "late").lines[0]


def test_the_variables_of_heddle_run_win(program: Path, tmp_path: Path) -> None:
    file = constraints(program).rename(tmp_path / "elsewhere.json")
    serial = Ran(program, "0", "threads=2", f"constraints={file}", HEDDLE_SERIAL="1")
    assert serial.lines[-1] == "serial: HEDDLE_SERIAL is 1"
    three = Ran(program, LONG, "threads=1", HEDDLE_THREADS="3", HEDDLE_CONSTRAINTS=str(file))
    assert three.lines == ["met", "parallel 1, threads 3, calls 3, at once 2"]


def test_a_linked_program_under_heddle_run_has_one_runtime(program: Path, tmp_path: Path) -> None:
    file = constraints(program).rename(tmp_path / "elsewhere.json")
    environment = {**os.environ, "HEDDLE_BUILD": str(BUILD)}
    command = [
        sys.executable,
        "-m",
        "heddle",
        "run",
        "--threads",
        "3",
        "--constraints",
        file,
        program,
        LONG,
        "threads=1",
    ]
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines() == ["met", "parallel 1, threads 3, calls 3, at once 2"]
    done = subprocess.run([*command[:-2], "0", "require"], capture_output=True, text=True, check=False, env=environment)
    assert "alone" in done.stdout.splitlines(), "what a program requires of its handlers holds under heddle run too"


def test_a_promise_counts_where_the_document_allows_nothing_at_once(program: Path, tmp_path: Path) -> None:
    file = constraints(program, "always").rename(tmp_path / "elsewhere.json")
    assert Ran(program, LONG, "threads=2", f"constraints={file}", "promise").met
    alone = Ran(program, "0", "threads=2", f"constraints={file}")
    why = "none of its handlers may run beside another one or itself"
    assert (alone.lines[-1], alone.err) == (f"serial: {why}", f"heddle: serial, because {why}\n")
    command = [sys.executable, "-m", "heddle", "run", "--quiet", "--threads", "2", "--constraints", file, program]
    done = subprocess.run(
        [*command, LONG, "promise"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HEDDLE_BUILD": str(BUILD)},
    )
    assert "met" in done.stdout.splitlines(), done.stderr


@pytest.mark.parametrize(
    ("words", "how"),
    [
        ((LONG, "promise"), "with 2 threads (as asked)"),
        (("0",), "serial, because none of its handlers may run beside another one or itself"),
    ],
)
def test_heddle_run_says_of_a_linked_program_what_holds_after_its_declarations(
    program: Path, tmp_path: Path, words: tuple[str, ...], how: str
) -> None:
    file = constraints(program, "always").rename(tmp_path / "elsewhere.json")
    command = [sys.executable, "-m", "heddle", "run", "--threads", "2", "--constraints", file, program, *words]
    environment = {**os.environ, "HEDDLE_BUILD": str(BUILD)}
    done = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    lines = done.stderr.splitlines()
    assert lines[0] == f"heddle: running {program} {how}"
    assert sum(line.startswith("heddle: running") for line in lines) == 1


# Bufferevents, HTTP, names, TLS.
PARTS = {
    "lines": ("-levent_core",),
    "pages": ("-levent_openssl", "-levent_core", "-levent_extra"),
    "names": ("-levent_core", "-levent_extra", "-levent_pthreads"),
    "sealed": ("-levent_openssl", "-levent_core"),
}


@pytest.mark.parametrize("way", ["preloaded", "linked"])
@pytest.mark.parametrize("part", PARTS)
def test_parts_of_libevent_run_in_parallel_from_its_split_libraries(
    prefix: Path, tmp_path: Path, part: str, way: str
) -> None:
    sources = ROOT / "testing/servers" / part
    before = f"-L{prefix}/lib -Wl,-rpath,{prefix}/lib -lmultivent " if way == "linked" else ""
    program = analysed(sources, tmp_path / "built", f"LIBEVENT={before}{' '.join(PARTS[part])}")
    needed = subprocess.run(["readelf", "-d", program], capture_output=True, text=True, check=True).stdout
    assert "[libevent-2.1.so" not in needed
    assert ("[libmultivent.so" in needed) == (way == "linked")
    environment = parallel(program, BUILD, tmp_path, "always")
    if way == "linked":
        environment.pop("LD_PRELOAD")
    server = SERVERS[part]
    expected = answers_of(server, program, {"HEDDLE_SERIAL": "1", "HEDDLE_SUMMARY": "0"})
    assert answers_of(server, program, environment) == expected
    assert_ran_in_parallel(tmp_path, server.handler, "always")


@dataclass(frozen=True)
class Leaving:
    program: Path
    environment: dict[str, str]

    def lines(self, *words: str, verdict: str, **settings: str) -> list[str]:
        file = constraints(self.program, verdict)
        return Ran(self.program, *words, HEDDLE_CONSTRAINTS=str(file), **{**self.environment, **settings}).lines


@pytest.fixture(scope="module", params=["preloaded"])
def leaving(request: pytest.FixtureRequest, prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Leaving:
    """A C++ program, and what it runs with: on libevent alone, and on the runtime, which has a libstdc++ of its own."""
    program = tmp_path_factory.mktemp("leaving") / "leaving"
    how = flags(prefix, "combined") if request.param == "linked" else ["-levent", "-Wl,--build-id"]
    run("g++", "-std=c++17", *STRICT, "-pthread", HERE / "leaving.cpp", "-o", program, *how)
    ours = {"LD_PRELOAD": str(BUILD / "multivent/libmultivent.so")} if request.param == "preloaded" else {}
    return Leaving(program, {"HEDDLE_SUMMARY": "0", "HEDDLE_THREADS": "2", **ours})


WAYS = {"exception": "caught 7, 0 inside", "thread": "ended, 0 inside"}
# A loop that was left without its leave is not entered again: libevent says -1.
LEFT = {way: [said, "then -1"] * 2 for way, said in WAYS.items()}


@pytest.mark.parametrize("way", WAYS)
def test_handlers_that_leave_by_an_exception_or_with_their_thread_do_so_on_libevent(tmp_path: Path, way: str) -> None:
    run("g++", "-std=c++17", *STRICT, "-pthread", HERE / "leaving.cpp", "-o", tmp_path / "leaving", "-levent")
    assert Ran(tmp_path / "leaving", way).lines == LEFT[way]


@pytest.mark.parametrize("way", WAYS)
def test_and_here(leaving: Leaving, way: str) -> None:
    assert leaving.lines(way, verdict="always") == LEFT[way]
    assert leaving.lines(way, verdict="never") == LEFT[way]
    assert leaving.lines(way, verdict="never", HEDDLE_SERIAL="1") == LEFT[way]


def test_an_exception_leaves_the_loop_when_the_handlers_beside_it_have_ended(leaving: Leaving) -> None:
    assert leaving.lines("exception", "100", verdict="never") == LEFT["exception"]


def test_an_exception_that_leaves_a_thread_of_the_runtime_ends_the_program(leaving: Leaving) -> None:
    environment = {**os.environ, **leaving.environment, "HEDDLE_CONSTRAINTS": str(constraints(leaving.program))}
    done = subprocess.run(
        [leaving.program, "elsewhere", "1"], capture_output=True, text=True, check=False, env=environment
    )
    assert done.returncode == -signal.SIGABRT
    assert "terminate called after throwing an instance of 'Left'" in done.stderr
    assert "heddle: SIGABRT in handler on_second" in done.stderr


IN_THE_BACKGROUND = ("daemon", "twice", "base first", "supervised")


@dataclass
class Daemon:
    program: Path
    linked: bool

    def started(self, way: str, folder: Path, *options: str) -> tuple[int, str]:
        """Its number while its loop runs, and what was said when it was started."""
        pid_file = folder / "pid"
        command = [sys.executable, "-m", "heddle", "run", "--threads", "2", *options, self.program, way, pid_file]
        environment = {**os.environ, "HEDDLE_BUILD": str(BUILD), "XDG_RUNTIME_DIR": str(folder)}
        err = folder / "err"
        with err.open("w") as stderr:
            started = subprocess.Popen(command, stderr=stderr, stdout=subprocess.DEVNULL, env=environment, cwd=folder)
        deadline = time.monotonic() + PATIENCE
        while not (pid_file.exists() and pid_file.read_text().endswith("\n")):
            assert time.monotonic() < deadline, err.read_text()
            time.sleep(0.01)
        if way != "supervised":
            assert started.wait(PATIENCE) == 0
        return int(pid_file.read_text()), err.read_text()

    def shown(self, folder: Path, *words: str) -> str:
        """What `heddle top` prints."""
        environment = {**os.environ, "HEDDLE_BUILD": str(BUILD), "XDG_RUNTIME_DIR": str(folder)}
        command = [sys.executable, "-m", "heddle", "top", "--once", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True, env=environment).stdout

    def ended(self, pid: int, folder: Path) -> None:
        (folder / "pid").unlink()
        deadline = time.monotonic() + PATIENCE
        while Path("/proc", str(pid)).exists() and "zombie" not in Path("/proc", str(pid), "status").read_text():
            assert time.monotonic() < deadline
            time.sleep(0.01)


@pytest.fixture(scope="module", params=["preloaded"])
def daemon(request: pytest.FixtureRequest, prefix: Path, tmp_path_factory: pytest.TempPathFactory) -> Daemon:
    program = tmp_path_factory.mktemp("daemon") / "daemon"
    libraries = flags(prefix, "combined") if request.param == "linked" else ["-levent", "-Wl,--build-id"]
    run("gcc", "-std=gnu11", *STRICT, HERE / "daemon.c", "-o", program, *libraries)
    constraints(program, names=("on_tick", "on_other"))
    return Daemon(program, request.param == "linked")


@pytest.mark.parametrize("way", IN_THE_BACKGROUND)
def test_the_process_that_runs_the_loop_reports(daemon: Daemon, way: str, tmp_path: Path) -> None:
    pid, said = daemon.started(way, tmp_path, "--run-file", "run.json")
    assert said.splitlines() == [f"heddle: running {daemon.program} with 2 threads (as asked)"]
    live = tmp_path / "heddle" / f"{pid}.json"
    deadline = time.monotonic() + PATIENCE
    while not live.exists():
        assert time.monotonic() < deadline
        time.sleep(0.01)
    assert [file.name for file in live.parent.glob("*.json")] == [live.name]
    assert not (tmp_path / "run.json").exists()
    assert "on_tick" in daemon.shown(tmp_path)
    assert json.loads(daemon.shown(tmp_path, str(pid), "--json"))["mode"] == "parallel"
    daemon.ended(pid, tmp_path)
    document = json.loads((tmp_path / "run.json").read_text())
    calls = {handler["name"]: handler["invocations"] for handler in document["handlers"] if handler["known"]}
    assert calls["on_tick"] >= 3
    assert calls["on_other"] == 1
    summaries = [line for line in (tmp_path / "err").read_text().splitlines() if "invocations" in line]
    assert [line for line in summaries if line.startswith("heddle: parallel, 0 ")] == []
    assert not live.exists()


def test_libevent_before_multivent_in_the_link_is_said(prefix: Path, tmp_path: Path) -> None:
    program = tmp_path / "meeting"
    paths = (f"-I{prefix}/include", f"-L{prefix}/lib", f"-Wl,-rpath,{prefix}/lib")
    libraries = ("-levent", "-lmultivent", "-levent_openssl", "-levent_pthreads")
    run("gcc", "-std=gnu11", SOURCE, "-o", program, *paths, *libraries)
    ran = Ran(program, "0", "threads=2")
    assert ran.err.startswith("heddle: serial, because ")
    assert ran.err.endswith("has libevent's functions before libmultivent.so: link multivent before libevent\n")
    assert len(ran.err.splitlines()) == 1
    assert "alone" in ran.lines


def test_a_prefix_that_cannot_be_written_is_an_error(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    done = subprocess.run(
        [sys.executable, "-m", "heddle", "install", "--prefix", tmp_path / "file"],
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "HEDDLE_BUILD": str(BUILD)},
    )
    assert done.returncode == 2
    assert done.stderr.startswith(f"heddle: nothing can be installed in {tmp_path / 'file'} (")
    assert len(done.stderr.splitlines()) == 1
