"""Compares random event programs between node and heddle-node; run as a script it repeats and shrinks one seed.

Programs that end by themselves run a dozen to a process, one after the other; each of the others has a process of its
own. A batch goes to one version of Node.js, with random delays of workers, forced misses, or neither.

A program counts as different if node, asked again and again, always does one thing and heddle-node did another. Where
node itself does now this, now that, on a busy machine, what heddle-node did must be among it, or the program is counted
as unstable: with it nothing can be shown, and how many there are is said with every result.
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path

from event_programs import Program, generate
from node_runs import MAIN_VERSION, ROOT, VERSIONS, Outcome, difference, run

BATCH = 12
SECONDS_PER_BATCH = 120
# How often node is asked again what it does: alone, then so many at once, so many times.
TRIES = 12
CROWD, CROWDED_ROUNDS = 8, 4
# Runs one program after the other; prints where each begins, so that a difference has a seed.
DRIVER = """\
const programs = process.argv.slice(2);
async function next() {
  const name = programs.shift();
  if (!name) return;
  console.log(`=== ${name}`);
  const run = name.endsWith('.mjs') ? (await import(`./${name}`)).default : require(`./${name}`);
  run(next);
}
next();
"""


@dataclass(frozen=True)
class Batch:
    programs: tuple[Program, ...]
    version: int
    settings: Mapping[str, str] = field(hash=False)

    @property
    def seeds(self) -> list[int]:
        return [program.seed for program in self.programs]


@dataclass(frozen=True)
class Compared:
    """`different`: seed -> what differs, with how to repeat it. `unstable`: of these nothing can be said, for node
    itself does one thing or another (`Judgement`)."""

    seeds: tuple[int, ...]
    different: Mapping[int, str] = field(hash=False)
    unstable: frozenset[int] = frozenset()


def settings(number: int) -> dict[str, str]:
    """The kind of disturbance that batch `number` gets."""
    kinds = (
        {"HEDDLE_TEST_WAIT": "1"},
        {"HEDDLE_TEST_DELAY": f"3:{number}"},
        {"HEDDLE_TEST_WAIT": "1", "HEDDLE_TEST_ABORT": f"0.3:{number}"},
    )
    return kinds[number // len(VERSIONS) % len(kinds)]


def batches(
    seeds: range, versions: Sequence[int] = VERSIONS, extra: Mapping[str, str] | None = None
) -> Iterator[Batch]:
    """All programs of `seeds`, those that can share a process together."""
    together: list[Program] = []
    groups: list[tuple[Program, ...]] = []
    for seed in seeds:
        program = generate(seed)
        if program.ending == "batch":
            together.append(program)
        else:
            groups.append((program,))
        if len(together) == BATCH:
            groups.append(tuple(together))
            together = []
    if together:
        groups.append(tuple(together))
    for number, group in enumerate(groups):
        yield Batch(group, versions[number % len(versions)], {**settings(number), **(extra or {})})


def write(programs: Sequence[Program], folder: Path) -> list[str]:
    (folder / "driver.cjs").write_text(DRIVER)
    for program in programs:
        (folder / program.file).write_text(program.text)
    return [program.file for program in programs]


def both(batch: Batch, folder: Path) -> tuple[Outcome, Outcome]:
    words = ["driver.cjs", *write(batch.programs, folder)]
    plain = run(batch.version, None, words, folder=folder, seconds=SECONDS_PER_BATCH)
    return plain, run(batch.version, batch.settings, words, folder=folder, seconds=SECONDS_PER_BATCH)


def compare(batch: Batch) -> Compared:
    """Runs a batch both ways; where it differs, finds out which programs do, each by itself."""
    folder = Path(tempfile.mkdtemp(prefix="heddle-fuzz-"))
    try:
        plain, ours = both(batch, folder)
        found = difference(plain, ours)
        seeds = tuple(batch.seeds)
        if not found:
            return Compared(seeds, {})
        judgement = judge(seeds, ours, node_again(batch, folder, plain))
        if judgement.explained:
            return Compared(seeds, {}, judgement.unstable)
        if len(batch.programs) == 1:
            return Compared(seeds, {seeds[0]: f"{repeat(batch)}\n{found}"})
        alone = [compare(Batch((program,), batch.version, batch.settings)) for program in batch.programs]
        different = {seed: text for one in alone for seed, text in one.different.items()}
        unstable = judgement.unstable.union(*(one.unstable for one in alone))
        # Perhaps only their company makes them differ: then the first that did stands for it.
        together = [seed for seed in seeds if seed in judgement.different - unstable]
        if not different and (together or not judgement.ends):
            first = together[0] if together else seeds[-1]
            different = {first: f"only together: {repeat(batch)}\n{found}"}
        return Compared(seeds, different, unstable - different.keys())
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def node_again(batch: Batch, folder: Path, first: Outcome) -> Iterator[Outcome]:
    """How else node may end the same programs. When a timer is due after another one has thrown depends on whether
    the clock went on between the two being set, so a program may have several ends. Most of them show only on a busy
    machine, so after some runs by themselves there are some that keep each other from the processors."""
    words = ["driver.cjs", *(program.file for program in batch.programs)]

    def again(_: int = 0) -> Outcome:
        return run(batch.version, None, words, folder=folder, seconds=SECONDS_PER_BATCH)

    yield first
    for _ in range(TRIES):
        yield again()
    with ThreadPoolExecutor(CROWD) as pool:
        for _ in range(CROWDED_ROUNDS):
            yield from pool.map(again, range(CROWD))


@dataclass(frozen=True)
class Judgement:
    """`different`: node always does the same, and it is something else. `unstable`: node does one thing or another, and
    heddle-node a third: nothing can be said of these. The others did what node does, too."""

    different: frozenset[int]
    unstable: frozenset[int]
    ends: bool
    """Whether node has ended the process so, too, or ends it in several ways."""

    @property
    def explained(self) -> bool:
        return not self.different and self.ends


def judge(seeds: Sequence[int], ours: Outcome, again: Iterable[Outcome]) -> Judgement:
    """What each program printed, and how the process ended, against runs of node; asks for no more than it needs."""
    printed = parts(ours)
    ends: set[tuple[int | str, str]] = set()
    variants: dict[int, set[str | None]] = {seed: set() for seed in seeds}
    left = set(seeds)
    for outcome in again:
        shown = parts(outcome)
        ends.add((outcome.code, outcome.err))
        for seed in seeds:
            variants[seed].add(shown.get(seed))
        left = {seed for seed in left if printed.get(seed) not in variants[seed]}
        if not left and (ours.code, ours.err) in ends:
            return Judgement(frozenset(), frozenset(), ends=True)
    # A program that heddle-node never got to, or an exit code that node never has, is nothing that the clock could do.
    unstable = frozenset(seed for seed in left if len(variants[seed]) > 1 and seed in printed)
    several = len(ends) > 1 and any(ours.code == code for code, _ in ends)
    return Judgement(frozenset(left) - unstable, unstable, (ours.code, ours.err) in ends or several)


def parts(outcome: Outcome) -> dict[int, str]:
    """What each program printed, by its seed."""
    words = re.split(r"^=== seed_(\d+)\.\w+\n", outcome.out, flags=re.MULTILINE)[1:]
    return dict(zip(map(int, words[::2]), words[1::2], strict=True))


def repeat(batch: Batch) -> str:
    """The command that shows it again."""
    words = [f"{name}={value}" for name, value in batch.settings.items()]
    seeds = " ".join(map(str, batch.seeds))
    return " ".join([*words, f"python {Path(__file__).relative_to(ROOT)} --node {batch.version} {seeds}"])


def fuzz(seeds: range, extra: Mapping[str, str] | None = None, versions: Sequence[int] = VERSIONS) -> list[Compared]:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(compare, batches(seeds, versions, extra)))


# -- one seed, as small as it gets ------------------------------------------------------------------------------------


def chunks(lines: list[str]) -> Iterator[tuple[int, int]]:
    """Ranges of lines that may be left out together: balanced in brackets, longest first."""
    balance = [sum(line.count(c) for c in "({[") - sum(line.count(c) for c in ")}]") for line in lines]
    found = set()
    for start in range(len(lines)):
        depth = 0
        for end in range(start, min(len(lines), start + 400)):
            depth += balance[end]
            if depth < 0:
                break
            if depth == 0:
                found.add((start, end + 1))
                if end > start and balance[start] > 0:
                    break
    yield from sorted(found, key=lambda pair: (pair[0] - pair[1], pair[0]))


def shrink(batch: Batch) -> str:
    """The shortest text of a single program that still differs, by leaving out one range of lines after the other."""
    program = batch.programs[0]
    folder = Path(tempfile.mkdtemp(prefix="heddle-shrink-"))

    def differs(lines: list[str]) -> bool:
        smaller = Program(program.seed, "\n".join(lines) + "\n", program.ending, program.module)
        words = ["driver.cjs", *write([smaller], folder)]
        plain = run(batch.version, None, words, folder=folder, seconds=5)
        if isinstance(plain.code, str) or (plain.code != 0 and program.ending in {"batch", "hostile"}):
            return False
        return any(
            difference(plain, run(batch.version, batch.settings, words, folder=folder, seconds=10)) for _ in range(2)
        )

    lines = program.text.splitlines()
    try:
        progress = True
        while progress:
            progress = False
            for start, end in chunks(lines):
                smaller = lines[:start] + lines[end:]
                if differs(smaller):
                    lines, progress = smaller, True
                    print(f"{len(lines)} lines", file=sys.stderr)
                    break
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    return "\n".join(lines) + "\n"


def main() -> int:
    parser = argparse.ArgumentParser(
        description="Runs the programs of some seeds under node and heddle-node and shows how they differ.",
        epilog="example: HEDDLE_TEST_DELAY=3 python testing/node/fuzzing.py --shrink 17",
    )
    parser.add_argument("seeds", type=int, nargs="+", metavar="SEED")
    parser.add_argument("--node", type=int, choices=VERSIONS, default=MAIN_VERSION, help="major version")
    parser.add_argument("--shrink", action="store_true", help="print the smallest program that differs (one seed)")
    parser.add_argument("--print", action="store_true", help="print the programs only")
    asked = parser.parse_args()
    programs = tuple(generate(seed) for seed in asked.seeds)
    if asked.print:
        print("\n".join(program.text for program in programs))
        return 0
    chosen = {name: value for name, value in os.environ.items() if name.startswith("HEDDLE_TEST_")}
    batch = Batch(programs, asked.node, chosen)
    if asked.shrink:
        print(shrink(batch))
        return 0
    found = compare(batch)
    for seed in sorted(found.unstable):
        print(f"seed {seed} is unstable: node itself does now this, now that, and heddle-node something else again")
    print("\n".join(found.different.values()) or ("no difference" if found.unstable else "the same"))
    return 1 if found.different else 0


if __name__ == "__main__":
    sys.exit(main())
