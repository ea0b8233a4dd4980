"""How a program behaves under plain Node.js and under heddle-node, and what counts as the same.

The versions of Node.js come from npm (package.json beside this file), are fetched once into build/third_party, and are
shared by the corpus, the fuzzer and the packages' suites.
"""

from __future__ import annotations

import difflib
import fcntl
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

HERE = Path(__file__).resolve().parent
ROOT = HERE.parent.parent
THIRD_PARTY = ROOT / "build/third_party"
PACKAGE = ROOT / "node"
VERSIONS = (20, 22, 24)
MAIN_VERSION = 22
SECONDS = 60
SHOWN_LINES = 12

# Frames of Node's own code are not the program's: a hook of ours may stand between two of them.
_INTERNAL_FRAME = re.compile(r"^\s+at .*\(?(?:node:|(?:file://)?/\S+/node/dist/)\S*\)?(?: \{)?\s*$")
# Above an uncaught error Node prints the line that threw; Node 20 an empty line too many where something was inserted.
_AFTER_MARK = re.compile(r"^(\s*\^)\n\n\n", re.MULTILINE)
_INTERNAL_SOURCE = re.compile(r"^node:internal/\S+:\d+\n(?:.*\n)*?\s*\^+\n\n?", re.MULTILINE)
_PROCESS_ID = re.compile(r"\(node:\d+\)")
CACHES = os.environ.get("XDG_CACHE_HOME") or str(Path.home() / ".cache")


class NotSetUpError(Exception):
    """Something the tests need is not there; the message says how it gets there."""


@dataclass(frozen=True)
class Outcome:
    """What a run left: exit code (negative: the signal that ended it), standard output and error."""

    code: int | str
    out: str
    err: str


def npm(*words: str, folder: Path) -> None:
    """Runs npm in `folder`; NotSetUpError carries its last lines if it fails."""
    own = ROOT / "build/venv/bin/npm"
    program = str(own) if own.exists() else shutil.which("npm")
    if program is None:
        raise NotSetUpError("no npm here: ./heddle test brings one")
    path = f"{Path(program).parent}{os.pathsep}{os.environ['PATH']}"
    command = [program, "--no-update-notifier", "--no-fund", "--no-audit", *words]
    done = subprocess.run(
        command, cwd=folder, capture_output=True, text=True, check=False, env={**os.environ, "PATH": path}
    )
    if done.returncode != 0:
        raise NotSetUpError(f"npm {' '.join(words)} failed: {(done.stdout + done.stderr)[-1500:]}")


def installed(source: Path, name: str) -> Path:
    """The folder build/third_party/NAME with what SOURCE/package-lock.json says, fetched when that has changed."""
    folder = THIRD_PARTY / name
    lock = (source / "package-lock.json").read_text()
    stamp = folder / "installed-lock.json"
    THIRD_PARTY.mkdir(parents=True, exist_ok=True)
    with (THIRD_PARTY / f".{name}.lock").open("w") as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        if not stamp.exists() or stamp.read_text() != lock:
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir()
            for file in ("package.json", "package-lock.json"):
                shutil.copy(source / file, folder / file)
            npm("ci", "--ignore-scripts", folder=folder)
            stamp.write_text(lock)
    return folder


@cache
def node(version: int) -> Path:
    """The node binary of a major version."""
    binary = installed(HERE, "node-versions") / f"node_modules/node{version}/bin/node"
    if not binary.exists():
        raise NotSetUpError(f"no Node.js {version} at {binary}: these packages are for x86-64 only")
    return binary


def environment(version: int, settings: Mapping[str, str] | None, tmp: Path | None = None) -> dict[str, str]:
    """The environment of a run: ours without what would change Node's behaviour; `settings` None: plain node."""
    kept = {
        name: value
        for name, value in os.environ.items()
        if not name.startswith(("HEDDLE", "NODE_", "npm_", "FORCE_COLOR"))
    }
    kept |= {"NO_COLOR": "1", "LC_ALL": "C.UTF-8"}
    if tmp is not None:
        kept["TMPDIR"] = str(tmp)
    if settings is not None:
        kept |= {"HEDDLE_NODE": str(node(version)), **settings}
    return kept


def command(
    version: int, settings: Mapping[str, str] | None, words: Sequence[str | Path], package: Path = PACKAGE
) -> list[str]:
    if settings is None:
        return [str(node(version)), *map(str, words)]
    heddle_node = package / "bin/heddle-node"
    if not heddle_node.exists():
        raise NotSetUpError(f"{heddle_node} is not there")
    return [str(heddle_node), "--ship=always", *map(str, words)]


def run(
    version: int,
    settings: Mapping[str, str] | None,
    words: Sequence[str | Path],
    *,
    folder: Path | None = None,
    stdin: str = "",
    seconds: float = SECONDS,
    home: Path | None = None,
    package: Path = PACKAGE,
) -> Outcome:
    """One run; `settings` are additions to the environment under heddle-node of `package`, None asks for plain node."""
    own = {"HOME": str(home), "XDG_CACHE_HOME": CACHES} if home else {}
    # A group of its own, so that a run that hangs leaves no children behind.
    with subprocess.Popen(
        command(version, settings, words, package),
        cwd=folder,
        env=environment(version, settings) | own,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
    ) as child:
        try:
            out, err = child.communicate(stdin.encode(), timeout=seconds)
            code: int | str = child.returncode
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            out, err = child.communicate()
            code = f"still running after {seconds:.0f} s"
        except BaseException:  # the test's own limit: a program that goes on without its pipes would be waited for
            os.killpg(child.pid, signal.SIGKILL)
            raise
    return Outcome(code, out.decode(errors="backslashreplace"), normal_stderr(err.decode(errors="backslashreplace")))


def normal_stderr(text: str) -> str:
    """Without frames and lines of Node's own code, and without process ids."""
    text = _AFTER_MARK.sub(r"\1\n\n", _INTERNAL_SOURCE.sub("", text))
    if "Maximum call stack size exceeded" in text:  # in which frame that happens, and where, differs from run to run
        text = re.sub(r"^(?:    at .*|\s*\^)\n", "", text, flags=re.MULTILINE)
    lines = (_PROCESS_ID.sub("(node:PID)", line) for line in text.splitlines())
    return "\n".join(line for line in lines if not _INTERNAL_FRAME.match(line)).strip("\n")


def difference(plain: Outcome, ours: Outcome) -> str:
    """What differs, for people; empty if nothing does."""
    if plain == ours:
        return ""
    lines = []
    if plain.code != ours.code:
        lines.append(f"exit code {plain.code} under node, {ours.code} under heddle-node")
    for name, a, b in (("stdout", plain.out, ours.out), ("stderr", plain.err, ours.err)):
        if a != b:
            parts = list(difflib.unified_diff(a.splitlines(), b.splitlines(), "node", "heddle-node", lineterm="", n=2))
            lines += [f"{name}:", *(f"    {line[:300]}" for line in parts[2 : 2 + SHOWN_LINES])]
            if a.splitlines() == b.splitlines():
                lines.append("    the last line's end differs")
    return "\n".join(lines)
