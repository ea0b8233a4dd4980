"""Real servers at real work: pgbouncer between pgbench and PostgreSQL, tmux with windows and people.

Everything runs in one temporary folder, on loopback and Unix sockets, and is gone at the end. PostgreSQL and pgbouncer
refuse to run as root, so root runs them as somebody else.
"""

from __future__ import annotations

import contextlib
import math
import os
import pty
import re
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from testing.servers.debian_programs import UnfitError

_NOBODY = 65534
_LONGEST_START_S = 240.0
_LONGEST_CALL_S = 600.0


@dataclass
class Scene:
    """A folder in which programs run, as a user that may run them, until the scene is over."""

    folder: Path
    user: list[str]  # in front of a command
    running: list[subprocess.Popen[bytes]] = field(default_factory=list)
    # Variables for the server that all this is about, and for further processes of its program.
    server: dict[str, str] = field(default_factory=dict)
    client: dict[str, str] = field(default_factory=dict)

    @property
    def beside(self) -> Path:
        """Where that user can read the other files that the scene was made with."""
        return self.folder / "beside"

    def plain(self) -> dict[str, str]:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("HEDDLE_", "PG", "TMUX"))}
        return kept | {"HOME": str(self.folder), "LC_ALL": "C.UTF-8"}

    def serve(
        self, command: Sequence[str | Path], env: dict[str, str], stdin: int = subprocess.DEVNULL
    ) -> subprocess.Popen[bytes]:
        """Starts the server in question. Only it gets the preloaded libraries, not the commands that start it."""
        settings = [f"{name}={value}" for name, value in self.server.items()]
        return self.start(["env", *settings, *command], env, stdin)

    def start(
        self, command: Sequence[str | Path], env: dict[str, str], stdin: int = subprocess.DEVNULL, output: int = -1
    ) -> subprocess.Popen[bytes]:
        """What it says goes to `output`, or to a file named after it."""
        words = [*self.user, *map(str, command)]
        name = next(Path(word).name for word in command if str(word) != "env" and "=" not in str(word))
        with (self.folder / f"{name}.log").open("ab") as log:
            to = output if output >= 0 else log.fileno()
            process = subprocess.Popen(
                words, cwd=self.folder, env=env, start_new_session=True, stdin=stdin, stdout=to, stderr=to
            )
        self.running.append(process)
        return process

    def call(self, *command: str | Path, env: dict[str, str] | None = None, good: bool = True) -> str:
        """Runs to the end; its output."""
        words = [*self.user, *map(str, command)]
        done = subprocess.run(
            words,
            cwd=self.folder,
            env=env or self.plain(),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_LONGEST_CALL_S,
            check=False,
        )
        if good and done.returncode:
            raise UnfitError(f"{Path(command[0]).name}: {(done.stderr.strip().splitlines() or ['?'])[-1][:200]}")
        return done.stdout

    def until(self, what: str, true: Callable[[], bool]) -> None:
        deadline = time.monotonic() + _LONGEST_START_S
        while not true():
            if time.monotonic() > deadline:
                raise UnfitError(f"{what} took more than {_LONGEST_START_S:.0f} s")
            time.sleep(0.05)

    def end(self, process: subprocess.Popen[bytes], by: int = signal.SIGTERM) -> None:
        if process.poll() is None:
            process.send_signal(by)
        try:
            process.wait(_LONGEST_START_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        self.running.remove(process)


@contextlib.contextmanager
def scene(executable: Path, *others: Path) -> Iterator[Scene]:
    """With a copy of them all in the folder, for others may not read where they were built."""
    folder = Path(tempfile.mkdtemp(prefix="heddle-scene-"))
    user = []
    made = Scene(folder, user)
    made.beside.mkdir()
    for other in others:
        shutil.copy(other, made.beside)
    shutil.copy(executable, folder)
    folder.chmod(0o755)
    if os.getuid() == 0:
        os.chown(folder, _NOBODY, _NOBODY)
        user += ["setpriv", f"--reuid={_NOBODY}", f"--regid={_NOBODY}", "--clear-groups", "--inh-caps=-all", "--"]
    try:
        yield made
    finally:
        for process in reversed(made.running):
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        shutil.rmtree(folder, ignore_errors=True)


# --- pgbouncer ---

POOLER = """
[databases]
bench = host={folder} port=5432 dbname=postgres user=bench
other = host={folder} port=5432 dbname=template1 user=bench pool_size=2
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = {port}
unix_socket_dir = {folder}/pooler
auth_type = trust
auth_file = {folder}/users
admin_users = bench
pool_mode = transaction
default_pool_size = 3
stats_period = 1
server_idle_timeout = 1
server_check_delay = 0
query_wait_timeout = 30
dns_zone_check_period = 1
"""


def postgres_programs() -> Path | None:
    """The folder with the newest PostgreSQL of Debian, or None."""
    found = [path.parent for path in Path("/usr/lib/postgresql").glob("*/bin/postgres")]
    return max(found, key=lambda path: float(path.parent.name)) if found else None


@contextlib.contextmanager
def pooled(stage: Scene) -> Iterator[tuple[subprocess.Popen[bytes], dict[str, str]]]:
    """PostgreSQL with pgbouncer before it: the process of that, and variables for clients that go through it."""
    programs = postgres_programs()
    if programs is None or not shutil.which("setpriv"):
        raise UnfitError("PostgreSQL or setpriv is not installed")
    folder, bouncer = stage.folder, stage.folder / "pgbouncer"
    stage.call(programs / "initdb", "-A", "trust", "-U", "bench", "-N", "-D", folder / "data")
    settings = ("listen_addresses=", f"unix_socket_directories={folder}", "fsync=off", "max_connections=40")
    database = stage.start(
        [programs / "postgres", "-D", folder / "data", *(word for text in settings for word in ("-c", text))],
        stage.plain(),
    )
    direct = stage.plain() | {"PGHOST": str(folder), "PGUSER": "bench", "PGDATABASE": "postgres"}
    stage.until("PostgreSQL's start", lambda: (folder / ".s.PGSQL.5432").exists())
    stage.until("PostgreSQL's start", lambda: "1" in stage.call("psql", "-Atc", "select 1", env=direct, good=False))

    port = free_port()
    stage.call("mkdir", folder / "pooler")
    stage.call(
        "sh",
        "-c",
        'printf %s "$1" >pooler.ini; echo \'"bench" ""\' >users',
        "sh",
        POOLER.format(folder=folder, port=port),
    )
    pooler = stage.serve([bouncer, "pooler.ini"], stage.plain())
    through = stage.plain() | {"PGHOST": "127.0.0.1", "PGPORT": str(port), "PGUSER": "bench", "PGDATABASE": "bench"}
    stage.until("pgbouncer's start", lambda: "1" in stage.call("psql", "-Atc", "select 1", env=through, good=False))
    stage.call("pgbench", "-i", "-q", "-s", "1", env=through)
    yield pooler, through
    stage.end(pooler, signal.SIGINT)
    stage.end(database, signal.SIGINT)


def pgbouncer_throughput(stage: Scene, seconds: float) -> float:
    """Short read-only transactions per second through pgbouncer, of 8 clients."""
    with pooled(stage) as (_, through):
        said = stage.call("pgbench", "-n", "-S", "-c", "8", "-T", str(math.ceil(seconds)), env=through)
    found = re.search(r"tps = ([0-9.]+) ", said)
    if found is None:
        raise UnfitError(f"pgbench said no throughput: {said[-200:]}")
    return float(found[1])


def pgbouncer_at_work(stage: Scene) -> None:
    with pooled(stage) as (pooler, through):
        _through_pgbouncer(stage, pooler, through)


def _through_pgbouncer(stage: Scene, pooler: subprocess.Popen[bytes], through: dict[str, str]) -> None:
    folder, port = stage.folder, int(through["PGPORT"])
    admin = through | {"PGDATABASE": "pgbouncer"}
    other = through | {"PGDATABASE": "other", "PGHOST": str(folder / "pooler")}

    load = stage.start(["pgbench", "-n", "-c", "8", "-t", "400"], through)
    for question in ("show pools", "show stats", "show clients", "show servers", "show config", "show mem"):
        stage.call("psql", "-Atc", question, env=admin)
    stage.call("psql", "-Atc", "select count(*) from pg_class", env=other)
    stage.call("pgbench", "-n", "-C", "-S", "-c", "4", "-t", "15", env=through)  # a connection for each transaction
    stage.call("pgbench", "-n", "-M", "extended", "-S", "-c", "2", "-t", "50", env=through)
    for number in (signal.SIGHUP, signal.SIGUSR1, signal.SIGUSR2):
        stage.call("kill", f"-{number.value}", str(pooler.pid))
        time.sleep(0.5)
    stage.call("psql", "-Atc", "pause other", env=admin)
    stage.call("psql", "-Atc", "resume other", env=admin)
    stage.call("psql", "-Atc", "reload", env=admin)
    slow = stage.start(["psql", "-Atc", "select pg_sleep(20)"], other)
    time.sleep(1)
    slow.send_signal(signal.SIGINT)  # psql asks for the query to be cancelled, through pgbouncer
    slow.wait(_LONGEST_START_S)
    hanging = socket.create_connection(("127.0.0.1", port))  # says something that is not the protocol
    hanging.sendall(b"\0\0\0\x08\0\0\0\0GET / HTTP/1.0\r\n\r\n")
    hanging.close()
    load.wait(_LONGEST_CALL_S)
    stage.call("psql", "-Atc", "kill other", env=admin)
    time.sleep(2.5)  # idle servers are closed, statistics come round


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        return int(taken.getsockname()[1])


# --- tmux ---

KEYS = (
    *("ls /\r", "\x02[", "\x1b[A\x1b[A", "q", "\x02c", "echo $((6*7))\r"),
    *("\x02n", "\x02%", "\x02o", "\x02:", "rename-window x\r"),
)


def tmux_at_work(stage: Scene) -> None:
    tmux, home = stage.folder / "tmux", stage.folder / "sockets"
    stage.call("mkdir", home)
    plain = stage.plain() | {"TMUX_TMPDIR": str(home), "TERM": "xterm", "SHELL": "/bin/sh"}
    clients = plain | stage.client

    def do(*words: str) -> str:
        return stage.call(tmux, "-L", "scene", *words, env=clients)

    server = stage.serve([tmux, "-L", "scene", "-f", "/dev/null", "-D"], plain)
    stage.until("tmux's start", lambda: any(home.glob("tmux-*/scene")))
    do("new-session", "-d", "-s", "one", "-x", "100", "-y", "30")
    do("set-option", "-g", "status-interval", "1")
    do("set-option", "-g", "monitor-activity", "on")
    do("set-option", "-g", "lock-after-time", "0")
    screen, ours = pty.openpty()
    person = stage.start([tmux, "-L", "scene", "attach"], clients, ours, ours)
    stage.until("a client's start", lambda: "attached" in do("list-sessions"))
    for key in KEYS:
        os.write(screen, key.encode())
        _drain(screen)
    for number in range(4):
        _windows(do, f"busy{number}", stage.folder / "saved")
        _drain(screen)
    control = stage.start([tmux, "-L", "scene", "-C", "attach"], clients, subprocess.PIPE)
    assert control.stdin is not None
    # tmux crashes if a notification comes after a control client has identified itself and before it is set up.
    stage.until("a control client's start", lambda: _attached_control(do("list-clients", "-F", "#{client_flags}")))
    control.stdin.write(b"list-windows\nrefresh-client -C 90,25\nsplit-window\n")
    control.stdin.flush()
    do("new-session", "-d", "-s", "two")
    do("switch-client", "-t", "two")
    time.sleep(1.2)  # the status line is drawn anew
    _drain(screen)
    do("capture-pane", "-p")
    do("swap-window", "-s", "one:0", "-t", "one:1")
    do("kill-pane", "-t", "one")
    do("kill-window", "-t", "one:busy0")
    do("kill-session", "-t", "two")
    control.stdin.close()
    control.wait(_LONGEST_START_S)
    do("detach-client")
    person.wait(_LONGEST_START_S)
    stage.call(tmux, "-L", "scene", "kill-server", env=clients, good=False)
    server.wait(_LONGEST_START_S)
    os.close(ours)
    os.close(screen)


def _attached_control(flags: str) -> bool:
    return any("attached" in line and "control-mode" in line for line in flags.splitlines())


def _windows(do: Callable[..., str], name: str, saved: Path) -> None:
    """Everything that a person does with one more window."""
    do("new-window", "-n", name, "yes | head -n 20000; sleep 1; exec sh")
    do("split-window", "-h")
    do("split-window", "-v", "while :; do date; sleep 0.1; done")
    do("send-keys", "-t", "one", "echo hello", "Enter")
    do("resize-window", "-x", "80", "-y", "24")
    do("resize-pane", "-D", "3")
    do("select-layout", "tiled")
    do("copy-mode")
    for command in ("page-up", "begin-selection", "cursor-down", "end-of-line", "copy-selection"):
        do("send-keys", "-X", command)
    do("send-keys", "-X", "search-backward", "hello")
    do("send-keys", "-X", "cancel")
    do("paste-buffer")
    do("pipe-pane", "cat > /dev/null")
    do("run-shell", "echo from a job")
    do("run-shell", "-b", "-d", "0.2", "true")
    do("if-shell", "true", "display-message yes", "display-message no")
    do("display-message", "seen by all")
    do("set-buffer", "some text")
    do("save-buffer", str(saved))
    do("load-buffer", str(saved))
    do("clock-mode")


def _drain(screen: int, quiet_s: float = 0.3) -> None:
    """Reads what is shown, as a terminal does, until nothing more comes."""
    deadline = time.monotonic() + 5
    os.set_blocking(screen, False)
    last = time.monotonic()
    while time.monotonic() - last < quiet_s and time.monotonic() < deadline:
        with contextlib.suppress(BlockingIOError):
            if os.read(screen, 65536):
                last = time.monotonic()
        time.sleep(0.02)


WORK: dict[str, Callable[[Scene], None]] = {"pgbouncer": pgbouncer_at_work, "tmux": tmux_at_work}
