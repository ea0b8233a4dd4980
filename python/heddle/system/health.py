"""What `heddle doctor` looks at: each finding says what was looked for, what is there, and what its absence costs."""

import importlib.metadata
import os
import platform
import re
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from heddle.documents import contracts
from heddle.errors import BadInputError
from heddle.system import machine, nodejs, places

State = Literal["ok", "missing", "note"]


@dataclass(frozen=True)
class Finding:
    what: str
    state: State
    found: str
    cost: str = ""  # what goes without it, and how to get it; empty when ok


def findings() -> list[Finding]:
    return [*_machine(), *_tools(), *_debian_packages(), *_python_packages(), *_built_parts()]


def _machine() -> Iterator[Finding]:
    usable, present = machine.cores(), os.cpu_count() or 1
    quota = machine.quota()
    limits = []
    if len(os.sched_getaffinity(0)) < present:
        limits.append("affinity mask")
    if quota is not None and quota < len(os.sched_getaffinity(0)):
        limits.append("control group quota")
    found = f"{usable} of {present}" + (f" (limited by the {' and '.join(limits)})" if limits else "")
    if usable > 1:
        yield Finding("cores", "ok", found)
    else:
        yield Finding(
            "cores", "note", found, "programs run serial by default; only handlers that wait gain from --threads N"
        )
    yield Finding("processor", "ok", machine.model())
    yield Finding("kernel", "ok", f"{platform.system()} {platform.release()} {platform.machine()}")
    yield _performance_counters()
    busy = os.getloadavg()[0]
    if busy > 0.3 * usable:
        yield Finding("load", "note", f"{busy:.1f} over the last minute", "measurements on a busy machine are doubtful")
    else:
        yield Finding("load", "ok", f"{busy:.1f} over the last minute")


def _performance_counters() -> Finding:
    devices = Path("/sys/bus/event_source/devices")
    hardware = (devices / "cpu").exists() or any(devices.glob("cpu_*"))
    try:
        paranoid = int(Path("/proc/sys/kernel/perf_event_paranoid").read_text())
    except (OSError, ValueError):
        return Finding("performance counters", "note", "none", "no hardware figures; times and counts are unaffected")
    if not hardware:
        return Finding(
            "performance counters",
            "note",
            "software events only",
            "no hardware figures; times and counts are unaffected",
        )
    if paranoid > 2 and os.geteuid() != 0:
        return Finding(
            "performance counters", "note", "closed to users", "sysctl kernel.perf_event_paranoid=2 opens them"
        )
    return Finding("performance counters", "ok", "hardware and software")


def _tools() -> Iterator[Finding]:
    llvm = f"clang-{places.LLVM_VERSION} llvm-{places.LLVM_VERSION}"
    for tool in ("clang", "llvm-objcopy"):
        path = places.llvm_tool(tool)
        cost = f"no heddle build and no analysis of C files: apt-get install {llvm}"
        yield _present(f"{tool} {places.LLVM_VERSION}", _version(path), cost)
    for compiler in ("g++", "cmake", "ninja"):
        yield _present(
            compiler, _version(compiler), "the native parts cannot be built: run ./heddle demo to install it"
        )
    yield _present(
        "Node.js",
        _version(_node()),
        f"no Node.js program can be run: install {contracts.NODE_VERSIONS} or later, or run ./heddle demo",
    )
    yield _present("libevent", _libevent(), "no program that uses it can run or be built: apt-get install libevent-dev")


def _node() -> str | None:
    try:
        return str(nodejs.node())
    except BadInputError:
        return None


def _present(what: str, found: str | None, cost: str) -> Finding:
    return Finding(what, "ok", found) if found else Finding(what, "missing", "not found", cost)


def _version(command: str | None) -> str | None:
    if command is None:
        return None
    try:
        done = subprocess.run([command, "--version"], capture_output=True, text=True, check=False, timeout=20)
    except (OSError, subprocess.TimeoutExpired):
        return None
    numbers = re.search(r"\d+(\.\d+)+", done.stdout)
    return numbers.group() if numbers else "present"


def _libevent() -> str | None:
    try:
        done = subprocess.run(["pkg-config", "--modversion", "libevent"], capture_output=True, text=True, check=False)
        if done.returncode == 0:
            return done.stdout.strip()
    except OSError:
        pass
    found = list(Path("/usr/lib").glob("*/libevent-2.1.so.7"))
    return "2.1, without headers" if found else None


def _debian_packages() -> Iterator[Finding]:
    """The list that ./heddle installs from: a name, then what it is for."""
    try:
        text = (places.root() / "tools" / "debian-packages.txt").read_text()
    except OSError:
        yield Finding("Debian packages", "missing", "no list of them", "get a whole copy of heddle")
        return
    purposes = dict(re.findall(r"^([a-z0-9][\w.+-]*)\s*#\s*(.+)$", text, re.MULTILINE))
    query = ["dpkg-query", "-W", "-f=${Package} ${db:Status-Status}\\n", *purposes]
    try:
        listing = subprocess.run(query, capture_output=True, text=True, check=False).stdout
    except OSError:
        yield Finding("Debian packages", "note", "not a Debian system", "install what tools/debian-packages.txt names")
        return
    absent = [name for name in purposes if f"{name} installed" not in listing.splitlines()]
    for name in absent:
        yield Finding(name, "missing", "not installed", f"needed for: {purposes[name]}: apt-get install {name}")
    if not absent:
        yield Finding("Debian packages", "ok", f"all {len(purposes)}")


def _python_packages() -> Iterator[Finding]:
    yield Finding("python", "ok", platform.python_version())
    lock = places.root() / "requirements.lock"
    try:
        pinned = dict(re.findall(r"^([\w.-]+)==(\S+)$", lock.read_text(), re.MULTILINE))
    except OSError:
        yield Finding("python packages", "missing", f"no {lock.name}", "get a whole copy of heddle")
        return
    absent, other = [], []
    for name, version in pinned.items():
        try:
            installed = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            absent.append(name)
            continue
        if installed != version:
            other.append(f"{name} {installed} for {version}")
    if absent:
        yield Finding("python packages", "missing", ", ".join(absent), "reports and tests fail: run ./heddle demo")
    elif other:
        yield Finding("python packages", "note", ", ".join(other), "other versions than heddle was tested with")
    else:
        yield Finding("python packages", "ok", f"all {len(pinned)} as locked")


def _built_parts() -> Iterator[Finding]:
    """The native parts. `./heddle` builds them itself, unless the caller names another build (HEDDLE_BUILD)."""
    parts = {
        "analyser": (places.elyze(), "analyze", "no heddle analyze, and therefore no parallel run"),
        "runtime": (places.multivent(), "run", "no heddle run"),
        "load generator": (places.load_generator(), "demo", "no heddle demo and no benchmarks of servers"),
    }
    on_demand = places.build() == places.root() / "build" / "release"
    for what, (path, verb, cost) in parts.items():
        if path.is_file():
            yield Finding(what, "ok", str(path))
        elif on_demand:
            yield Finding(what, "note", "not built yet", f"built when first needed: ./heddle {verb}")
        else:
            yield Finding(what, "missing", "not found", f"{cost}: build it in {places.build()}, or unset HEDDLE_BUILD")
