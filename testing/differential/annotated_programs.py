"""The analyser's annotated programs, run once on libevent and once on the runtime, with the same events.

Handlers that conflict run in the order in which they became due, and the others commute. So a program that is fed one
sequence of activations (testing/oracle/repeatable.h) must print the same lines, send the same bytes, and leave the
same variables and heap, on any number of threads. What differs between two runs on libevent is not looked at.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections import Counter
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from heddle.program.elf import Elf
from testing.oracle.small_programs import BUILD, CONFINED, ELYZE, PLUGIN, SPECS, asked_of_the_plugin

AGITATOR = BUILD / "testing/oracle/librepeatable_agitator.so"
LIBRARY = BUILD / "multivent/libmultivent.so"
_FLAGS = ["-w", "-g", "-O0"]
_INSTRUMENTED = ["-finstrument-functions", "-fsanitize-coverage=func,trace-loads,trace-stores"]
_LIBRARIES: list[str | Path] = [
    "-fno-sanitize-link-runtime",
    "-Wl,--no-as-needed",
    AGITATOR,
    "-levent",
    "-Wl,--as-needed",
    "-levent_pthreads",
    "-lm",
    "-Wl,--unresolved-symbols=ignore-all",
]
_SECTIONS = re.compile(r" (\.data|\.bss) +\w+ +(\w+) \w+ (\w+)")

State = dict[str, list[str]]  # the words of each piece of memory, under its name


@dataclass(frozen=True)
class Program:
    executable: Path
    constraints: Path
    ranges: str  # of its variables


@dataclass
class Ended:
    """How one run ended, and what it left."""

    code: int | None  # none if it had to be killed
    lines: list[str]  # printed, sorted: the order of lines is promised to nobody
    complaints: list[str]
    choices: list[str]
    state: State
    figures: dict[str, Any] = field(default_factory=dict)


def build(source: Path, folder: Path) -> Program:
    """What is below /srv lies in the folder of the run instead, where no other program makes or removes a file.

    The analyser sees the program as it was written: a path that is relative can depend on the working directory.
    """
    run_source = folder / source.name
    run_source.write_text(source.read_text().replace('"/srv', '"./sv'))
    bitcode, executable = folder / f"{source.stem}.bc", folder / source.stem
    asked = asked_of_the_plugin(source)
    common: list[str | Path] = ["clang-19", *_FLAGS, f"-I{source.parent}"]
    # Marks have numbers that are made from the name of the file.
    analysed = run_source if asked else source
    unoptimised: list[str | Path] = [*common, analysed, "-Xclang", "-disable-O0-optnone", "-c", "-o"]
    if asked:
        common.append(f"-fpass-plugin={PLUGIN}")
        named_bitcode = {**os.environ, **asked, "HEDDLE_BITCODE": str(bitcode)}
        subprocess.run([*unoptimised, executable, f"-fpass-plugin={PLUGIN}"], env=named_bitcode, check=True)
    else:
        subprocess.run([*unoptimised, bitcode, "-emit-llvm"], check=True)
    wrapped = [f"-Wl,--wrap={name}" for name in re.findall(r"ld --wrap=(\w+)", source.read_text())]
    linked = [*wrapped, *_LIBRARIES, f"-Wl,-rpath,{AGITATOR.parent}", "-Wl,--build-id"]
    built = [*common, run_source, *_INSTRUMENTED, "-o", executable, *linked]
    subprocess.run(built, env={**os.environ, **asked}, check=True)
    constraints = folder / f"{source.stem}.json"
    named = ["--program", source.stem, "--build-id", Elf(executable).build_id() or ""]
    subprocess.run([ELYZE, bitcode, *named, "--specs", SPECS, "-o", constraints], check=True)
    sections = subprocess.run(["readelf", "-SW", executable], capture_output=True, text=True, check=True).stdout
    whole = [(int(start, 16), int(size, 16)) for _, start, size in _SECTIONS.findall(sections)]
    ranges = ",".join(f"{start:x}:{size:x}" for start, size in without_scratch(whole, executable, constraints))
    return Program(executable, constraints, ranges)


def without_scratch(ranges: list[tuple[int, int]], executable: Path, constraints: Path) -> list[tuple[int, int]]:
    """Of scratch objects nobody looks at what an invocation has left there, and each thread has its own."""
    names = {one["name"] for one in json.loads(constraints.read_text()).get("scratch", [])}
    if not names:
        return ranges
    symbols = subprocess.run(["nm", "-S", executable], capture_output=True, text=True, check=True).stdout
    for line in symbols.splitlines():
        words = line.split()
        if len(words) != 4 or words[3] not in names:
            continue
        low, high = int(words[0], 16), int(words[0], 16) + int(words[1], 16)
        parts = [part for at, size in ranges for part in ((at, min(low, at + size)), (max(high, at), at + size))]
        ranges = [(start, end - start) for start, end in parts if end > start]
    return ranges


def run(program: Program, seed: int, rounds: int, threads: int | None, longest_s: float = 10) -> Ended:
    """On plain libevent without a number of threads."""
    state, run_file = (program.executable.with_suffix(f".{seed}.{threads}.{kind}") for kind in ("state", "run"))
    for left in (state, run_file):
        left.unlink(missing_ok=True)
    folder = program.executable.with_suffix(f".{seed}.{threads}.folder")  # what it leaves there is not for the next run
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "sv").mkdir(parents=True)
    environment = {
        "PATH": os.defpath,
        "LD_PRELOAD": str(AGITATOR),
        "AGITATE_SEED": str(seed),
        "AGITATE_ROUNDS": str(rounds),
        "AGITATE_STATE": str(state),
        "AGITATE_RANGES": program.ranges,
    }
    if threads is not None:
        environment |= {
            "LD_PRELOAD": f"{AGITATOR}:{LIBRARY}",
            "AGITATE_DELAYS": "1",
            "HEDDLE_THREADS": str(threads),
            "HEDDLE_CONSTRAINTS": str(program.constraints),
            "HEDDLE_PROMOTE": "always",
            "HEDDLE_ORACLE": "1",
            "HEDDLE_SUMMARY": "0",
            "HEDDLE_RUN_FILE": str(run_file),
        }
    variables = [f"{name}={value}" for name, value in environment.items()]
    with subprocess.Popen(
        [*CONFINED, "setarch", "-R", "env", "-i", *variables, program.executable],
        cwd=folder,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        start_new_session=True,
        errors="replace",
        text=True,
    ) as process:
        try:
            printed, complaints = process.communicate(timeout=longest_s)
            code: int | None = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, complaints = process.communicate()
            code = None
    ended = Ended(code, sorted(printed.splitlines()), _of_program(complaints), [], {})
    for line in state.read_text().splitlines() if state.exists() else []:
        words = line.split()
        if words[0] == "choice":
            ended.choices.append(line)
        else:
            ended.state[f"{words[0]} {words[1]}"] = words[2:]
    with suppress(FileNotFoundError, json.JSONDecodeError):  # a program that is killed may not get to its end
        ended.figures = json.loads(run_file.read_text())
    return ended


def _of_program(complaints: str) -> list[str]:
    """Without what the libraries say."""
    return sorted(line for line in complaints.splitlines() if not line.startswith(("heddle: ", "[warn] ", "[err] ")))


def differences(plain: list[Ended], ours: Ended) -> list[str]:
    """What differs from all the plain runs, as far as those do not differ from each other."""
    found = []
    first = plain[0]
    for what in ("code", "choices", "lines", "complaints"):
        values = [getattr(one, what) for one in plain]
        if all(value == values[0] for value in values) and getattr(ours, what) != values[0]:
            found.append(f"{what}: {_short(values[0], getattr(ours, what))}")
    if ours.code is None:
        return found
    stable = [name for name in first.state if all(name in one.state for one in plain)]
    sometimes = {name for one in plain for name in one.state}
    found += [f"{name} is not there" for name in stable if name not in ours.state]
    found += [f"{name} is new" for name in ours.state if name not in sometimes]
    for name in stable:
        words = [one.state[name] for one in plain]
        for place, (*expected, got) in enumerate(zip(*words, ours.state.get(name, words[0]), strict=False)):
            if got != expected[0] and len(set(expected)) == 1:
                found.append(f"{name} word {place}: {expected[0]}, now {got}")
    return found


def _short(expected: object, got: object) -> str:
    if not isinstance(expected, list) or not isinstance(got, list):
        return f"{expected}, now {got}"
    missing, new = Counter(expected) - Counter(got), Counter(got) - Counter(expected)
    if not missing and not new:
        place = next(i for i, (a, b) in enumerate(zip(expected, got, strict=True)) if a != b)
        return f"in another order from {place} on"
    return f"missing {sorted(missing.elements())[:3]}, new {sorted(new.elements())[:3]}"
