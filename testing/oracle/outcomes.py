"""Random programs (testing/oracle/programs), a dozen to a file: what they touch, and what comes out on several threads.

Under the oracle, no two invocations may meet that the verdicts let run together. Run by the runtime, a program must
print what it prints on plain libevent. For its output does not depend on the order in which handlers run: it says what
they have counted, and where one has found another's work half done, or its own undone (`BAD`).
"""

from __future__ import annotations

import json
import os
import re
import shutil
import signal
import subprocess
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

from heddle.documents import schemas
from heddle.documents.constraints import Constraints
from heddle.oracle.check import Outcome
from heddle.oracle.predictions import predictions
from heddle.program.elf import Elf
from testing.oracle import small_programs
from testing.oracle.programs.generate import IN_A_FILE, Program, file_of, generate, is_late
from testing.oracle.small_programs import BUILD, CONFINED, PASS, PLUGIN, ROOT, RUNTIME, NoTraceError

LIBRARY = BUILD / "multivent/libmultivent.so"
DELAYS = Path(__file__).with_name("delays.c")
KEPT = ROOT / "build/random-failures"
THREADS = (2, 4)
ROUNDS = 25  # for each program, under the oracle
_LONGEST_S = 10.0
_FLAGS = ("clang-19", "-w", "-g", "-O0", "-Xclang", "-disable-O0-optnone")
_DELAYED = "-fsanitize-coverage=func,trace-loads,trace-stores"
_MOST_REDUCTIONS = 60
_TRIES = 4  # of a program that went wrong once

Lines = dict[int, list[str]]  # what each program printed, sorted


@dataclass
class Found:
    """What came of one file of programs."""

    seeds: range
    touched: set[int] = field(default_factory=set)  # seeds of which two invocations met against their verdict
    wrong: dict[int, str] = field(default_factory=dict)  # seeds whose outcome libevent could not have had, and how
    unfit: dict[int, str] = field(
        default_factory=dict
    )  # seeds that libevent alone, or the oracle, did not bring to an end
    predicted: int = 0
    witnessed: int = 0
    runs: int = 0  # by the runtime
    parallel: int = 0  # in parallel
    overlapped: int = 0  # of these, with invocations that overlapped
    pairs_together: int = 0  # pairs of handlers of one program that may run together
    pairs: int = 0
    broken: str = ""  # how a run of several ended; whose fault it is shows when each is tried by itself

    def breaks(self, how: str, into: dict[int, str]) -> None:
        if len(self.seeds) > 1:
            self.broken = how
        else:
            into.setdefault(self.seeds.start, how)


@dataclass(frozen=True)
class Built:
    executable: Path
    traced: small_programs.Program
    document: Path


def build(programs: Sequence[Program], folder: Path, name: str, late: bool = False) -> Built:
    """`late`: with late points wherever there can be one."""
    environment = {**os.environ, "HEDDLE_SPECS": str(small_programs.SPECS)}
    source, bitcode = folder / f"{name}.c", folder / f"{name}.bc"
    text = file_of(programs)
    source.write_text(text)
    if late:  # the bitcode has the points, so what is made of it has them, too
        points = {"HEDDLE_LATE": "1", "HEDDLE_LATE_EVERYWHERE": "1", "HEDDLE_BITCODE": str(bitcode)}
        subprocess.run(
            [*_FLAGS, f"-fpass-plugin={PLUGIN}", "-c", source, "-o", folder / f"{name}.o"],
            env={**environment, **points},
            check=True,
        )
    else:
        subprocess.run([*_FLAGS, "-emit-llvm", "-c", source, "-o", bitcode], check=True)
    options = [f"-Wl,--wrap={name}" for name in re.findall(r"ld --wrap=(\w+)", text)]
    options += ["-Wl,--build-id", "-Wl,--no-as-needed"]
    libraries = ("-levent", "-Wl,--as-needed", "-levent_pthreads", "-lpthread", "-lm")
    delays = folder / "delays.o"
    if not delays.exists():
        fresh = folder / f"{name}.delays.o"  # others may be at it, too
        subprocess.run(["clang-19", "-O1", "-c", DELAYS, "-o", fresh], check=True)
        fresh.replace(delays)
    executable, traced = folder / name, folder / f"{name}-traced"
    words: list[str | Path] = ["clang-19", "-w", "-O0", bitcode]
    subprocess.run(
        [*words, _DELAYED, "-fno-sanitize-link-runtime", delays, "-o", executable, *options, *libraries], check=True
    )
    passed: list[str | Path] = [
        f"-fpass-plugin={PASS}",
        "-o",
        traced,
        f"-Wl,-rpath,{RUNTIME.parent}",
        *options,
        RUNTIME,
        *libraries,
    ]
    subprocess.run([*words, *passed], env=environment, check=True)
    document = folder / f"{name}.json"
    named = ["--program", name, "--build-id", Elf(executable).build_id() or ""]
    command: list[str | Path] = [small_programs.ELYZE, bitcode, *named, "--specs", small_programs.SPECS]
    subprocess.run([*command, "-o", document], check=True, timeout=small_programs.LONGEST_ANALYSIS_S)
    constraints = Constraints(schemas.load(document, "constraints"))
    return Built(executable, small_programs.Program(traced, constraints), document)


@dataclass(frozen=True)
class Ended:
    code: int | None  # none if it had to be killed
    lines: Lines
    mode: str = ""
    peak: int = 0


def run(built: Built, seed: int, threads: int | None) -> Ended:
    """On plain libevent without a number of threads."""
    folder = built.executable.with_suffix(f".{seed}.{threads}.folder")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    figures = folder / "run.json"
    environment = {"PATH": os.defpath}
    if threads is not None:
        environment |= {
            "LD_PRELOAD": str(LIBRARY),
            "AGITATE_DELAYS": str(seed),
            "HEDDLE_THREADS": str(threads),
            "HEDDLE_CONSTRAINTS": str(built.document),
            "HEDDLE_PROMOTE": "always",
            "HEDDLE_ORACLE": "1",
            "HEDDLE_SUMMARY": "0",
            "HEDDLE_RUN_FILE": str(figures),
        }
    with subprocess.Popen(
        [*CONFINED, built.executable],
        cwd=folder,
        env=environment,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        errors="replace",
        text=True,
    ) as process:
        try:
            printed, _ = process.communicate(timeout=_LONGEST_S)
            code: int | None = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            printed, _ = process.communicate()
            code = None
    lines: Lines = {}
    for line in printed.splitlines():
        if found := re.match(r"p(\d+)_", line):
            lines.setdefault(int(found[1]), []).append(line)
    for texts in lines.values():
        texts.sort()
    mode, peak = "", 0
    with suppress(FileNotFoundError, json.JSONDecodeError):
        said = json.loads(figures.read_text())
        mode, peak = said["mode"], said.get("peak_parallel", 0)
    shutil.rmtree(folder, ignore_errors=True)
    return Ended(code, lines, mode, peak)


def ending(code: int | None) -> str:
    return "did not end" if code is None else f"ended with {code}"


def try_file(seeds: range, folder: Path, repeats: int = 1, change: Callable[[Built], None] = lambda _: None) -> Found:
    """Builds and runs the programs of one file; `change` may spoil what the analyser has said.

    Where one of them ends the process, or keeps it from ending, each is tried by itself.
    """
    found = _try(seeds, folder, repeats, change)
    if len(seeds) == 1 or not found.broken:
        return found
    for seed in seeds:
        one = _try(range(seed, seed + 1), folder, repeats, change)
        found.touched |= one.touched
        found.wrong |= one.wrong
        found.unfit |= one.unfit
    if not found.wrong and not found.unfit:
        (found.wrong if "threads" in found.broken else found.unfit)[seeds.start] = f"all together: {found.broken}"
    return found


def _try(seeds: range, folder: Path, repeats: int, change: Callable[[Built], None]) -> Found:
    found = Found(seeds)
    name = f"whole{seeds.start}-{len(seeds)}"
    built = build([generate(seed) for seed in seeds], folder, name, is_late(seeds.start))
    try:
        change(built)
        _under_oracle(built, found)
        _on_threads(built, found, repeats)
    finally:
        for left in folder.glob(f"{name}*"):
            if left.is_file():
                left.unlink()
    return found


def _under_oracle(built: Built, found: Found) -> None:
    constraints = built.traced.constraints
    names = [handler.name.split("_")[0] for handler in constraints.handlers]
    own = [pair for pair in constraints.pairs if names[pair.a] == names[pair.b]]
    found.pairs, found.pairs_together = len(own), sum(pair.verdict != "always" for pair in own)
    try:
        outcome = built.traced.run(found.seeds.start, ROUNDS * len(found.seeds), longest_s=_LONGEST_S)
    except NoTraceError as error:
        found.breaks(str(error), found.unfit)
        return
    said = predictions(constraints, outcome)
    found.predicted, found.witnessed = said.pairs, said.pairs_witnessed
    found.touched = blamed(outcome)


def blamed(outcome: Outcome) -> set[int]:
    """The programs whose handlers a failure names."""
    sides = (side for failure in outcome.failures for side in (failure.first, failure.second))
    return {int(found[1]) for side in sides if (found := re.match(r"p(\d+)_", side.handler))}


def _on_threads(built: Built, found: Found, repeats: int) -> None:
    plain, again = run(built, 0, None), run(built, 0, None)
    for ended in (plain, again):
        if ended.code != 0:
            found.breaks(f"on libevent it {ending(ended.code)}", found.unfit)
            return
    for seed in found.seeds:
        printed = plain.lines.get(seed, [])
        if printed != again.lines.get(seed, []) or any(" BAD " in line for line in printed):
            found.unfit[seed] = f"on libevent: {printed}"
    for seed in range(1, repeats + 1):
        for threads in THREADS:
            ended = run(built, seed, threads)
            found.runs += 1
            found.parallel += ended.mode == "parallel"
            found.overlapped += ended.peak >= 2
            if ended.code != 0:
                found.breaks(f"{threads} threads: {ending(ended.code)}", found.wrong)
                return
            for one in found.seeds:
                if one not in found.unfit and (different := difference(plain, ended, one)):
                    found.wrong.setdefault(one, f"{threads} threads: {different}")


def keep_smallest(seed: int, folder: Path) -> str:
    """Takes parts of the program away as long as it fails; where it is kept and what it shows, in words."""
    program, left = generate(seed), _MOST_REDUCTIONS
    found = _fails(program, folder)
    while found and left > 0:
        for smaller in program.smaller():
            left -= 1
            if again := _fails(smaller, folder):
                program, found = smaller, again
                break
            if left == 0:
                break
        else:
            break
    KEPT.mkdir(parents=True, exist_ok=True)
    kept = KEPT / f"whole{seed}.c"
    kept.write_text(file_of([program]))
    return f"seed {seed}: {found or 'not by itself, or not again'}: {kept}"


def _fails(program: Program, folder: Path) -> str:
    name, seed = f"one{program.seed}", program.seed
    built = build([program], folder, name, is_late(seed))
    found = Found(range(seed, seed + 1))
    _under_oracle(built, found)
    _on_threads(built, found, _TRIES)
    return "two invocations meet" if found.touched else found.wrong.get(seed, "")


def difference(plain: Ended, ended: Ended, seed: int) -> str:
    printed, now = plain.lines.get(seed, []), ended.lines.get(seed, [])
    new = [line for line in now if line not in printed]
    missing = [line for line in printed if line not in now]
    return f"missing {missing[:3]}, new {new[:3]}" if printed != now else ""


def files(count: int, first: int = 0) -> Iterable[range]:
    for start in range(first, first + count, IN_A_FILE):
        yield range(start, min(start + IN_A_FILE, first + count))


def summed(found: Sequence[Found]) -> Found:
    """All of them as one."""
    total = Found(range(found[0].seeds.start, found[-1].seeds.stop))
    for one in found:
        total.touched |= one.touched
        total.wrong |= one.wrong
        total.unfit |= one.unfit
        for figure in ("predicted", "witnessed", "runs", "parallel", "overlapped", "pairs_together", "pairs"):
            setattr(total, figure, getattr(total, figure) + getattr(one, figure))
    return total
