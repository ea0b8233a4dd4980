"""What the language allows, through the transform alone: test262's programs, and random programs.

The programs of tc39's test262-parser-tests cover the grammar: those that must parse, also with every bracket written
out, and those that must not. Each must come through the transform the same but for insertions, still parse or still
not, and end the same when it is run.

The programs of test262 for the language (test/language and test/annexB/language, some 22,000) say what it means.
Debian's source of mozjs78 has them, as of 2020, with a harness for SpiderMonkey's shell. Few of them have a loop or
anything else that takes long, so each is also run with a loop put into all of its blocks: then nearly every one has
guards, in every place where the grammar allows a statement. They run plainly, with the guards off, and with regions
replaced by their programs.

Random event programs run under a node without a home side, where all guards are off.
"""

from __future__ import annotations

import json
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from testing.node.event_programs import generate
from testing.node.fuzzing import write
from testing.node.node_runs import HERE, MAIN_VERSION, ROOT, THIRD_PARTY, VERSIONS, environment, installed, node, run

FEWEST = 4000
TEST262 = Path("js/src/tests/test262")
FOLDERS = ("language", "annexB/language")
FEWEST_OF_LANGUAGE = 37_000  # with those that got loops
PARTS = 30  # a thirtieth in every run for each version of node
SAMPLE, LONG = range(10_000, 10_040), range(10_040, 11_000)


def through(version: int, *words: str | Path) -> dict[str, Any]:
    """What transformed_scripts.mjs says of the files in some folders."""
    command = [node(version), "--experimental-vm-modules", "--no-warnings", HERE / "transformed_scripts.mjs", *words]
    done = subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=600, env=environment(version, None)
    )
    assert done.returncode == 0, done.stderr[-2000:]
    said: dict[str, Any] = json.loads(done.stdout)
    return said


@pytest.mark.timeout(400)
@pytest.mark.parametrize("version", VERSIONS)
def test_programs_of_test262_come_through_the_same(version: int) -> None:
    programs = installed(HERE, "node-versions") / "node_modules/test262-parser-tests"
    said = through(version, *(programs / part for part in ("pass", "pass-explicit", "early", "fail")))
    assert said["different"] == []
    assert said["files"] >= FEWEST
    assert said["instrumented"] > 0


def language_part(version: int, part: str) -> dict[str, Any]:
    """What comes of one part of test262's programs for the language."""
    parts = [TEST262 / name for name in (*FOLDERS, "shell.js", "annexB/shell.js")]
    subprocess.run([ROOT / "tools/fetch_debian_source", "mozjs78", THIRD_PARTY, *parts], check=True, cwd=ROOT)
    harness = THIRD_PARTY / "mozjs78" / TEST262
    return through(version, "--harness", harness, "--part", part, *(harness / name for name in FOLDERS))


def check_language(said: dict[str, Any], fewest: int) -> None:
    assert said["different"] == []
    assert said["files"] >= fewest
    # Programs with direct eval are left alone, and those that must not parse are.
    assert said["instrumented"] > said["files"] / 4
    assert said["completed"] > 0.9 * said["run"], "the harness does not work"
    assert said["taken"] > 0.8 * said["run"], "hardly a region was replaced"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_part_of_test262_means_the_same(version: int) -> None:
    check_language(language_part(version, f"{VERSIONS.index(version)}/{PARTS}"), FEWEST_OF_LANGUAGE // PARTS)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("version", VERSIONS)
def test_all_of_test262_means_the_same(version: int) -> None:
    processes = os.cpu_count() or 1
    with ThreadPoolExecutor(processes) as pool:
        parts = list(pool.map(lambda part: language_part(version, f"{part}/{PARTS}"), range(PARTS)))
    said = {key: sum((part[key] for part in parts), type(parts[0][key])()) for key in parts[0]}
    check_language(said, FEWEST_OF_LANGUAGE)


def transformed_alone(seeds: range, folder: Path) -> list[int]:
    """Seeds of those programs that end otherwise when only their text is that of heddle-node."""
    text = "\n".join(
        [
            "import { readFileSync, writeFileSync } from 'node:fs';",
            f"import {{ transform }} from '{HERE.parent.parent}/node/dist/transform/transform.js';",
            "for (const file of process.argv.slice(2)) {",
            "  const kind = file.endsWith('.mjs') ? 'module' : 'commonjs';",
            "  writeFileSync(file, transform(readFileSync(file, 'utf8'), { key: 'x', kind, file }).text);",
            "}",
        ]
    )
    (folder / "transform.mjs").write_text(text)
    programs = [program for program in map(generate, seeds) if program.ending == "batch"]
    words = ["driver.cjs", *write(programs, folder)]
    plain = run(MAIN_VERSION, None, words, folder=folder, seconds=300)
    done = run(MAIN_VERSION, None, ["transform.mjs", *(program.file for program in programs)], folder=folder)
    assert done.code == 0, done.err
    # Only the home side corrects columns in stacks, and there is none here.
    changed = [program for program in programs if (folder / program.file).read_text() != program.text]
    assert changed, "nothing was inserted"
    after = run(MAIN_VERSION, None, words, folder=folder, seconds=300)
    return [] if lines_only(plain.out) == lines_only(after.out) and plain.code == after.code else list(seeds)


def lines_only(text: str) -> list[str]:
    return [line for line in text.splitlines() if "seed_" not in line or line.startswith("===")]


def test_random_programs_come_through_the_same(tmp_path: Path) -> None:
    assert transformed_alone(SAMPLE, tmp_path) == []


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_a_thousand_random_programs_come_through_the_same(tmp_path: Path) -> None:
    for first in range(LONG.start, LONG.stop, 40):
        assert transformed_alone(range(first, first + 40), tmp_path) == []
