"""What the analyser says of pairs that touched one byte."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from testing.specs import prototypes, running
from testing.specs.link_programs import analysed_program
from testing.specs.link_traces import Trace, touches
from testing.specs.links import Action, Library, Scenario

CLANG = (
    "clang-19",
    "-std=gnu17",
    "-I",
    str(running.ROOT),
    *prototypes.FLAGS,
    "-g",
    "-O0",
    "-Xclang",
    "-disable-O0-optnone",
    "-w",
)
_MOVES = {"store", "keep", "copy", "mix"}


@dataclass(frozen=True)
class Hole:
    library: str
    scenario: str
    one: str
    other: str
    where: str
    by: tuple[str, str]
    program: Path  # two handlers with the verdict `never`

    def __str__(self) -> str:
        return f"{self.library}, {self.scenario}: {self.one} and {self.other}: {self.where}, {' and '.join(self.by)}"


class Analyser:
    def __init__(self, library: Library, elyze: Path, folder: Path, specs: Path = running.ROOT / "elyze/specs") -> None:
        self.library, self.elyze, self.folder, self.specs = library, elyze, folder, specs
        self.head = folder / f"{library.harness.name}.pch"
        header = folder / f"{library.harness.name}-analysed.h"
        header.write_text(f'#include "testing/specs/links_analysed.h"\n#include "{library.header}"\n')
        self._compile("-x", "c-header", str(header), "-o", str(self.head))
        self.programs = 0

    def _compile(self, *words: str) -> None:
        subprocess.run([*CLANG, *words], check=True, capture_output=True)

    def verdicts(self, scenario: Scenario, chosen: Iterable[int]) -> dict[tuple[int, int], str]:
        """Of all pairs of the chosen actions; `pinned` where both handlers run on one thread anyway."""
        chosen = sorted(set(chosen))
        base = self.folder / f"{self.library.harness.name}-analysed"
        base.with_suffix(".c").write_text(analysed_program(scenario, chosen))
        self._compile(
            "-include-pch", str(self.head), "-emit-llvm", "-c", str(base.with_suffix(".c")), "-o", f"{base}.bc"
        )
        document = base.with_suffix(".json")
        words = [self.elyze, f"{base}.bc", "--program", "links", "--specs", self.specs, "-o", document]
        subprocess.run([str(word) for word in words], check=True, capture_output=True)
        self.programs += 1
        found = json.loads(document.read_text())
        numbers = {h["id"]: int(h["name"][1:]) for h in found["handlers"] if re.fullmatch(r"h\d+", h["name"])}
        pinned = {h["id"] for h in found["handlers"] if h.get("pinned")}
        result = {}
        for pair in found["pairs"]:
            if pair["a"] in numbers and pair["b"] in numbers:
                both = pair["a"] in pinned and pair["b"] in pinned and pair["verdict"] == "never"
                key = tuple(sorted((numbers[pair["a"]], numbers[pair["b"]])))
                result[key] = "pinned" if both else pair["verdict"]
        return result


def _signature(library: Library, action: Action) -> str:
    if not action.function:
        return action.label
    spec = library.functions[action.function][1]
    return f"{action.variable} {json.dumps([spec.effects, spec.returns, spec.callbacks], sort_keys=True)}"


def _moves(library: Library, action: Action) -> bool:
    if not action.function:
        return False
    spec = library.functions[action.function][1]
    return bool(spec.callbacks) or any(effect["op"] in _MOVES for effect in spec.effects)


@dataclass
class Judged:
    """What came out of some scenarios."""

    pairs: int = 0  # that were compared
    touching: int = 0
    holes: list[Hole] = field(default_factory=list)
    alone: int = 0  # pairs that were analysed by themselves
    left: int = 0  # pairs that move pointers and were not


def judge(scenario: Scenario, traces: Mapping[int, Trace], analyser: Analyser, judged: Judged, most_alone: int) -> None:
    """Actions that move no pointers are analysed together, for they do not change what others lead to. Of the other
    pairs at most `most_alone` are analysed, one of each signature, each in a program of its own."""
    library = analyser.library
    good = sum(trace.finished and not trace.trouble for trace in traces.values())
    judged.pairs += good * (good + 1) // 2
    found = list(touches(scenario, traces))
    judged.touching += len(found)
    if not found:
        return
    actions = scenario.actions
    plain = {n for touch in found for n in (touch.one, touch.other) if not _moves(library, actions[n])}
    together = analyser.verdicts(scenario, plain) if plain else {}
    seen: set[tuple[str, ...]] = set()
    for touch in found:
        verdict = together.get((touch.one, touch.other))
        if verdict is None:
            signature = tuple(sorted(_signature(library, actions[n]) for n in (touch.one, touch.other)))
            if signature in seen:
                continue
            seen.add(signature)
            if most_alone <= 0:
                judged.left += 1
                continue
            most_alone -= 1
            judged.alone += 1
            verdict = analyser.verdicts(scenario, (touch.one, touch.other)).get((touch.one, touch.other), "missing")
        if verdict in ("never", "missing"):
            one, other = actions[touch.one].label, actions[touch.other].label
            name = f"hole-{library.harness.name}-{len(judged.holes)}"
            kept = analyser.folder / f"{name}.c"
            kept.write_text(analysed_program(scenario, (touch.one, touch.other)))
            judged.holes.append(Hole(library.harness.name, scenario.what, one, other, touch.where, touch.by, kept))
