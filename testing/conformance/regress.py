"""libevent's regression suite (tinytest): how to build it, the ways to run it, and what it says of each test.

Most of its tests wait for timers, so all ways run side by side, each in several processes. Some tests measure time,
down to a millisecond, and a busy machine upsets them: a test that fails beside the others is run again alone, up to
TRIES_ALONE times, and has passed if it passes once. That goes for plain libevent as for our core, and `passed_alone`
counts it, so that it can be said beside the figures.
"""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
from collections import Counter
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from heddle.documents.contracts import VERSIONS
from heddle.program.elf import Elf

HERE = Path(__file__).resolve().parent
PLAIN = "plain libevent"
# Ways to run the core. In the last two every handler conflicts with every other one, and yet several threads call them:
# as the runtime sees need (conflict), or another thread for every call (forced). In `forced` the document lists every
# function as a handler, so that events of libevent's bufferevents and listeners are traced to the function they call.
MODES = {
    "inline": {"HEDDLE_SERIAL": "1"},
    "conflict": {"HEDDLE_THREADS": "4"},
    "forced": {"HEDDLE_THREADS": "4", "HEDDLE_PROMOTE": "always"},
}
MOST_WAIVERS = 5

# "main/methods: [forking] OK", or the assertion that failed on lines between the name and "[methods FAILED]".
BEGUN = re.compile(r"^(\w+/\w+): ")
ENDED = re.compile(r"(?:^|\s)\[?(?:\w+ )?(OK|SKIPPED|DISABLED|FAILED)\]?\s*$")
PASSING = frozenset({"OK", "SKIPPED", "DISABLED"})
SHARDS = 4
SECONDS_PER_SHARD = 300
TRIES_ALONE = 3

Verdicts = dict[str, str]  # test name, such as main/methods -> OK, SKIPPED, DISABLED, FAILED, CRASHED, TIMEOUT


@dataclass(frozen=True)
class Waiver:
    test: str
    modes: frozenset[str]
    argument: str


def waivers(text: str) -> list[Waiver]:
    """Those of WAIVERS.md: a heading names the test and its modes, the paragraphs below it argue."""
    _, *parts = re.split(r"^## ", text, flags=re.MULTILINE)
    found = []
    for part in parts:
        heading, _, argument = part.partition("\n")
        named = re.fullmatch(r"`(\w+/\w+)`: (\w+(?:, \w+)*)", heading)
        modes = frozenset(named[2].split(", ")) if named else frozenset()
        if named is None or not modes <= MODES.keys():
            raise ValueError(f"WAIVERS.md: not a heading of a waiver: {heading}")
        found.append(Waiver(named[1], modes, argument.strip()))
    return found


def build(folder: Path) -> Path:
    """libevent's test program on Debian's library; fetched and compiled once."""
    subprocess.run([HERE / "build_regress", folder], check=True, stdin=subprocess.DEVNULL)
    return folder / "regress"


def ways(program: Path, library: Path, document: Path) -> dict[str, dict[str, str]]:
    """Plain libevent and every mode: name -> environment. `document` is where constraints may be written."""
    contents = {
        "schema": "heddle/constraints",
        "version": VERSIONS["constraints"],
        "tool": {"name": "conformance", "version": "1"},
        "program": {"name": program.name, "build_id": Elf(program).build_id()},
        # A run in which nothing may overlap is serial. This pair may, and its handler is never called.
        "handlers": handlers(["main"]),
        "pairs": [{"a": 0, "b": 0, "verdict": "never", "conflicts": []}],
        **{part: [] for part in ("objects", "accesses", "assumptions")},
    }
    document.write_text(json.dumps(contents))
    followed = document.with_suffix(".followed.json")
    followed.write_text(json.dumps({**contents, "handlers": every_function(program), "pairs": []}))
    ours = {"LD_PRELOAD": str(library), "HEDDLE_CONSTRAINTS": str(document), "HEDDLE_SUMMARY": "0"}
    return {
        PLAIN: {},
        **{mode: {**ours, **settings} for mode, settings in MODES.items()},
        "forced": {**ours, **MODES["forced"], "HEDDLE_CONSTRAINTS": str(followed)},
    }


def every_function(program: Path) -> list[dict[str, object]]:
    """As handlers of a constraints document, without verdicts."""
    listed = subprocess.run(["nm", program], capture_output=True, text=True, check=True).stdout.splitlines()
    return handlers(sorted({words[2] for words in map(str.split, listed) if len(words) == 3 and words[1] in "tT"}))


def handlers(names: list[str]) -> list[dict[str, object]]:
    common = {"file": "regress.c", "line": 1, "kind": "bufferevent", "on_behalf": True, "registrations": []}
    session = {"kind": "object", "offset": 0}
    return [{"id": number, "name": name, "session": session, **common} for number, name in enumerate(names)]


def list_tests(program: Path) -> list[str]:
    listed = subprocess.run([program, "--list-tests"], capture_output=True, text=True, check=False).stdout
    return re.findall(r"^\s+(\w+/\w+)", listed, re.MULTILINE)


def parse(output: str) -> Verdicts:
    """DISABLED is off by default; CRASHED began and never said how it ended."""
    verdicts: Verdicts = {}
    current = ""
    for line in output.splitlines():
        begun = BEGUN.match(line)
        if begun:
            current = begun.group(1)
            verdicts[current] = "CRASHED"
        if current:
            ended = ENDED.search(line)
            if ended:
                verdicts[current] = ended.group(1)
    return verdicts


def run_names(program: Path, names: list[str], environment: Mapping[str, str]) -> Verdicts:
    """Runs the tests in one process. A test that hangs, and those after it, are TIMEOUT."""
    process = subprocess.Popen(
        [program, *names],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, **environment},
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=SECONDS_PER_SHARD)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    said = parse(output)
    return {name: said.get(name, "TIMEOUT") for name in names}


@dataclass(frozen=True)
class Round:
    """One run of the suite in every way: what each test said, and in which ways it said so only when run alone."""

    verdicts: dict[str, Verdicts]
    alone: frozenset[tuple[str, str]] = frozenset()  # (way, test)
    unreliable: frozenset[str] = frozenset()  # plain libevent passes them now and then, but mostly fails them alone


def run_suite(program: Path, environments: Mapping[str, Mapping[str, str]]) -> Round:
    names = list_tests(program)
    shards = [(way, names[start::SHARDS]) for way in environments for start in range(SHARDS)]
    verdicts: dict[str, Verdicts] = {way: {} for way in environments}
    with ThreadPoolExecutor(len(shards)) as pool:
        results = pool.map(lambda shard: run_names(program, shard[1], environments[shard[0]]), shards)
        for (way, _), result in zip(shards, results, strict=True):
            verdicts[way].update(result)
    alone = set()
    for way, said in verdicts.items():
        for _ in range(TRIES_ALONE):
            for name in sorted(failing(said)):
                said[name] = run_names(program, [name], environments[way])[name]
                if said[name] in PASSING:
                    alone.add((way, name))
    # Plain libevent may have passed by chance what it mostly fails.
    unreliable = set()
    for name in sorted(set.union(*map(failing, verdicts.values())) - failing(verdicts[PLAIN])):
        tries = [run_names(program, [name], environments[PLAIN])[name] for _ in range(TRIES_ALONE)]
        if 2 * sum(verdict in PASSING for verdict in tries) < TRIES_ALONE:
            unreliable.add(name)
    return Round(verdicts, frozenset(alone), frozenset(unreliable))


def failing(verdicts: Verdicts) -> set[str]:
    return {name for name, verdict in verdicts.items() if verdict not in PASSING}


def not_judged(rounds: Sequence[Round]) -> set[str]:
    """Tests that plain libevent fails in every repetition, or mostly alone: they say nothing about our core."""
    failed = set.intersection(*(failing(each.verdicts[PLAIN]) for each in rounds))
    return failed.union(*(each.unreliable for each in rounds))


def unexplained(rounds: Sequence[Round], waived: Sequence[Waiver]) -> Counter[tuple[str, str]]:
    """How often each (mode, test) fails that can be judged and has no waiver."""
    excused = {(mode, waiver.test) for waiver in waived for mode in waiver.modes}
    silent = not_judged(rounds)
    seen: Counter[tuple[str, str]] = Counter()
    for each in rounds:
        seen.update({(mode, test) for mode in MODES for test in failing(each.verdicts[mode]) - silent} - excused)
    return seen


def passed_alone(rounds: Sequence[Round]) -> Counter[tuple[str, str]]:
    """How often each (way, test) failed beside the others and passed when it was run again alone."""
    return Counter(found for each in rounds for found in each.alone)
