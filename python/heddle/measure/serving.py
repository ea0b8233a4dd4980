"""A server process for as long as a `with` block lasts: started, waited for until it listens, always stopped."""

import os
import re
import selectors
import subprocess
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from heddle.errors import BadInputError

_LISTENING = re.compile(rb"listening on [\w.:\[\]]*:(\d+)")
_START_TIMEOUT_S = 20.0
_STOP_TIMEOUT_S = 20.0


@dataclass
class Server:
    pid: int
    port: int
    stopped_by_itself: bool = False
    exit_code: int | None = None


@contextmanager
def serving(
    command: Sequence[str | Path], environment: Mapping[str, str] | None = None, cwd: Path | None = None
) -> Iterator[Server]:
    """Yields the server once it has said `listening on ADDRESS:PORT`; ends it with SIGTERM, as its owner would."""
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, env=environment, cwd=cwd
        )
        try:
            server = Server(process.pid, _wait_for_port(process, errors.fileno(), command))
            yield server
            server.stopped_by_itself = process.poll() is not None
        finally:
            if process.poll() is None:
                process.terminate()
            try:
                process.wait(_STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
            assert process.stdout is not None
            process.stdout.close()
        server.exit_code = process.returncode
        if server.exit_code != 0 or server.stopped_by_itself:
            raise BadInputError(_failure(command, process.returncode, errors.fileno()), "run it by hand to see more")


def _wait_for_port(process: "subprocess.Popen[bytes]", errors: int, command: Sequence[str | Path]) -> int:
    assert process.stdout is not None
    deadline = time.monotonic() + _START_TIMEOUT_S
    said = b""
    with selectors.DefaultSelector() as selector:
        selector.register(process.stdout, selectors.EVENT_READ)
        while (left := deadline - time.monotonic()) > 0:
            if not selector.select(left):
                break
            chunk = os.read(process.stdout.fileno(), 4096)
            if not chunk:
                process.wait()
                raise BadInputError(_failure(command, process.returncode, errors), "run it by hand to see more")
            said += chunk
            found = _LISTENING.search(said)
            if found and b"\n" in said[found.start() :]:
                return int(found.group(1))
    raise BadInputError(f"{_name(command)} did not start to listen within {_START_TIMEOUT_S:.0f} s", "run it by hand")


def _failure(command: Sequence[str | Path], code: int, errors: int) -> str:
    how = f"was ended by signal {-code}" if code < 0 else f"ended with exit code {code}"
    os.lseek(errors, 0, os.SEEK_SET)
    lines = [line for line in os.read(errors, 1 << 20).decode("utf-8", "replace").splitlines() if line.strip()]
    said = f" ({lines[-1][:200]})" if lines else ""
    return f"{_name(command)} {how}{said}"


def _name(command: Sequence[str | Path]) -> str:
    """The server's own name, also behind `python -m heddle run ... --`."""
    words = [str(word) for word in command]
    own = words[words.index("--") + 1] if "--" in words else words[0]
    return Path(own).name
