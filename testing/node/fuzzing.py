"""Compares random event programs between node and heddle-node; run as a script it repeats and shrinks one seed.

Programs that end by themselves run a dozen to a process, one after the other; each of the others has a process of its
own. A batch goes to one version of Node.js, with random delays of workers, forced misses, or neither.

What is different once is a difference: no order in these programs is the clock's (event_programs.py).
"""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path

from testing.node.event_programs import Program, generate
from testing.node.node_runs import MAIN_VERSION, PACKAGE, ROOT, VERSIONS, Outcome, difference, run

BATCH = 12
SECONDS_PER_BATCH = 120
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
    package: Path = PACKAGE

    @property
    def seeds(self) -> list[int]:
        return [program.seed for program in self.programs]


@dataclass(frozen=True)
class Compared:
    """`different`: seed -> what differs, with how to repeat it."""

    seeds: tuple[int, ...]
    different: Mapping[int, str] = field(hash=False)


def settings(number: int) -> dict[str, str]:
    """The kind of disturbance that batch `number` gets."""
    kinds = (
        {"HEDDLE_TEST_WAIT": "1"},
        {"HEDDLE_TEST_DELAY": f"3:{number}"},
        {"HEDDLE_TEST_WAIT": "1", "HEDDLE_TEST_ABORT": f"0.3:{number}"},
    )
    return kinds[number // len(VERSIONS) % len(kinds)]


def batches(
    seeds: range,
    versions: Sequence[int] = VERSIONS,
    extra: Mapping[str, str] | None = None,
    package: Path = PACKAGE,
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
        yield Batch(group, versions[number % len(versions)], {**settings(number), **(extra or {})}, package)


def write(programs: Sequence[Program], folder: Path) -> list[str]:
    (folder / "driver.cjs").write_text(DRIVER)
    for program in programs:
        (folder / program.file).write_text(program.text)
    return [program.file for program in programs]


def both(batch: Batch, folder: Path) -> tuple[Outcome, Outcome]:
    words = ["driver.cjs", *write(batch.programs, folder)]
    plain = run(batch.version, None, words, folder=folder, seconds=SECONDS_PER_BATCH)
    ours = run(batch.version, batch.settings, words, folder=folder, seconds=SECONDS_PER_BATCH, package=batch.package)
    return plain, ours


def compare(batch: Batch) -> Compared:
    """Runs a batch both ways; where it differs, finds out which programs do, each by itself."""
    folder = Path(tempfile.mkdtemp(prefix="heddle-fuzz-"))
    try:
        plain, ours = both(batch, folder)
        found = difference(plain, ours)
        seeds = tuple(batch.seeds)
        if not found:
            return Compared(seeds, {})
        if len(seeds) == 1:
            return Compared(seeds, {seeds[0]: f"{repeat(batch)}\n{found}"})
        alone = [compare(replace(batch, programs=(program,))) for program in batch.programs]
        different = {seed: text for one in alone for seed, text in one.different.items()}
        if not different:  # it needs the company: then the first that went another way stands for it
            printed, expected = parts(ours), parts(plain)
            first = next((seed for seed in seeds if printed.get(seed) != expected.get(seed)), seeds[-1])
            different = {first: f"only together: {repeat(batch)}\n{found}"}
        return Compared(seeds, different)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def parts(outcome: Outcome) -> dict[int, str]:
    """What each program printed, by its seed."""
    words = re.split(r"^=== seed_(\d+)\.\w+\n", outcome.out, flags=re.MULTILINE)[1:]
    return dict(zip(map(int, words[::2]), words[1::2], strict=True))


def repeat(batch: Batch) -> str:
    """The command that shows it again."""
    words = [f"{name}={value}" for name, value in batch.settings.items()]
    seeds = " ".join(map(str, batch.seeds))
    return " ".join([*words, f"python {Path(__file__).relative_to(ROOT)} --node {batch.version} {seeds}"])


def fuzz(
    seeds: range,
    extra: Mapping[str, str] | None = None,
    versions: Sequence[int] = VERSIONS,
    package: Path = PACKAGE,
) -> list[Compared]:
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        return list(pool.map(compare, batches(seeds, versions, extra, package)))


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
    print("\n".join(found.different.values()) or "the same")
    return 1 if found.different else 0


if __name__ == "__main__":
    sys.exit(main())
