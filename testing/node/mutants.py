"""Copies of the heddle-node package in which one check of a worker's result is weakened.

The package itself has no switch for that: each mutant replaces one expression in the compiled text of a check. The
checks are all exported functions of home/validation/checks.ts and worker/checks.ts, and each needs a mutant here.
"""

from __future__ import annotations

import re
import shutil
from dataclasses import dataclass
from pathlib import Path

from testing.node.node_runs import PACKAGE

HOME_CHECKS = "home/validation/checks"
WORKER_CHECKS = "worker/checks"


@dataclass(frozen=True)
class Mutant:
    """`file`: below dist/, without its ending. `original` stands once in `function`, and becomes `mutated`."""

    file: str
    function: str
    original: str
    mutated: str


MUTANTS = {
    # Any job of the site is taken, whatever its values.
    "arguments": Mutant(HOME_CHECKS, "jobWith", "jobs.get(key)", "[...jobs.values()][0]"),
    # A job with the same arguments is taken, whatever was read.
    "reads": Mutant(
        HOME_CHECKS,
        "jobWith",
        "jobs.get(key)",
        "[...jobs].find(([other]) => other.startsWith(encode(args, [])))?.[1]",
    ),
    "roots": Mutant(HOME_CHECKS, "builtinsAgree", "(primitives || roots()) &&", ""),
    "pristine": Mutant(HOME_CHECKS, "builtinsAgree", "&& named()", ""),
    "sums": Mutant(HOME_CHECKS, "sumOf", "whole && Number.isSafeInteger(sum()) ? sum() : undefined", "sum()"),
    "classes": Mutant(HOME_CHECKS, "classUnchanged", "classes.same(value);", ""),
    "aborted": Mutant(WORKER_CHECKS, "wasAborted", "guards.aborted", "false"),
    "changed-arguments": Mutant(WORKER_CHECKS, "changedItsValues", "encoder.encode(values) !== text", "false"),
    "shared-results": Mutant(WORKER_CHECKS, "freshText", "encode(results, taken ?? [])", "encode(results)"),
}


def checks() -> set[tuple[str, str]]:
    """File and name of every check that the package has."""
    files = (HOME_CHECKS, WORKER_CHECKS)
    texts = {file: (PACKAGE / "src" / f"{file}.ts").read_text() for file in files}
    return {(file, name) for file, text in texts.items() for name in re.findall(r"^export function (\w+)", text, re.M)}


def mutated(name: str, folder: Path) -> Path:
    """The package with the mutant NAME in it, in FOLDER/node."""
    mutant = MUTANTS[name]
    copy = folder / "node"
    shutil.copytree(PACKAGE / "dist", copy / "dist", ignore=shutil.ignore_patterns("*.test.*", "*.map"))
    shutil.copytree(PACKAGE / "bin", copy / "bin")
    for file in ("package.json", "package-lock.json"):
        shutil.copy2(PACKAGE / file, copy / file)
    (copy / "node_modules").symlink_to(PACKAGE / "node_modules")
    # Workers load files; at home it is the packs that run, and their first line names what V8 has compiled of them.
    path = copy / "dist" / ("packs/home.js" if mutant.file == HOME_CHECKS else f"{mutant.file}.js")
    before, function, rest = path.read_text().partition(f"function {mutant.function}(")
    before = before.replace("\n", f"-{name}\n", 1) if before.startswith("//") else before
    body, end, after = rest.partition("\n}\n")
    assert body.count(mutant.original) == 1, f"{path} has no single {mutant.original!r} in {mutant.function}"
    path.write_text(before + function + body.replace(mutant.original, mutant.mutated) + end + after)
    return copy
