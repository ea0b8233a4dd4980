"""What the runtime costs servers that have nothing to gain: programs that nobody here wrote, with light handlers.

Each runs on plain libevent, under `heddle run --serial` and under `heddle run --threads auto`, in turn, with the
variables that `heddle run` sets. Their clients (bench/servers/asks.c) ask as fast as they are answered, and have a core
of their own; what a program does by itself (bench, bench_cascade, event-read-fifo, bench_httpclient) is timed. The
claims are the worst of all programs and both ways to run; the table has each.

  evhttp           bench_http, http-server of libevent, bench_httpclient as a client
  bufferevents     hello-world, le-proxy, redsocks' own answers are events; libevhtp is an HTTP server on them
  events, old API  memcached, inetd, event-read-fifo, redsocks (dnstc), bench, bench_cascade
  datagrams        dns-example, redsocks
  timers           libevhtp and evhttp set and take back one for each request, bench_cascade none
"""

from __future__ import annotations

import fcntl
import json
import os
import signal
import statistics
import subprocess
import sys
import termios
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, Any

from heddle.errors import BadInputError
from heddle.measure.alternation import spread
from heddle.measure.benchmark import Claim, Result, Tools
from heddle.measure.commands import call, clean_environment
from heddle.measure.libevent import build
from heddle.measure.processor import Foreign, Watch
from heddle.run import launch
from heddle.system import places
from testing.servers import debian_programs
from testing.servers.real_servers import free_port

CLAIMS = ("real.floor",)
MEASURES = ("base", "bench/servers/asks.c", "elyze", "multivent", "scheduler", "schemas", "telemetry")
GOAL, CPU_GOAL = 0.97, 1.05
SERIAL, AUTO = "serial", "auto"
START_S = 20.0

GET = "GET {path} HTTP/1.1\r\nHost: a\r\n\r\n"
DNS = "00010100000100000000000001610474657374000001" + "0001"  # a.test, an address
HTTP_PARTS = ("-levent", "-levent_openssl", "-lssl", "-lcrypto")


@dataclass(frozen=True)
class Figure:
    per_s: float
    cpu_us: float  # for one question, or of one piece of work


@dataclass(frozen=True)
class Subject:
    """A program, how it is started, and what is asked of it."""

    name: str
    what: str
    make: Callable[[Tools], Path]  # builds it, with its constraints beside it
    arguments: tuple[str, ...] = ()  # {port} and {folder} are filled in
    port: int | None = None  # the only one it takes
    question: str = ""  # in hexadecimal digits
    options: tuple[str, ...] = ()  # of asks; {other} is a second port
    connections: int = 16
    files: dict[str, str] = field(default_factory=dict)  # in its folder
    first: bytes = b""  # sent once before
    # What it does by itself, {n} times; without a question.
    alone: Callable[[Subject, Sequence[str], dict[str, str], Path], Figure] | None = None
    root: bool = False  # needs it


def hexed(text: str) -> str:
    return text.encode().hex()


# --- Building ---


def libevents(part: str, *libs: str) -> Callable[[Tools], Path]:
    """A program of libevent's own source package."""

    def make(tools: Tools) -> Path:
        tree = fetched("libevent")
        private = tools.work / "private"
        private.mkdir(exist_ok=True)
        (private / "evconfig-private.h").touch()  # what its configure would say of the library's own build
        flags = ["-w", "-D_GNU_SOURCE", "-I", str(private), "-I", str(tree / "compat"), "-I", str(tree)]
        sources = [tree / part]
        name = Path(part).stem
        return build(tools.work / name, name, sources, flags, libs or ["-levent"]).path

    return make


def libevhtp(tools: Tools) -> Path:
    tree = fetched("libevhtp")
    settings = tools.work / "evhtp-settings"
    (settings / "evhtp").mkdir(parents=True, exist_ok=True)
    without = ("EVHTP_DISABLE_REGEX", "EVHTP_DISABLE_SSL", "EVHTP_DISABLE_EVTHR")
    text = "".join(
        line.replace("#cmakedefine", "#define" if line.split()[-1] in without else "// ")
        if line.startswith("#cmakedefine")
        else line
        for line in (tree / "include/evhtp/config.h.in").read_text().splitlines(keepends=True)
    )
    (settings / "evhtp/config.h").write_text(text)
    flags = ["-w", "-D_GNU_SOURCE", "-DEVHTP_SYS_ARCH=64"]
    for folder in (settings, tree / "include", tree / "compat"):
        flags += ["-I", str(folder)]
    sources = [tree / name for name in ("examples/test.c", "evhtp.c", "parser.c", "numtoa.c", "log.c")]
    return build(tools.work / "test_extensive", "test_extensive", sources, flags, ["-levent"]).path


def debians(name: str) -> Callable[[Tools], Path]:
    """A program of a package, built by `heddle build`."""

    def make(_tools: Tools) -> Path:
        program = debian_programs.BY_NAME[name]
        path = debian_programs.build(program, places.root() / "build/third_party", places.build())
        analyse = [sys.executable, "-m", "heddle", "analyze", str(path)]
        environment = debian_programs.environment(places.build())
        done = subprocess.run(analyse, env=environment, capture_output=True, text=True, check=False)
        if not path.with_name(f"{path.name}.constraints.json").exists():
            raise debian_programs.UnfitError(f"not analysed: {done.stderr.strip()[-160:]}")
        return path

    return make


def fetched(package: str) -> Path:
    folder = places.root() / "build/third_party"
    debian_programs.fetch(package, folder)
    return folder / package


# --- Running ---


def environment(path: Path, way: str | None, run_file: Path) -> dict[str, str]:
    """What `heddle run` would start the program with; None: plain libevent."""
    if way is None:
        return clean_environment()
    request = launch.Request(str(path), serial=way == SERIAL, threads="auto", run_file=run_file)
    return launch.plan(request).environment


@contextmanager
def started(command: Sequence[str], env: dict[str, str], cwd: Path) -> Iterator[subprocess.Popen[bytes]]:
    process = subprocess.Popen(
        command, env=env, cwd=cwd, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield process
    finally:
        for number in (signal.SIGTERM, signal.SIGINT, signal.SIGKILL):
            process.send_signal(number)
            try:
                process.wait(3)
                break
            except subprocess.TimeoutExpired:
                continue


def listens(port: int) -> bool:
    """Whether somebody waits there: a listening TCP socket (state 0A), or one for datagrams (proc_net_tcp.rst)."""
    for kind in ("tcp", "tcp6", "udp", "udp6"):
        for line in Path(f"/proc/net/{kind}").read_text().splitlines()[1:]:
            _, local, _, state, *_ = line.split()
            if local.endswith(f":{port:04X}") and (state == "0A" or kind.startswith("udp")):
                return True
    return False


def asked(subject: Subject, path: Path, env: dict[str, str], work: Path, seconds: float, asks: Path) -> Figure:
    port, other = subject.port or free_port(), free_port()
    words = [word.format(port=port, other=other, folder=work) for word in subject.arguments]
    for name, text in subject.files.items():
        (work / name).write_text(text.replace("{port}", str(port)))
    with started([str(path), *words], env, work) as process:
        deadline = time.monotonic() + START_S
        while not listens(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise BadInputError(f"{subject.name} does not listen (exit code {process.poll()})", "run it by hand")
            time.sleep(0.02)
        if subject.first:
            ask_once(port, subject.first)
        options = [word.format(other=other) for word in subject.options]
        length = ["-c", str(subject.connections), "-s", str(seconds), "-w", str(seconds / 3)]
        of_whom = ["-p", str(process.pid), str(port), subject.question]
        said = json.loads(call([asks, *options, *length, *of_whom]))
    return Figure(said["answers"] / said["seconds"], 1e6 * said["cpu_s"] / said["answers"])


def ask_once(port: int, text: bytes) -> None:
    import socket

    with socket.create_connection(("127.0.0.1", port), 10) as connection:
        connection.sendall(text)
        connection.recv(4096)


def timed(command: Sequence[str], env: dict[str, str], cwd: Path, pieces: float) -> Figure:
    began = time.monotonic()
    process = subprocess.Popen(command, env=env, cwd=cwd, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if status != 0:
        raise BadInputError(f"{Path(command[0]).name} ended with {process.returncode}", "run it by hand")
    return Figure(pieces / (time.monotonic() - began), 1e6 * (usage.ru_utime + usage.ru_stime) / pieces)


def by_itself(*arguments: str) -> Callable[[Subject, Sequence[str], dict[str, str], Path], Figure]:
    def run(_subject: Subject, command: Sequence[str], env: dict[str, str], work: Path) -> Figure:
        return timed([*command, *arguments], env, work, 1)

    return run


def reads_fifo(_subject: Subject, command: Sequence[str], env: dict[str, str], work: Path) -> Figure:
    """Lines through a named pipe that it makes, until the writer closes it.

    The pipe is never full: a read that makes room wakes the writer, which costs more than the handler. How many reads
    do so depends on how much faster the writer is, so a reader slower by two in a hundred used a tenth more time.
    """
    lines, fifo = 3_000_000, work / "event.fifo"
    fifo.unlink(missing_ok=True)
    process = subprocess.Popen(command, env=env, cwd=work, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    while not fifo.exists():
        time.sleep(0.01)
    some = (b"x" * 99 + b"\n") * 1000
    began = time.monotonic()
    with fifo.open("wb", buffering=0) as pipe:
        room = fcntl.fcntl(pipe, fcntl.F_SETPIPE_SZ, 1 << 20)
        for _ in range(lines // 1000):
            while waiting_in(pipe) > room // 2:
                time.sleep(0.0001)
            pipe.write(some)
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    return Figure(lines / (time.monotonic() - began), 1e6 * (usage.ru_utime + usage.ru_stime) / lines)


def waiting_in(pipe: IO[bytes]) -> int:
    count = fcntl.ioctl(pipe, termios.FIONREAD, b"\0" * 4)
    return int.from_bytes(count, sys.byteorder)


def asks_server(subject: Subject, command: Sequence[str], env: dict[str, str], work: Path) -> Figure:
    """20,000 requests to bench_http on plain libevent, at the port that it knows."""
    server = work.parent / "bench_http" / "bench_http"
    with started([str(server), "-p", str(subject.port), "-l", "100"], clean_environment(), work):
        deadline = time.monotonic() + START_S
        while not listens(subject.port or 0) and time.monotonic() < deadline:
            time.sleep(0.02)
        return timed(command, env, work, 20_000)


DNSTC = """base { log_info = off; log = "file:/dev/null"; daemon = off; redirector = generic; }
dnstc { local_ip = 127.0.0.1; local_port = {port}; }
"""
INETD = "127.0.0.1:daytime stream tcp nowait root internal\n"

SUBJECTS = (
    Subject(
        *("bench_http", "evhttp, kept connections", libevents("test/bench_http.c")),
        arguments=("-p", "{port}", "-l", "100"),
        question=hexed(GET.format(path="/ind")),
    ),
    Subject(
        *("bench_http, 400", "evhttp, 400 connections", libevents("test/bench_http.c")),
        arguments=("-p", "{port}", "-l", "100"),
        question=hexed(GET.format(path="/ind")),
        connections=400,
    ),
    Subject(
        *("http-server", "evhttp, files", libevents("sample/http-server.c")),
        arguments=("-p", "{port}", "{folder}"),
        question=hexed(GET.format(path="/page.txt")),
        files={"page.txt": "a page\n" * 10},
    ),
    Subject(
        *("bench_httpclient", "bufferevents, a client", libevents("test/bench_httpclient.c")),
        port=8080,
        alone=asks_server,
    ),
    Subject(
        *("hello-world", "bufferevents, a connection for each answer", libevents("sample/hello-world.c")),
        port=9995,
        options=("-e",),
    ),
    Subject(
        *("le-proxy", "bufferevents, two for each connection", libevents("sample/le-proxy.c", *HTTP_PARTS)),
        arguments=("127.0.0.1:{port}", "127.0.0.1:{other}"),
        options=("-b", "{other}"),
        question=hexed("x" * 64),
    ),
    Subject(
        *("dns-example", "evdns, a server", libevents("sample/dns-example.c")),
        arguments=("-T", "-s", "127.0.0.1", "a.test"),
        port=10053,
        options=("-u",),
        question=DNS,
    ),
    Subject(
        *("bench", "events on 100 pipes", libevents("test/bench.c")),
        alone=by_itself("-n", "1000", "-a", "100", "-w", "60000"),
    ),
    Subject(
        *("bench_cascade", "events that add events", libevents("test/bench_cascade.c")), alone=by_itself("-n", "4000")
    ),
    Subject(*("event-read-fifo", "one event", libevents("sample/event-read-fifo.c")), alone=reads_fifo),
    Subject(
        *("test_extensive", "libevhtp, kept connections", libevhtp),
        arguments=("-a", "127.0.0.1", "-p", "{port}"),
        port=8081,  # it refuses connections to ports above 10000
        question=hexed(GET.format(path="/foo/bar")),
    ),
    Subject(
        *("test_extensive, 1 each", "libevhtp, a connection for each answer", libevhtp),
        arguments=("-a", "127.0.0.1", "-p", "{port}"),
        port=8081,  # it refuses connections to ports above 10000
        options=("-e",),
        question=hexed(GET.format(path="/foo/bar")),
    ),
    Subject(
        *("memcached", "a thread for the connections", debians("memcached")),
        arguments=("-u", "root", "-l", "127.0.0.1", "-p", "{port}", "-U", "0", "-t", "1"),
        question=hexed("get key\r\n"),
        first=b"set key 0 0 100\r\n" + b"v" * 100 + b"\r\n",
    ),
    Subject(
        *("inetd", "old API, daytime", debians("inetd")),
        arguments=("-i", "{folder}/inetd.conf"),
        port=13,
        options=("-e",),
        files={"inetd.conf": INETD},
        root=True,
    ),
    Subject(
        *("redsocks", "old API, datagrams (dnstc)", debians("redsocks")),
        arguments=("-c", "{folder}/redsocks.conf"),
        options=("-u",),
        question=DNS,
        files={"redsocks.conf": DNSTC},
    ),
)


@dataclass
class Measured:
    subject: Subject
    rounds: list[dict[str | None, Figure]] = field(default_factory=list)
    foreign: Foreign = field(default_factory=Foreign)

    def ratios(self, way: str, of: Callable[[Figure], float]) -> list[float]:
        return [of(figures[way]) / of(figures[None]) for figures in self.rounds]


def measured(tools: Tools, subject: Subject, rounds: int, seconds: float, asks: Path) -> Measured:
    tools.say(subject.name)
    path = subject.make(tools)
    work = tools.work / f"at-work-{path.name}"
    work.mkdir(exist_ok=True)
    result = Measured(subject)
    ways: list[str | None] = [None, SERIAL, AUTO]
    for number in range(rounds):
        watched = Watch()
        figures: dict[str | None, Figure] = {}
        for way in ways[number % 3 :] + ways[: number % 3]:
            env = environment(path, way, work / f"run-{way}.json")
            if subject.alone is not None:
                figures[way] = subject.alone(subject, [str(path)], env, work)
            else:
                figures[way] = asked(subject, path, env, work, seconds, asks)
        result.rounds.append(figures)
        result.foreign = result.foreign.worse(watched.foreign)
    return result


def worst(all_of: Sequence[Measured], what: str, goal: float, of: Callable[[Figure], float], higher: bool) -> Claim:
    named = [
        (statistics.median(ratios), ratios, f"{one.subject.name}, {way}")
        for one in all_of
        for way in (SERIAL, AUTO)
        for ratios in [one.ratios(way, of)]
    ]
    median, ratios, name = (min if higher else max)(named, key=lambda item: item[0])
    doubts = sorted({doubt for one in all_of for doubt in one.foreign.doubts()})[-1:]
    return Claim(
        "real.floor",
        f"worst of {len(all_of)} programs with light handlers, {what} / libevent: {name}",
        "ratio",
        "higher" if higher else "lower",
        goal,
        median,
        spread(ratios),
        len(ratios),
        "; ".join(doubts),
    )


def table(all_of: Sequence[Measured]) -> list[str]:
    lines = [f"{'':24} {'libevent/s':>11} {'serial':>7} {'auto':>7}   {'us CPU':>7} {'serial':>7} {'auto':>7}"]
    for one in all_of:
        plain = [figures[None] for figures in one.rounds]
        cells = [f"{one.subject.name:24} {statistics.median(figure.per_s for figure in plain):11.0f}"]
        cells += [f"{statistics.median(one.ratios(way, lambda figure: figure.per_s)):7.2f}" for way in (SERIAL, AUTO)]
        cells += [f"  {statistics.median(figure.cpu_us for figure in plain):7.1f}"]
        cells += [f"{statistics.median(one.ratios(way, lambda figure: figure.cpu_us)):7.2f}" for way in (SERIAL, AUTO)]
        lines.append(" ".join(cells))
    return lines


def details(all_of: Sequence[Measured]) -> dict[str, Any]:
    return {
        one.subject.name: {
            "what": one.subject.what,
            "foreign_cpu": one.foreign.share,
            "rounds": [
                {way or "libevent": [figure.per_s, figure.cpu_us] for way, figure in figures.items()}
                for figures in one.rounds
            ],
        }
        for one in all_of
    }


def run(quick: bool, tools: Tools) -> Result:
    asks = tools.work / "asks"
    call(["cc", "-O2", "-o", asks, places.root() / "bench/servers/asks.c"])
    rounds, seconds = (3, 0.6) if quick else (9, 2.0)
    all_of: list[Measured] = []
    left_out: dict[str, str] = {}
    for subject in SUBJECTS:
        if subject.root and os.getuid() != 0:
            left_out[subject.name] = "listens to a port that only root may"
            continue
        try:
            all_of.append(measured(tools, subject, rounds, seconds, asks))
        except debian_programs.UnfitError as error:
            left_out[subject.name] = str(error)
    if not all_of:
        raise BadInputError("no program could be built", "see build/third_party")
    claims = [
        worst(all_of, "throughput", GOAL, lambda figure: figure.per_s, higher=True),
        worst(all_of, "processor time per request", CPU_GOAL, lambda figure: figure.cpu_us, higher=False),
    ]
    shown = table(all_of) + [f"{name}: left out, {why}" for name, why in left_out.items()]
    return Result(bench="real_floor", claims=claims, details=details(all_of) | {"table": shown})
