"""Builds harnesses and runs them: one for each set of libraries."""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from testing.specs import generate, judge, prototypes
from testing.specs.effects import Spec

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
COMPILER = ("gcc", "-std=gnu17", *prototypes.FLAGS, "-O0", "-fPIC", "-fno-builtin", "-w", "-I", str(ROOT))


@dataclass(frozen=True)
class Harness:
    name: str  # of its table of calls, and its header
    libraries: tuple[str, ...]
    files: tuple[str, ...]  # the libraries whose specs it may run


HARNESSES = (
    Harness("libc", ("m", "crypt", "resolv"), ("libc", "posix", "libstdcxx")),
    Harness("libevent", ("event", "event_pthreads", "event_openssl", "ssl", "crypto"), ("libevent", "libc", "posix")),
    Harness("openssl", ("ssl", "crypto"), ("openssl", "libc")),
    Harness("others", ("z", "zstd", "lzma", "jpeg", "tinfo"), ("compression", "libjpeg", "terminal")),
)


@dataclass
class Result:
    runs: dict[str, judge.Run] = field(default_factory=dict)
    why_not: dict[str, str] = field(default_factory=dict)  # there was no case for it


def read_specs(elyze: Path) -> dict[str, Spec]:
    done = subprocess.run([elyze, "specs", ROOT / "elyze/specs"], check=True, capture_output=True, text=True)
    return {name: Spec.of(name, said) for name, said in json.loads(done.stdout).items()}


@cache
def _of_the_c_library() -> set[str]:
    return set(prototypes.read(HERE / "calls/libc.h", [ROOT])[0])


def linked(library: str) -> bool:
    """Can a program be linked with it?"""
    command = ["gcc", f"-print-file-name=lib{library}.so"]
    return "/" in subprocess.run(command, capture_output=True, text=True, check=True).stdout


def undefined(said: str) -> set[str]:
    marks = ("undefined reference to `",)
    return {line.split(mark, 1)[1].split("'")[0] for line in said.splitlines() for mark in marks if mark in line}


def build(harness: Harness, specs: Mapping[str, Spec], not_run: Mapping[str, str], folder: Path) -> Result:
    """Writes and compiles the harness, as FOLDER/NAME."""
    header = HERE / f"calls/{harness.name}.h"
    declared, complete = prototypes.read(header, [ROOT])
    table = generate.read_table(HERE / f"calls/{harness.name}.calls")
    wanted = {
        name: spec
        for name, spec in specs.items()
        if spec.library in harness.files
        and name not in not_run
        and "variable" not in spec.said
        and name in declared
        # Called as the first table says that knows it, which chooses arguments that hurt nobody.
        and (harness is HARNESSES[0] or name not in _of_the_c_library())
    }
    result = Result()
    binary = folder / harness.name
    libraries = [f"-l{name}" for name in harness.libraries if linked(name)]
    for _ in range(2):  # once more without what headers declare and no library has
        text, why = generate.harness(f'#include "{header}"\n', declared, wanted, table, complete)
        result.why_not |= why
        source = folder / f"{harness.name}.c"
        source.write_text(text)
        command = [*COMPILER, "-o", binary, source, HERE / "harness.c", *libraries, "-lm", "-lpthread", "-ldl"]
        done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
        missing = undefined(done.stderr) & wanted.keys()
        if done.returncode == 0 or not missing:
            break
        result.why_not |= dict.fromkeys(missing, "the installed library does not have it")
        wanted = {name: spec for name, spec in wanted.items() if name not in missing}
    if done.returncode != 0:
        errors = [line for line in done.stderr.splitlines() if "error:" in line or "undefined" in line]
        raise RuntimeError("\n".join(errors[:60]))
    return result


def run(harness: Harness, folder: Path, chosen: Iterable[str] = ()) -> dict[str, judge.Run]:
    place = folder / f"run-{harness.name}"
    place.mkdir(exist_ok=True)
    surroundings = {"PATH": os.environ["PATH"], "LD_BIND_NOW": "1", "HOME": str(place), "LC_ALL": "C.UTF-8"}
    done = subprocess.run(
        [folder / harness.name, place, *chosen], capture_output=True, env=surroundings, check=False, cwd=place
    )
    return judge.parse(done.stdout.decode(errors="replace"))


def judge_alone(specs: Iterable[Spec], folder: Path) -> dict[str, list[str]]:
    """What functions of the C library do that these specs do not say."""
    chosen = {spec.name: spec for spec in specs}
    harness = HARNESSES[0]
    build(harness, chosen, {}, folder)
    return {name: judge.judge(found, chosen[name]) for name, found in run(harness, folder).items()}
