"""Large files that are not in memory: fileserver on libevent, and unchanged under heddle.

The experiment of the 2011 paper (section 6.3) on examples/fileserver in place of thttpd: 200 clients fetched 4 GB in
files of 512 KB to 6 MB from a disk, four cores, 4 GB of memory. Under multivent that was 12 % faster, and 15 % after
one handler was split.

The disks of a shared host are no ground for such a comparison: they answer from the host's memory. So the files lie on
bench/servers/slowdisk.c, a file system (FUSE; root only) whose files are never in memory and whose reads take 5 ms
each, one at a time like the paper's disk, or sixteen at once like a RAID, flash or storage in a network.
"""

from __future__ import annotations

import contextlib
import os
import statistics
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import servers
from heddle.errors import BadInputError
from heddle.measure.alternation import Alternation, spread
from heddle.measure.benchmark import Result, Tools, ratio_claim
from heddle.measure.commands import call
from heddle.measure.libevent import Contender, Program
from heddle.measure.load import Figures, Load, compare

CLAIMS = ("multivent.fileserver",)
MEASURES = (
    "base",
    "bench/servers/slowdisk.c",
    "elyze",
    "examples/fileserver",
    "multivent",
    "scheduler",
    "schemas",
    "telemetry",
)
DELAY_US = 5000
FILES = 400
THREADS = 16
AT_ONCE = 16
MB = 1_000_000


@dataclass(frozen=True)
class Effort:
    rounds: int
    rounds_one_arm: int
    total_mb: int  # how much is fetched in a run
    connections: int
    sizes_mb: tuple[float, ...]  # of files, for the table; 1 MB for the claim


FULL = Effort(rounds=5, rounds_one_arm=3, total_mb=400, connections=64, sizes_mb=(0.5, 2, 6))
QUICK = Effort(rounds=3, rounds_one_arm=1, total_mb=150, connections=32, sizes_mb=())


@contextlib.contextmanager
def slow_disk(tools: Tools, size_mb: float, at_once: int) -> Iterator[Path]:
    """A folder with FILES files of this size."""
    program, folder = tools.work / "slowdisk", tools.work / "disk"
    folder.mkdir(exist_ok=True)
    command = [str(program), str(folder), str(FILES), str(int(size_mb * MB)), str(DELAY_US), str(at_once)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    try:
        assert process.stdout is not None
        if process.stdout.readline() != "mounted\n":
            raise BadInputError(f"no slow storage ({process.communicate()[1].strip()})", "run it as root")
        yield folder
    finally:
        process.terminate()
        process.communicate()


def fetched(
    tools: Tools, effort: Effort, server: Program, rounds: int, size_mb: float, at_once: int
) -> Alternation[Figures]:
    mix = tools.work / "mix.txt"
    mix.write_text("".join(f"1 /file-{number:04}.bin\n" for number in range(FILES)))
    urls = ("--mix", str(mix), "--timeout", "300")
    hashes = tools.work / "files.hashes"
    count = max(effort.connections, int(effort.total_mb / size_mb))
    load = Load(urls, effort.connections, 0, 0, hashes=hashes, requests=count)
    with slow_disk(tools, size_mb, at_once) as folder:
        arguments = ("-p", "0", "-d", str(folder))
        plain, parallel = Contender(server, arguments), Contender(server, arguments, THREADS)
        return compare(rounds, plain, parallel, load, tools.work)


def summary(found: Alternation[Figures], size_mb: float) -> dict[str, float]:
    ratios = found.ratios(lambda run: run.per_s)
    return {
        "libevent_mb_s": statistics.median(run.per_s for run in found.first) * size_mb,
        "heddle_mb_s": statistics.median(run.per_s for run in found.second) * size_mb,
        "ratio": statistics.median(ratios),
        "spread": spread(ratios),
        "foreign_cpu": found.foreign.share,
    }


def row(name: str, paper: str, figures: dict[str, float]) -> str:
    return (
        f"{name:<38}{figures['libevent_mb_s']:>10.1f}{figures['heddle_mb_s']:>10.1f}{figures['ratio']:>8.2f}"
        f"  ± {100 * figures['spread']:.0f} %   {paper}"
    )


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    if os.geteuid() != 0:
        raise BadInputError("a file system of its own needs root", "run it as root")
    tools.say("building and analysing the server")
    source = servers.HERE / "slowdisk.c"
    call(["cc", "-O2", "-std=c11", "-D_GNU_SOURCE", "-pthread", source, "-o", tools.work / "slowdisk"])
    server = servers.fileserver(tools.work)

    details: dict[str, Any] = {"threads": THREADS, "delay_us": DELAY_US}
    lines = [
        f"{'storage, 5 ms a read; files':<38}{'libevent':>10}{'heddle':>10}{'ratio':>8}   MB/s; the program as it is"
    ]
    tools.say(f"{AT_ONCE} reads at once")
    many = fetched(tools, effort, server, effort.rounds, 1, AT_ONCE)
    details["many"] = summary(many, 1)
    lines.append(row(f"{AT_ONCE} reads at once; 1 MB", "-", details["many"]))
    tools.say("one read at a time")
    one = fetched(tools, effort, server, effort.rounds_one_arm, 1, 1)
    details["one"] = summary(one, 1)
    lines.append(row("one read at a time, as a disk; 1 MB", "paper: 1.12; 1.15 after one change", details["one"]))
    for size_mb in effort.sizes_mb:
        tools.say(f"files of {size_mb:g} MB")
        found = summary(fetched(tools, effort, server, 1, size_mb, AT_ONCE), size_mb)
        details[f"{size_mb:g} MB"] = found
        lines.append(row(f"{AT_ONCE} reads at once; {size_mb:g} MB", "one run", found))
    lines.append(
        "The paper's change (map files in a handler of their own) is not repeated: the storage is the limit by then."
    )
    details["table"] = lines
    claim = ratio_claim(
        "multivent.fileserver",
        f"large files not in memory, throughput / libevent; storage of 5 ms and {AT_ONCE} reads at once",
        1.5,
        many.ratios(lambda run: run.per_s),
        many.doubts(),
    )
    return Result(bench="papers_fileserver", claims=[claim], details=details)
