"""Where the processor's counters cannot be had: a run under callgrind, which simulates caches, for each thread.

About 75 times slower, and with caches of its own making: ratios of two models under callgrind can be compared with each
other, not with a processor's. Source: the Callgrind manual, "Cycle Estimation" and --separate-threads.
"""

import shutil
import subprocess
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

from heddle.errors import BadInputError

SLOWER = 75


def run(
    command: Sequence[str], folder: Path, environment: Mapping[str, str] | None = None
) -> dict[str, dict[str, float]]:
    """Runs the command to its end; per thread (as callgrind numbers them) the counts, in the names of `events`."""
    program = shutil.which("valgrind")
    if program is None:
        raise BadInputError("valgrind is not here", "install it: apt-get install valgrind")
    words = [program, "--tool=callgrind", "--separate-threads=yes", "--cache-sim=yes"]
    words += [f"--callgrind-out-file={folder}/callgrind.out", *command]
    done = subprocess.run(words, capture_output=True, text=True, check=False, env=environment)
    found = {file.name.rpartition("-")[2]: counts(file.read_text()) for file in folder.glob("callgrind.out-*")}
    if done.returncode != 0 or not found:
        lines = [line for line in done.stderr.splitlines() if not line.startswith("==")] or ["no message"]
        raise BadInputError(f"the run under callgrind failed ({lines[-1][:160]})", "run the command by hand")
    return {thread: each for thread, each in sorted(found.items()) if each}


def counts(text: str) -> dict[str, float]:
    """From what callgrind wrote of one thread; the last line that sums up counts."""
    names: list[str] = []
    found: dict[str, float] = defaultdict(float)
    for line in text.splitlines():
        key, _, value = line.partition(":")
        if key == "events":
            names = value.split()
        elif key in ("totals", "summary"):
            found = defaultdict(float, zip(names, map(float, value.split()), strict=False))
    if not found.get("Ir"):
        return {}
    return {
        "instructions": found["Ir"],
        "L1D-loads": found["Dr"],
        "L1I-misses": found["I1mr"],
        "L1D-misses": found["D1mr"] + found["D1mw"],
        "LLC-misses": found["ILmr"] + found["DLmr"] + found["DLmw"],
    }
