"""Which tests need not run again, because they passed and nothing that they depend on has changed since.

    passed.py ask [--all] UNIT...   says what would be run: UNIT, its digest, when it passed with that digest (empty if
                                    never) and its summary, between tabs. A build (native, races, model) becomes one
                                    unit for each of its test programs: native/clock_test
    passed.py give [--all] UNIT     the folder that holds dev/ and tsan/ for this unit
    passed.py keep [--all]          reads such lines of units that have passed now, each with its summary, and keeps
                                    those whose digest is still the same

A unit is a run of pytest or of node, or one test program of a build. Its digest is over the content of all that its
result depends on: the files of the project that it may read, the native programs that it may run, the packages that
are installed, the machine, and the variables that change how programs behave. In doubt a file belongs to it.
What is kept lies in build/, beside the programs that it speaks of: a fresh clone runs everything.
"""

from __future__ import annotations

import hashlib
import json
import os
import platform
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from fnmatch import fnmatch
from functools import cache
from pathlib import Path

from project_files import ROOT, project_files

KEPT = ROOT / "build/passed"
PRESETS = {"native": "dev", "asan": "asan", "races": "tsan", "model": "model"}

# Compiled into native programs, and read by nothing else; what comes of them is in BUILT.
COMPILED = (
    *(
        f"{folder}/*.{ending}"
        for folder in ("base", "scheduler", "telemetry", "multivent", "objectbase", "crawler", "threadlab")
        for ending in ("cpp", "hpp")
    ),
    *("elyze/*.cpp", "elyze/*.hpp", "testing/schedule/*pp", "testing/load/*pp", "testing/golden/*.hpp"),
    # kernel.c and watchers.c are compiled by a test.
    *("testing/differential/[!kw]*.[ch]", "testing/oracle/*.[ch]"),
    "examples/workbench/*pp",
)
# Read by people, by `style`, and by no other test.
WORDS = ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "LICENSE", "docs/*.md", ".ci/*", ".clang-*", ".editorconfig")
TOOLS = ("tools/*.py", "tools/hooks/*")

ANALYSER = ("dev/elyze/elyze", "dev/elyze/*/libheddle_*.so")
RUNTIME = ("dev/multivent/libmultivent.so*",)
CRAWLER = ("dev/crawler/heddle-crawl", "dev/testing/crawl/write_warc")
PICO = ("dev/pico/libheddle_pico.a",)
OBJECTBASE = ("dev/objectbase/libheddle_objectbase.a", "dev/objectbase/libobjectbase.so*")
HELPERS = ("dev/testing/load/heddle-load", "dev/testing/oracle/lib*agitator.so", "dev/testing/differential/*")
LAB = ("dev/threadlab/_native*.so", "dev/threadlab/patterns/heddle-lab-patterns")
SANITIZED = ("tsan/multivent/libmultivent.so*",)
# Of the units that do not use every native program, those that they use. They are given links to these and no others.
BUILT = {
    "style": ("dev/compile_commands.json",),
    "node": (),
    "programs": (),
    "examples:node": (),
    # Example servers on plain libevent, and their tests; under the runtime they are units of their own.
    "examples:fileserver": (),
    "examples:imgserve": (),
    "examples:onion": ANALYSER,
    "examples:pico": PICO,
    "examples:objectbase": OBJECTBASE,
    "examples:workbench": ("dev/examples/workbench/workbench",),
    "examples:fileserver:parallel": RUNTIME,
    "examples:imgserve:parallel": RUNTIME,
    "examples:onion:parallel": RUNTIME,
    "examples": ANALYSER,
    "oracle": (*ANALYSER, *RUNTIME, *HELPERS),
    "conformance:conformance": (*RUNTIME, *HELPERS),
    "conformance:differential": (*ANALYSER, *RUNTIME, *HELPERS),
    "conformance:faults": (*RUNTIME, *HELPERS),
    "conformance:specs": ("dev/elyze/elyze",),
    "conformance:crawl": CRAWLER,
    "conformance:threadlab": LAB,
}
EVERYTHING_BUILT = (*ANALYSER, *RUNTIME, *CRAWLER, *PICO, *HELPERS, *LAB, *SANITIZED)

VARIABLES = re.compile(
    r"(HEDDLE_(?!ROOT$)|NODE|npm_config_|PYTEST_(ADDOPTS|PLUGINS)|PYTHON|GTEST_|LD_|LC_|LANG|[A-Z]SAN_|UBSAN_|MAKE|C(C|XX|PP|FLAGS)|TZ$)"
)


class Digest:
    """Over names and contents, each apart from the next."""

    def __init__(self) -> None:
        self._sum = hashlib.sha256()

    def add(self, *words: str | bytes) -> None:
        for word in words:
            data = word.encode(errors="surrogateescape") if isinstance(word, str) else word
            self._sum.update(b"%d:" % len(data) + data)

    def add_files(self, paths: Iterable[Path]) -> None:
        for path in sorted(paths):
            self.add(str(path.relative_to(ROOT)), "link" if path.is_symlink() else "", content(path))

    def __str__(self) -> str:
        return self._sum.hexdigest()


@cache
def content(path: Path) -> bytes:
    mode = b"x" if os.access(path, os.X_OK) else b"-"
    return mode + hashlib.sha256(path.read_bytes()).digest()


def matches(path: Path, patterns: Iterable[str]) -> bool:
    return any(fnmatch(str(path), pattern) for pattern in patterns)


def is_compiled(path: Path) -> bool:
    # Programs and specs of the analyser's tests are input to it, whatever they end in.
    return matches(path, COMPILED) and not path.is_relative_to("elyze/tests/programs")


def tests_of(unit: str) -> tuple[str, ...]:
    """Where the test files of the unit are; those of other units it does not read."""
    part, folder = (*unit.split(":"), "")[:2]
    if part == "python":
        return ("*",)  # bench/ imports tests of all folders
    if folder == "conformance":
        return ("testing/test_*", "testing/conformance/*")
    place = {"examples": "examples", "conformance": "testing", "oracle": "testing/oracle", "programs": "testing/node"}
    return (f"{place.get(part, part)}/{folder or 'test_'}*",)


def sources(unit: str, everything: bool) -> Iterator[Path]:
    """The files of the project that the unit may read; `everything`: the slow tests may read any."""
    for path in project_files():
        if unit != "style" and not everything:
            if is_compiled(path) or matches(path, (*WORDS, *TOOLS)):
                continue
            if path.name.startswith("test_") and not matches(path, tests_of(unit)):
                continue
        yield ROOT / path


def built(unit: str, everything: bool) -> Iterator[Path]:
    """The native programs that the unit may run."""
    for pattern in EVERYTHING_BUILT if everything else BUILT.get(unit, EVERYTHING_BUILT):
        yield from (path for path in (ROOT / "build").glob(pattern) if path.is_file() and path.suffix != ".cmake")


def give(unit: str, everything: bool) -> Path:
    """The folder with the builds that the unit is to use: of one in BUILT, links to what it names there."""
    if unit not in BUILT or everything:
        return ROOT / "build"
    folder = ROOT / "build/given" / unit.replace(":", ".")  # a colon ends a path in LD_PRELOAD
    shutil.rmtree(folder, ignore_errors=True)
    for path in built(unit, everything):
        link = folder / path.relative_to(ROOT / "build")
        link.parent.mkdir(parents=True, exist_ok=True)
        link.symlink_to(path)
    return folder


def programs(preset: str) -> dict[Path, list[str]]:
    """The test programs of a build, and of each the tests that `./heddle test` runs, as ctest describes them."""
    command = ["ctest", "--test-dir", ROOT / "build" / preset, "-LE", "singly", "--show-only=json-v1"]
    tests = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)["tests"]
    found: dict[Path, list[str]] = {}
    for test in tests:
        found.setdefault(Path(test["command"][0]), []).append(json.dumps([test["command"], test.get("properties")]))
    return found


def data(preset: str) -> Iterator[Path]:
    """Files that test programs read: those below the paths that they, or libraries of theirs, are compiled with."""
    text = (ROOT / "build" / preset / "compile_commands.json").read_text()
    for name in sorted(set(re.findall(rf'=\\\\\\"({re.escape(str(ROOT))}/[^"\\]+)', text))):
        place = Path(name)
        below = (ROOT / path for path in project_files() if (ROOT / path).is_relative_to(place))
        yield from [place] if place.is_file() else below


def commands() -> Iterator[str]:
    """What PATH makes of each name that a test may call. The same folders in another order may come to the same."""
    found: dict[str, str] = {}
    for folder in dict.fromkeys(os.get_exec_path()):
        with suppress(OSError):
            found |= {path.name: os.path.realpath(path) for path in Path(folder).iterdir() if path.name not in found}
    return (f"{name}={path}" for name, path in sorted(found.items()))


@cache
def surroundings() -> str:
    """What every result depends on."""
    found = Digest()
    found.add(platform.release(), platform.machine(), str(len(os.sched_getaffinity(0))))
    packages = subprocess.run(["dpkg-query", "-W"], capture_output=True, check=False).stdout
    found.add(packages, *commands())
    found.add(*(f"{name}={value}" for name, value in sorted(os.environ.items()) if VARIABLES.match(name)))
    return str(found)


def fetched() -> Iterator[Path]:
    """What tells the versions of other people's sources, which some tests fetch into build/ and leave there."""
    for name in ("debian/changelog", "configure.ac", "package.json", "CMakeLists.txt"):
        for below in ("*", "conformance/*"):
            yield from (ROOT / "build/third_party").glob(f"{below}/{name}")


@dataclass(frozen=True)
class Unit:
    name: str
    digest: str  # of what its run does not change
    summary: str = ""

    @property
    def kept(self) -> Path:
        """Where it is written down that it passed as it is."""
        found = Digest()
        found.add(self.digest)
        found.add_files(fetched() if self.name == "programs" or self.name.startswith("conformance:") else ())
        return KEPT / f"{self.name.replace('/', '.')}-{found}"


def units(name: str, everything: bool) -> Iterator[Unit]:
    common = (name, surroundings(), str(everything))
    if name not in PRESETS:
        found = Digest()
        found.add(*common)
        found.add_files({*sources(name, everything), *built(name, everything)})
        yield Unit(name, str(found))
        return
    read = set(data(PRESETS[name]))
    for program, tests in sorted(programs(PRESETS[name]).items()):
        found = Digest()
        found.add(*common)
        found.add_files({program, *read})
        found.add(*tests)
        yield Unit(f"{name}/{program.name}", str(found), f"{len(tests)} passed")


def ask(names: Iterable[str], everything: bool) -> Iterator[str]:
    for name in names:
        for unit in units(name, everything):
            when, summary = unit.kept.read_text().split("\t") if unit.kept.exists() else ("", unit.summary)
            yield "\t".join((unit.name, unit.digest, when, summary))


def keep(lines: Iterable[str], everything: bool) -> None:
    passed = [line.rstrip("\n").split("\t") for line in lines]
    now = {unit for part in {line[0].partition("/")[0] for line in passed} for unit in units(part, everything)}
    same = {(unit.name, unit.digest): unit for unit in now}
    KEPT.mkdir(parents=True, exist_ok=True)
    for name, digest, _, summary in passed:
        if (name, digest) in same:
            same[name, digest].kept.write_text(f"{datetime.now():%Y-%m-%d %H:%M}\t{summary}")


def main(verb: str, *words: str) -> None:
    everything = "--all" in words
    names = [word for word in words if word != "--all"]
    if verb == "ask":
        for line in ask(names, everything):
            print(line)
    elif verb == "give":
        print(give(names[0], everything))
    else:
        keep(sys.stdin, everything)


if __name__ == "__main__":
    main(*sys.argv[1:])
