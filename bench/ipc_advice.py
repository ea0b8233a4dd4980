"""Whether the CPU time that `heddle ipc record` says would be saved is saved when the advice is followed.

Each pair is recorded as it talks, then run without the recorder, as it is and with its messages batched, in turn. Both
savings are parts of the CPU time of both programs, as the report has them: recording slows the programs down. The
programs of the first three are Debian's; how they talk is changed by an option, in the script that they run, or in
their source.

  grep    `grep --line-buffered` writes each line by itself into a pipe; without the option, many at once
  mawk    a script that flushes each line, and the same one without
  ts      `ts` of moreutils, which puts something before each line, and writes each by itself: as Debian has it, and
          without the statement that makes it so
  socket  a program that sends 20 messages over a UNIX socket and waits for an answer; and all 20 by one call
"""

from __future__ import annotations

import json
import resource
import statistics
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import servers
from heddle.errors import BadInputError
from heddle.measure.alternation import alternate, spread
from heddle.measure.benchmark import Claim, Result, Tools
from heddle.measure.commands import call
from heddle.output.layout import columns
from heddle.system import places

CLAIMS = ("ipc.advice_error",)
MEASURES = ("bench/ipc_advice.py", "bench/servers/batches.c", "ipc", "python/heddle/ipc")
GOAL = 0.20
MESSAGES, BYTES = 20, 64


@dataclass(frozen=True)
class Effort:
    rounds: int
    lines: int
    batches: int


FULL = Effort(rounds=9, lines=400_000, batches=20_000)
QUICK = Effort(rounds=3, lines=100_000, batches=5_000)


@dataclass(frozen=True)
class Case:
    """Commands of the shell that write the same."""

    single: str
    batched: str


@dataclass(frozen=True)
class Found:
    advice: str
    cpu_s: float
    predicted: list[float]  # of that
    saved: list[float]
    doubts: list[str]

    @property
    def error(self) -> float:
        saved = statistics.median(self.saved)
        return abs(statistics.median(self.predicted) - saved) / saved


def sources_of_ts(work: Path) -> tuple[Path, Path]:
    """The program as Debian has it, and with its lines batched."""
    cache = places.root() / "build/third_party"
    call([places.root() / "tools/fetch_debian_source", "moreutils", cache])
    single, batched = cache / "moreutils/ts", work / "ts"
    before = single.read_text()
    after = before.replace("$|=1;", "")
    if after == before:
        raise BadInputError(f"{single} has no $|=1; any more", "look how it writes its lines now")
    batched.write_text(after)
    return single, batched


def cases(effort: Effort, work: Path) -> dict[str, Case]:
    lines = work / "lines.txt"
    lines.write_text("".join(f"{number} a line that is neither long nor short\n" for number in range(effort.lines)))
    batches = servers.batches(work)
    ts, batched_ts = sources_of_ts(work)
    script = "{ print $1, $3 }"
    return {
        "grep": Case(f"grep --line-buffered 7 {lines} | md5sum", f"grep 7 {lines} | md5sum"),
        "mawk": Case(
            f"mawk '{script.replace(' }', '; fflush() }')}' {lines} | md5sum", f"mawk '{script}' {lines} | md5sum"
        ),
        "ts": Case(f"perl {ts} x < {lines} | md5sum", f"perl {batched_ts} x < {lines} | md5sum"),
        "socket": Case(
            f"{batches} single {effort.batches} {MESSAGES} {BYTES}",
            f"{batches} batched {effort.batches} {MESSAGES} {BYTES}",
        ),
    }


def cpu_s(command: str) -> tuple[float, str]:
    """Processor time of the command's processes, and what it wrote."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run(["sh", "-c", command], capture_output=True, text=True, check=False)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    if done.returncode != 0:
        raise BadInputError(f"{command} failed ({done.stderr.strip()})", "run it by hand")
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, done.stdout


def recorded(command: str, work: Path) -> dict[str, Any]:
    file = work / "ipc.json"
    words = [sys.executable, "-m", "heddle", "ipc", "record", "--json", str(file), "--", "sh", "-c", command]
    subprocess.run(words, check=True, stdout=subprocess.DEVNULL)
    document: dict[str, Any] = json.loads(file.read_text())
    return document


def measure(case: Case, rounds: int, work: Path) -> Found:
    """In each round the recording, then both ways in turn."""
    if cpu_s(case.single)[1] != cpu_s(case.batched)[1]:
        raise BadInputError(f"{case.single} and {case.batched} write different things", "run them by hand")
    documents: list[dict[str, Any]] = []

    def single() -> float:
        documents.append(recorded(case.single, work))
        return cpu_s(case.single)[0]

    found = alternate(rounds, single, lambda: cpu_s(case.batched)[0])
    pairs = [document["pairs"][0] for document in documents]
    return Found(
        statistics.mode(pair["advice"] for pair in pairs),
        statistics.median(found.first),
        [pair["savings"]["batched"]["of_both"] for pair in pairs],
        [1 - b / a for a, b in found.pairs],
        found.doubts(),
    )


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    found = {}
    for name, case in cases(effort, tools.work).items():
        tools.say(name)
        found[name] = measure(case, effort.rounds, tools.work)
    worst = max(found, key=lambda name: found[name].error)
    rows: list[tuple[str, ...]] = [("pair", "advice", "CPU ms", "predicted", "measured", "error")]
    for name, each in found.items():
        parts = [statistics.median(each.predicted), statistics.median(each.saved), each.error]
        rows.append((name, each.advice, f"{1e3 * each.cpu_s:.0f}", *(f"{value:.0%}" for value in parts)))
    claim = Claim(
        CLAIMS[0],
        f"part of CPU time that batched writes save, predicted / measured - 1, worst of {len(found)} pairs ({worst})",
        "ratio",
        "lower",
        GOAL,
        found[worst].error,
        spread(found[worst].saved),
        effort.rounds,
        "; ".join(found[worst].doubts),
    )
    details = {
        name: {"advice": each.advice, "cpu_s": each.cpu_s, "predicted": each.predicted, "saved": each.saved}
        for name, each in found.items()
    }
    return Result(bench="ipc_advice", claims=[claim], details={"pairs": details, "table": columns(rows, "  ")})
