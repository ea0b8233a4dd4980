"""Replica calls: packages whose functions workers compute in copies of their own answer as they do under node.

`replicas/calls.js` calls exported functions of popular packages with random arguments, and changes their settings now
and then. Where the check of home's state, the check of the worker's, or the patch is left out, it is noticed.
"""

from __future__ import annotations

import json
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest

from bench import servers
from testing.node.node_runs import HERE, MAIN_VERSION, PACKAGE, VERSIONS, difference, run

REPLICAS = HERE / "replicas"
WAIT = {"HEDDLE_TEST_WAIT": "1", "HEDDLE_WORKERS": "1"}
SEEDS = range(1, 4)
# Packages of which workers' results have to be taken, and how many of 40 calls at least.
TAKEN = {"js-yaml": 10, "marked": 10, "mustache": 10}
# What is refused, or has nothing foreseen, must be as it is under node.
OTHERS = ("acorn", "bcryptjs", "csv-parse", "diff", "highlight.js", "lodash", "micromatch", "papaparse", "prismjs")

# File, what stands once in it, and what becomes of it.
MUTANTS: Mapping[str, tuple[str, str, str]] = {
    "validator": ("packs/replicas.js", "isUnchanged() {", "isUnchanged() { return true;"),
    "barrier": ("worker/replicas.js", "if (!state.unchanged())", "if (false)"),
    "patch": ("packs/replicas.js", "patch(changes) {", "patch(changes) { return true;"),
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    made = tmp_path_factory.mktemp("replicas")
    for name in ("calls.js", "package.json"):
        shutil.copy(REPLICAS / name, made / name)
    programs = servers.node_programs()
    shutil.copy(programs / "popular/inputs.js", made / "inputs.js")
    (made / "node_modules").symlink_to(programs / "node_modules")
    return made


def taken(folder: Path, version: int, name: str, seed: int) -> int:
    """How many results were taken of workers, in a run that is the same as node's."""
    report = folder / f"{name}-{version}-{seed}.json"
    words = [folder / "calls.js", folder / "inputs.js", name, str(seed)]
    plain = run(version, None, words)
    ours = run(version, WAIT | {"HEDDLE_REPORT": str(report)}, words)
    assert difference(plain, ours) == ""
    sites = json.loads(report.read_text())["sites"]
    return sum(site["matched"] for site in sites if "/node_modules/" in site["file"])


@pytest.mark.timeout(300)
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("name", TAKEN)
def test_calls_of_a_package_are_taken_and_are_the_same(name: str, version: int, folder: Path) -> None:
    found = [taken(folder, version, name, seed) for seed in SEEDS]
    # Node.js 20 gives modules of the language to another thread, and package.json of marked names one.
    if (name, version) != ("marked", 20):
        assert max(found) >= TAKEN[name]


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", OTHERS)
def test_calls_of_a_package_are_the_same(name: str, folder: Path) -> None:
    for seed in SEEDS:
        taken(folder, MAIN_VERSION, name, seed)


@pytest.mark.parametrize("name", MUTANTS)
def test_a_check_is_needed(name: str, tmp_path: Path) -> None:
    tiny = tmp_path / "node_modules/tiny"
    tiny.mkdir(parents=True)
    shutil.copy(REPLICAS / "tiny.js", tiny / "index.js")
    (tmp_path / "package.json").write_text(json.dumps({"heddle": {"replicas": ["tiny"]}}))
    program = shutil.copy(REPLICAS / f"mutations/{name}.js", tmp_path)
    plain = run(MAIN_VERSION, None, [program])
    assert difference(plain, run(MAIN_VERSION, WAIT, [program])) == ""
    file, original, mutated = MUTANTS[name]
    copy = tmp_path / "node"
    shutil.copytree(PACKAGE / "dist", copy / "dist", ignore=shutil.ignore_patterns("*.test.*", "*.map"))
    shutil.copytree(PACKAGE / "bin", copy / "bin")
    shutil.copy2(PACKAGE / "package.json", copy)
    (copy / "node_modules").symlink_to(PACKAGE / "node_modules")
    path = copy / "dist" / file
    text = path.read_text()
    assert text.count(original) == 1
    # The first line of a pack names what V8 has compiled of it.
    marked = text.replace("\n", f"-{name}\n", 1) if text.startswith("//") else text
    path.write_text(marked.replace(original, mutated))
    assert difference(plain, run(MAIN_VERSION, WAIT, [program], package=copy)) != ""
