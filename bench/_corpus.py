"""What elyze_corpus measures of one program: the analysis itself, what it found, and what one edit costs afterwards."""

from __future__ import annotations

import json
import math
import os
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from heddle.documents.constraints import Constraints
from heddle.explain.causes import causes
from heddle.measure.alternation import Alternation, alternate
from heddle.measure.benchmark import Tools
from heddle.measure.processor import Foreign, Watch
from heddle.program import bitcode
from heddle.program.elf import Elf
from heddle.system import places
from testing.oracle.witness import witness
from testing.servers.debian_programs import Program, UnfitError, build, environment, rebuild
from testing.servers.real_servers import WORK

LIMIT_S = 900.0


@dataclass(frozen=True)
class Run:
    seconds: float
    cpu_s: float  # user and system
    peak_mb: float


def timed(command: Sequence[str | Path], environment: dict[str, str] | None = None) -> Run:
    """Runs to the end, alone; raises UnfitError with the last line it said."""
    name = Path(command[0]).name
    started = time.monotonic()
    process = subprocess.Popen(
        list(map(str, command)), env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
    )
    deadline = started + LIMIT_S
    while True:
        found, status, usage = os.wait4(process.pid, os.WNOHANG)
        if found:
            break
        if time.monotonic() > deadline:
            process.kill()
            os.wait4(process.pid, 0)
            raise UnfitError(f"{name} took more than {LIMIT_S:.0f} s")
        time.sleep(0.005)
    seconds = time.monotonic() - started
    said = process.stderr.read() if process.stderr else ""
    if status:
        raise UnfitError(f"{name} failed: {(said.strip().splitlines() or ['?'])[-1][:160]}")
    return Run(seconds, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def module_of(tools: Tools, name: str, executable: Path) -> Path:
    """The bitcode in an executable as one file."""
    folder = tools.work / name
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for number, module in enumerate(bitcode.unpack(Elf(executable).section(bitcode.SECTION) or b"")):
        parts.append(folder / f"{number:04}.bc")
        parts[-1].write_bytes(module.content)
    whole = folder / "whole.bc"
    link: list[str | Path] = [places.needed_llvm_tool("llvm-link"), "-o", whole, *parts]
    timed(link)
    for part in parts:
        part.unlink()
    return whole


def figures(tools: Tools, program: Program, rounds: int) -> dict[str, Any]:
    """opt and elyze in turn on the program's bitcode, and what the document says."""
    tools.say(f"{program.name}: fetching and building")
    executable = build(program, places.root() / "build/third_party", places.build())
    module = module_of(tools, program.name, executable)
    written = module.with_name("constraints.json")
    optimise: list[str | Path] = [places.needed_llvm_tool("opt"), "-O2", module, "-o", os.devnull]
    analyse: list[str | Path] = [
        places.built(places.elyze(), "the analyser"),
        module,
        "--program",
        program.name,
        "--specs",
        places.root() / "elyze/specs",
        "-o",
        written,
    ]
    tools.say(f"{program.name}: opt and elyze in turn")
    found: Alternation[Run] = alternate(rounds, partial(timed, optimise), partial(timed, analyse))
    return {
        "opt_s": [run.cpu_s for run in found.first],
        "elyze_s": [run.cpu_s for run in found.second],
        "wall_s": [[run.seconds, other.seconds] for run, other in found.pairs],
        "ratios": found.ratios(lambda run: run.cpu_s),
        "doubts": found.doubts(),
        "peak_mb": max(run.peak_mb for run in found.second),
        **of_document(program, json.loads(written.read_text())),
    }


def of_document(program: Program, document: dict[str, Any]) -> dict[str, Any]:
    summary = document["summary"]
    names = {handler["name"] for handler in document["handlers"]}
    listed = program.handlers()
    return {
        "instructions": summary["instructions"],
        "handlers": len(document["handlers"]),
        "missing_handlers": sorted(listed - names),
        "handlers_beyond": sorted(names - listed),
        "never": summary["pairs_never"],
        "session": summary["pairs_session"],
        "always": summary["pairs_always"],
        "conflicts": sum(len(pair["conflicts"]) + pair.get("unlisted", 0) for pair in document["pairs"]),
        "causes": len(causes(Constraints(document))),
        "unknown_always": on_unknown(document),
        "unknown": sorted(a["name"] for a in document["assumptions"] if a["kind"] == "unknown_external"),
    }


def on_unknown(document: dict[str, Any]) -> float:
    """The share of `always` pairs that would not be one if unknown external functions did nothing.

    Where a document leaves conflicts of a pair out, those that it lists count.
    """
    kinds = {item["id"]: item["kind"] for item in document["objects"]}
    always = [pair for pair in document["pairs"] if pair["verdict"] == "always"]
    only = [
        pair
        for pair in always
        if all(kinds[c["object"]] == "unknown" for c in pair["conflicts"] if c["verdict"] == "always")
    ]
    return len(only) / len(always) if always else 0.0


def exponent(sizes: Sequence[float], times: Sequence[float]) -> float:
    """The e of time = c * (n log n)^e that fits best; 1 and below is growth of at most n log n."""
    x = [math.log(size * math.log2(size)) for size in sizes]
    y = [math.log(time) for time in times]
    return statistics.linear_regression(x, y).slope


@dataclass(frozen=True)
class Edit:
    """An edit of tor's src/core/mainloop/connection.c. `keeps`: handlers touch the same, so the result may stay."""

    name: str
    before: str
    after: str
    keeps: bool = True


EDITS = (
    Edit(
        "comment", "#define CONNECTION_PRIVATE\n", "/* A remark that moves every line. */\n#define CONNECTION_PRIVATE\n"
    ),
    Edit("text", "Lowering backlog limit.", "The limit of the backlog is lower now."),
    Edit("constant", "listen_limit = SOMAXCONN;", "listen_limit = 512;"),
    Edit("condition", "timestamp_last_write_allowed >= 15)", "timestamp_last_write_allowed > 20)"),
    Edit(
        "access added",
        "  int r;\n\n  if ((r = listen(",
        "  int r;\n\n  ++listen_limit;\n  if ((r = listen(",
        keeps=False,
    ),
)


@contextmanager
def edited(file: Path, edit: Edit) -> Iterator[None]:
    """The file has the edit within the block, and is as before afterwards."""
    before = file.read_text()
    if before.count(edit.before) != 1:
        raise UnfitError(f"{file.name} has not exactly one place for the edit '{edit.name}'")
    file.write_text(before.replace(edit.before, edit.after))
    try:
        yield
    finally:
        file.write_text(before)


def incremental(tools: Tools, program: Program, rounds: int) -> dict[str, Any]:
    """`heddle analyze` again after one source file was edited and the program was built again, against the first.

    Processor time, of everything that the command starts. Each edit is of the program as it was at first; the last of
    them needs a whole run.
    """
    folder = places.root() / "build/third_party"
    executable = build(program, folder, places.build())
    source = program.tree(folder) / program.edited
    document = tools.work / program.name / "incremental.json"
    analyse: list[str | Path] = [sys.executable, "-m", "heddle", "analyze", executable, "-o", document]
    kept = tools.work / program.name / "kept"  # the cache of the first run, for those after it
    calls = environment(places.build()) | {"XDG_CACHE_HOME": str(kept)}
    first: list[float] = []
    again: dict[str, list[float]] = {edit.name: [] for edit in EDITS}
    anew: set[str] = set()
    foreign = Foreign()
    try:
        for _ in range(rounds):
            rebuild(program, folder, places.build())
            tools.say(f"{program.name}: analysis before edits of {program.edited}")
            shutil.rmtree(kept, ignore_errors=True)
            watched = Watch()
            first.append(timed(analyse, calls).cpu_s)
            foreign = foreign.worse(watched.foreign)
            before = build_id(executable)
            for edit in EDITS:
                tools.say(f"{program.name}: analysis after an edit: {edit.name}")
                with edited(source, edit):
                    rebuild(program, folder, places.build())
                if build_id(executable) == before:
                    raise UnfitError(f"an edit of {program.edited} left the program as it was")
                known = results(kept)
                watched = Watch()
                again[edit.name].append(timed(analyse, calls).cpu_s)
                foreign = foreign.worse(watched.foreign)
                if results(kept) != known:
                    anew.add(edit.name)
    finally:
        rebuild(program, folder, places.build())
    return {
        "first_s": first,
        "edits": {
            edit.name: {"again_s": again[edit.name], "keeps": edit.keeps, "whole_run": edit.name in anew}
            for edit in EDITS
        },
        "foreign_cpu": foreign.share,
    }


def results(kept: Path) -> set[int]:
    """The files of kept results, by inode: a whole run replaces its file, so that another number shows."""
    return {file.stat().st_ino for file in kept.rglob("*.zip")}


def build_id(executable: Path) -> str | None:
    return Elf(executable).build_id()


def witnessed(tools: Tools, name: str) -> dict[str, Any]:
    """What the oracle saw of the program at real work."""
    tools.say(f"{name}: the oracle at real work")
    found = witness(name, WORK[name], places.root() / "build/traced", places.build())
    return {
        "invocations": found.invocations,
        "failures": len(found.failures),
        "pairs": found.pairs,
        "pairs_witnessed": found.pairs_witnessed,
        "conflicts": found.conflicts,
        "conflicts_witnessed": found.conflicts_witnessed,
    }
