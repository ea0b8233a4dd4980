"""Figures of programs that run under heddle now: where they lie, and how to ask for them.

In a folder of the user's own, PID.json is a `run` document. The runtime writes it when the program starts, and then
each second for as long as somebody has touched PID.asked within the last few seconds.
"""

import os
import stat
import tempfile
import time
from pathlib import Path

from heddle.documents import contracts, schemas
from heddle.documents.schemas import Document
from heddle.errors import BadInputError

_WAIT_S = 3.0


def folder() -> Path:
    """Made if it is not there; refused if it is somebody else's."""
    base = os.environ.get("XDG_RUNTIME_DIR")
    path = Path(base or "a folder for temporary files", "heddle")
    try:
        if not base:
            path = Path(tempfile.gettempdir(), f"heddle-{os.getuid()}")
        path.mkdir(mode=0o700, parents=False, exist_ok=True)
        found = path.lstat()
    except OSError as error:
        raise BadInputError(f"{path} cannot be made ({error.strerror})", "set XDG_RUNTIME_DIR") from None
    if not stat.S_ISDIR(found.st_mode) or found.st_uid != os.getuid() or found.st_mode & 0o022:
        raise BadInputError(f"{path} is not a folder of yours alone", "set XDG_RUNTIME_DIR to one that is")
    return path


def running() -> list[int]:
    """Programs that run now. Files of programs that have ended are removed."""
    found = []
    for file in folder().glob(f"*{contracts.LIVE_DOCUMENT_SUFFIX}"):
        if not file.stem.isdigit():
            continue
        if Path("/proc", file.stem).exists():
            found.append(int(file.stem))
        else:
            file.unlink(missing_ok=True)
            file.with_suffix(contracts.LIVE_ASKED_SUFFIX).unlink(missing_ok=True)
    return sorted(found)


def one(pid: int | None) -> int:
    """The program that is meant: this one, or the only one there is."""
    found = running()
    if pid is not None:
        if pid not in found:
            raise BadInputError(f"no program runs under heddle as process {pid}", _start_one(found))
        return pid
    if len(found) != 1:
        what = "several programs run under heddle" if found else "no program runs under heddle"
        raise BadInputError(what, _start_one(found))
    return found[0]


def ask(pid: int) -> None:
    """Keeps the figures fresh for the next few seconds."""
    (folder() / f"{pid}{contracts.LIVE_ASKED_SUFFIX}").touch()


def fresh(pid: int) -> Document | None:
    """Figures not older than this call, for it waits for them; None if the program has ended."""
    file = folder() / f"{pid}{contracts.LIVE_DOCUMENT_SUFFIX}"
    asked = time.time()
    ask(pid)
    end = time.monotonic() + _WAIT_S
    while time.monotonic() < end and Path("/proc", str(pid)).exists():
        try:
            if file.stat().st_mtime > asked:
                break
        except FileNotFoundError:
            return None
        time.sleep(0.05)
    return read(pid)


def read(pid: int) -> Document | None:
    """The figures as they were written last; None if the program has ended."""
    file = folder() / f"{pid}{contracts.LIVE_DOCUMENT_SUFFIX}"
    try:
        text = file.read_bytes()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise BadInputError(f"{file} cannot be read ({error.strerror})", "watch your own programs only") from None
    return schemas.parse(text, "run", str(file))


def _start_one(found: list[int]) -> str:
    if found:
        return f"name one: heddle top {' or '.join(map(str, found))}"
    return "start one: heddle run ./server (serial runs are shown with --metrics only)"
