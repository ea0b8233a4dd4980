"""Starts a command with the library that records, looks at its processes meanwhile, and reports when it has ended.

The counts lie in files that the processes map, so they survive whatever ends a process. What the processes may not get
to say is how much processor time they took in the end: this asks the kernel for it as long as they run.
"""

import contextlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path

from heddle.documents import contracts
from heddle.errors import BadInputError
from heddle.ipc import advice, data, pairs, report
from heddle.output import terminal
from heddle.system import places

_LOOK_S = 0.1  # so long may a process have run on since its processor time was last looked at
_MEMORY = Path("/dev/shm")


@dataclass(frozen=True)
class Request:
    command: tuple[str, ...]
    json: str | None = None  # a file, or - for standard output
    report: Path | None = None  # instead of standard error
    wait: bool = False  # for processes that go on after the command


@dataclass
class _Watch:
    """What is known of the processes beside their files."""

    folder: Path
    cpu_ns: dict[str, int] = field(default_factory=dict)  # by name of the file
    over: set[str] = field(default_factory=set)
    alive: set[str] = field(default_factory=set)

    def look(self) -> None:
        latest: dict[int, str] = {}
        names = [path.name for path in self.folder.iterdir() if "-" in path.name]
        for name in sorted(names, key=lambda name: [int(part) for part in name.split("-")]):
            latest[int(name.partition("-")[0])] = name
        self.alive = set()
        for pid, name in latest.items():
            if name in self.over:
                continue
            try:
                # The clock of all threads of a process (clock_getcpuclockid(3), as Linux numbers them).
                self.cpu_ns[name] = time.clock_gettime_ns(~pid << 3 | 2)
                self.alive.add(name)
            except OSError:
                self.over.add(name)

    def complete(self, images: dict[str, data.Image]) -> None:
        for name, image in images.items():
            image.alive = name in self.alive and not _is_zombie(image.pid)
            if not image.flags & contracts.IPC_PROCESS_EXECUTED:
                image.cpu_ns = max(image.cpu_ns, self.cpu_ns.get(name, 0))


def _is_zombie(pid: int) -> bool:
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] in "ZX"
    except (OSError, IndexError):
        return True


def record(request: Request) -> int:
    """The command's exit code, 128 and the signal's number where one ended it. Raises BadInputError."""
    library = places.built(places.ipc(), "the library that records")
    if any(mark in str(library) for mark in " :"):
        # The dynamic linker splits LD_PRELOAD at both.
        raise BadInputError(f"the folder {library.parent} has a blank or colon in its name", "move heddle elsewhere")
    for file in (request.report, None if request.json in (None, "-") else Path(str(request.json))):
        if file is not None and not file.absolute().parent.is_dir():
            raise BadInputError(f"{file} cannot be written", "name a file in a folder that exists")
    if shutil.which(request.command[0]) is None:
        raise BadInputError(f"there is no program {request.command[0]}", "check its name")
    memory = _MEMORY if os.access(_MEMORY, os.W_OK) else None
    with tempfile.TemporaryDirectory(prefix="heddle-ipc-", dir=memory) as name:
        folder = Path(name)
        _open_to_others(folder)
        watch = _Watch(folder)
        began = time.monotonic()
        code = _run(request, folder, library, watch)
        _write(request, _gather(request, folder, watch, code, time.monotonic() - began))
    return code


def _open_to_others(folder: Path) -> None:
    """Servers that root starts go on as other users, and write there, too."""
    programs = folder / data.PROGRAMS
    programs.touch()
    (folder / data.UNSEEN).touch()
    if os.geteuid() == 0:
        folder.chmod(0o1733)
        programs.chmod(0o622)
        (folder / data.UNSEEN).chmod(0o622)


def _run(request: Request, folder: Path, library: Path, watch: _Watch) -> int:
    environment = dict(os.environ)
    earlier = environment.get("LD_PRELOAD")
    environment["LD_PRELOAD"] = f"{library}:{earlier}" if earlier else str(library)
    environment[contracts.HEDDLE_IPC_FOLDER] = str(folder)
    # SIGINT reaches the command by itself, for it is in the same process group.
    interrupted: list[int] = []
    before = signal.getsignal(signal.SIGINT)
    ignored = before == signal.SIG_IGN
    signal.signal(signal.SIGINT, lambda number, _frame: interrupted.append(number))
    try:
        with subprocess.Popen(request.command, env=environment, preexec_fn=_ignore if ignored else _default) as running:
            signal.signal(signal.SIGTERM, lambda number, _frame: running.send_signal(number))
            while True:
                with contextlib.suppress(subprocess.TimeoutExpired):
                    code = running.wait(_LOOK_S)
                    break
                watch.look()
            watch.look()
            while request.wait and watch.alive and not interrupted:
                time.sleep(_LOOK_S)
                watch.look()
    except OSError as error:
        raise BadInputError(f"{request.command[0]} cannot be started ({error.strerror})", "check the file") from None
    finally:
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, before)
    return code if code >= 0 else 128 - code


def _default() -> None:
    signal.signal(signal.SIGINT, signal.SIG_DFL)


def _ignore() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _gather(request: Request, folder: Path, watch: _Watch, code: int, seconds: float) -> report.Recording:
    images = data.load(folder, watch.complete)
    missing = [(pid, path, _why(path)) for pid, path in data.unrecorded(folder, images)]
    if not images and not missing:
        missing = [(0, request.command[0], _why(shutil.which(request.command[0]) or request.command[0]))]
    unseen = sorted(set((folder / data.UNSEEN).read_text(errors="replace").split()))
    return report.Recording(
        request.command, code, seconds, images, pairs.talk(images), missing, unseen, advice.measured_machine()
    )


def _why(path: str) -> str:
    """Why a program does not load the library."""
    from heddle.program.elf import Elf, ElfError

    file = Path(path)
    try:
        status = file.stat()
        if status.st_mode & 0o6000:
            return "it takes the rights of its owner, so the linker loads nothing of ours into it"
        with file.open("rb") as opened:
            if opened.read(2) == b"#!":
                return "its interpreter was not"
        program = Elf(file)
        if program.is_static:
            return "it is linked statically"
        if program.section(".go.buildinfo") is not None:
            return "it is a Go program, which makes its system calls by itself"
    except (OSError, ElfError):
        return "the reason is not known"
    return "it has another C library, or makes its system calls by itself"


def _write(request: Request, recording: report.Recording) -> None:
    try:
        if request.json is not None:
            document = json.dumps(report.document(recording), indent=2) + "\n"
            if request.json == "-":
                sys.stdout.write(document)
                sys.stdout.flush()
            else:
                Path(request.json).write_text(document)
        if request.report is not None:
            request.report.write_text("\n".join(report.text(recording, 100)) + "\n")
        elif request.json is None:
            sys.stderr.write("\n".join(["", *report.text(recording, terminal.width())]) + "\n")
    except OSError as error:
        raise BadInputError(f"the report cannot be written ({error.strerror})", "name another file") from None
