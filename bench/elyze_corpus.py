"""How long the analysis of real servers takes against `opt -O2` on the same bitcode, and what it finds.

The programs are Debian source packages, fetched and built through `heddle build` at run time into build/third_party.
Per program the two contenders take turns on one linked module; memory is the peak of the analyser's process. The lists
in elyze/tests/corpus say which handlers a person finds by reading: the table counts those that the analyser misses. A
program that cannot be fetched, built or analysed stands in the table with the reason.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from _measure import Alternation, Claim, Result, Tools, alternate, ratio_claim

CLAIMS = ("elyze.time_vs_opt", "elyze.tor_mb", "elyze.unknown_always")
NO_UNKNOWN = ("pgbouncer", "tmux")  # the goal of knowing every external function is for these
LIMIT_S = 600.0
CONFIGURE = "test -f Makefile || ./configure"


@dataclass(frozen=True)
class Program:
    name: str
    package: str
    build: str  # in the source tree
    executable: str


PROGRAMS = (
    Program("inetd", "openbsd-inetd", "make -f Makefile.debian", "inetd"),
    Program("redsocks", "redsocks", "make", "redsocks"),
    Program("memcached", "memcached", f"({CONFIGURE}) && make memcached", "memcached"),
    Program("pgbouncer", "pgbouncer", "test -f config.mak || ./configure --without-systemd; make", "pgbouncer"),
    Program("opensmtpd", "opensmtpd", f"({CONFIGURE}) && make", "mk/smtpd/smtpd"),
    Program("tmux", "tmux", f"({CONFIGURE}) && make", "tmux"),
    Program(
        "tor",
        "tor",
        "(test -f Makefile || ./configure --disable-asciidoc --disable-systemd --disable-unittests) && make",
        "src/app/tor",
    ),
)
SMALL = ("inetd", "memcached", "pgbouncer")


class UnfitError(Exception):
    """The program cannot be measured; the text says why."""


@dataclass(frozen=True)
class Run:
    seconds: float
    peak_mb: float


def timed(command: Sequence[str | Path]) -> Run:
    """Runs to the end, alone; raises UnfitError with the last line it said."""
    started = time.monotonic()
    process = subprocess.Popen(list(map(str, command)), stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True)
    deadline = started + LIMIT_S
    while True:
        found, status, usage = os.wait4(process.pid, os.WNOHANG)
        if found:
            break
        if time.monotonic() > deadline:
            process.kill()
            os.wait4(process.pid, 0)
            raise UnfitError(f"{Path(command[0]).name} took more than {LIMIT_S:.0f} s")
        time.sleep(0.005)
    seconds = time.monotonic() - started
    said = process.stderr.read() if process.stderr else ""
    if status:
        raise UnfitError(f"{Path(command[0]).name} failed: {(said.strip().splitlines() or ['?'])[-1][:160]}")
    return Run(seconds, usage.ru_maxrss / 1024)


def quiet(what: str, command: Sequence[str | Path], folder: Path, environment: dict[str, str] | None = None) -> None:
    done = subprocess.run(
        list(map(str, command)), cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise UnfitError(f"{what}: {((done.stderr + done.stdout).strip().splitlines() or ['?'])[-1][:160]}")


def module_of(tools: Tools, program: Program) -> Path:
    """The program's bitcode as one file; fetched, built and linked where that was not done yet."""
    from heddle.elf import Elf
    from heddle.toolchain import bitcode

    third_party = tools.root / "build/third_party"
    third_party.mkdir(parents=True, exist_ok=True)
    tools.say(f"fetching {program.name}")
    quiet("not fetched", [tools.root / "tools/fetch_debian_source", program.package, third_party], third_party)
    tree = third_party / program.package
    executable = tree / program.executable
    if not executable.exists():
        tools.say(f"building {program.name}")
        command = [tools.python, "-m", "heddle", "build", "--", "sh", "-c", program.build]
        environment = os.environ | {"PYTHONPATH": str(tools.root / "python"), "HEDDLE_ROOT": str(tools.root)}
        quiet("not built", command, tree, environment)
    if not executable.exists():
        raise UnfitError(f"the build left no {program.executable}")
    folder = tools.work / program.name
    folder.mkdir(parents=True, exist_ok=True)
    parts = []
    for number, module in enumerate(bitcode.unpack(Elf(executable).section(bitcode.SECTION) or b"")):
        parts.append(folder / f"{number:04}.bc")
        parts[-1].write_bytes(module.content)
    whole = folder / "whole.bc"
    link: list[str | Path] = [llvm("llvm-link"), "-o", whole, *parts]
    quiet("not linked", link, folder)
    return whole


def llvm(name: str) -> str:
    from heddle import places

    return places.needed_llvm_tool(name)


def missing_handlers(tools: Tools, program: Program, document: dict[str, Any]) -> list[str]:
    listed = {handler["name"] for handler in document["handlers"]}
    notes = tools.root / "elyze/tests/corpus" / f"{program.name}.handlers"
    if not notes.exists():
        return []
    return [name for name in notes.read_text().split("\n") if name and name[0] != "#" and name not in listed]


def on_unknown(document: dict[str, Any]) -> float:
    """The share of `always` pairs that would not be one if unknown external functions did nothing."""
    kinds = {item["id"]: item["kind"] for item in document["objects"]}
    always = [pair for pair in document["pairs"] if pair["verdict"] == "always"]
    only = [
        pair
        for pair in always
        if all(kinds[c["object"]] == "unknown" for c in pair["conflicts"] if c["verdict"] == "always")
    ]
    return len(only) / len(always) if always else 0.0


def figures(tools: Tools, program: Program, rounds: int) -> dict[str, Any]:
    module = module_of(tools, program)
    written = module.with_name("constraints.json")
    optimise: list[str | Path] = [llvm("opt"), "-O2", module, "-o", os.devnull]
    analyse: list[str | Path] = [
        tools.elyze,
        module,
        "--program",
        program.name,
        "--specs",
        tools.root / "elyze/specs",
        "-o",
        written,
    ]
    tools.say(f"{program.name}: opt and elyze in turn")
    found: Alternation[Run] = alternate(rounds, partial(timed, optimise), partial(timed, analyse))
    document = json.loads(written.read_text())
    summary = document["summary"]
    return {
        "opt_s": [run.seconds for run, _ in found.pairs],
        "elyze_s": [run.seconds for _, run in found.pairs],
        "ratios": found.ratios(lambda run: run.seconds),
        "doubts": found.doubts(),
        "peak_mb": max(run.peak_mb for _, run in found.pairs),
        "instructions": summary["instructions"],
        "handlers": len(document["handlers"]),
        "missing_handlers": missing_handlers(tools, program, document),
        "never": summary["pairs_never"],
        "session": summary["pairs_session"],
        "always": summary["pairs_always"],
        "conflicts": sum(len(pair["conflicts"]) + pair.get("unlisted", 0) for pair in document["pairs"]),
        "unknown_always": on_unknown(document),
        "unknown": sorted(a["name"] for a in document["assumptions"] if a["kind"] == "unknown_external"),
    }


def row(name: str, found: dict[str, Any]) -> str:
    if "unfit" in found:
        return f"{name:<11} {found['unfit']}"
    pairs = found["never"] + found["session"] + found["always"]
    shares = "/".join(f"{100 * found[kind] / pairs:.0f}" if pairs else "-" for kind in ("never", "session", "always"))
    plain, ours = statistics.median(found["opt_s"]), statistics.median(found["elyze_s"])
    return (
        f"{name:<11} {plain:7.2f} {ours:8.2f} {found['peak_mb']:7.0f} "
        f"{found['handlers']:8} {len(found['missing_handlers']):7} {pairs:7} {shares:>12} {found['conflicts']:9} "
        f"{100 * found['unknown_always']:8.0f} %"
    )


HEAD = (
    f"{'program':<11} {'opt s':>7} {'elyze s':>8} {'MB':>7} {'handlers':>8} {'missing':>7} {'pairs':>7} "
    f"{'n/s/a %':>12} {'conflicts':>9} {'unknown':>10}"
)


def claims(found: dict[str, dict[str, Any]]) -> list[Claim]:
    fit = {name: item for name, item in found.items() if "unfit" not in item}
    unfit = [f"{name}: {item['unfit']}" for name, item in found.items() if "unfit" in item]
    result: list[Claim] = []
    if fit:
        worst = max(fit, key=lambda name: statistics.median(fit[name]["ratios"]))
        result.append(
            ratio_claim(
                "elyze.time_vs_opt",
                f"analysis time / `opt -O2` on the same bitcode, worst of {len(fit)} programs ({worst})",
                1.5,
                fit[worst]["ratios"],
                [*fit[worst]["doubts"], *unfit],
                better="lower",
            )
        )
    if "tor" in fit:
        result.append(Claim("elyze.tor_mb", "peak MB, tor", "MB", "lower", 2048, fit["tor"]["peak_mb"], 0.0, 1, ""))
    known = [name for name in NO_UNKNOWN if name in fit]
    if known:
        share = max(fit[name]["unknown_always"] for name in known)
        what = f"share of always-pairs resting on unknown externals, {' and '.join(known)}"
        doubt = "" if len(known) == len(NO_UNKNOWN) else "not all of them were measured"
        result.append(Claim("elyze.unknown_always", what, "ratio", "lower", 0.0, share, 0.0, 1, doubt))
    return result


def run(quick: bool, tools: Tools) -> Result:
    tools.need(tools.elyze)
    sys.path.insert(0, str(tools.root / "python"))
    found: dict[str, dict[str, Any]] = {}
    for program in PROGRAMS:
        if quick and program.name not in SMALL:
            continue
        try:
            found[program.name] = figures(tools, program, 1 if quick else 3)
        except UnfitError as error:
            found[program.name] = {"unfit": str(error)}
    table = [HEAD, *(row(name, item) for name, item in found.items())]
    return Result(bench="elyze_corpus", claims=claims(found), details={"programs": found, "table": table})
