"""Reads allowed.txt: what functions do and their specs do not say, each with why the specs are right."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from testing.specs.effects import Spec
from testing.specs.judge import Access


@dataclass
class Rule:
    names: tuple[str, ...]  # functions, or patterns of them
    said: str  # the beginning of what judge() says; or `uses variables`
    reason: str
    used: bool = False

    def __str__(self) -> str:
        return f"{', '.join(self.names)}: {self.said}"


@dataclass
class Allowed:
    rules: list[Rule] = field(default_factory=list)

    def violation(self, spec: Spec, said: str) -> bool:
        both = (spec.name, f"library {spec.library}")
        return self._any(lambda rule: said.startswith(rule.said) and any(_fits(name, rule.names) for name in both))

    def race(self, one: Access, other: Access) -> bool:
        """By what the code that made one of the accesses is called, as far as the library exports names."""
        code = {one.code.partition(":")[2], other.code.partition(":")[2]}
        functions = {one.function, other.function}
        return self._any(
            lambda rule: (
                (rule.said == "code" and any(_fits(place, rule.names) for place in code))
                or (rule.said == "place" and _fits(one.place, rule.names))
                or (rule.said == "variables" and any(_fits(function, rule.names) for function in functions))
            )
        )

    def _any(self, fits: Callable[[Rule], bool]) -> bool:
        found = [rule for rule in self.rules if fits(rule)]
        for rule in found:
            rule.used = True
        return bool(found)


def _fits(name: str, patterns: tuple[str, ...]) -> bool:
    return any(fnmatchcase(name, pattern) for pattern in patterns)


def read(file: Path) -> Allowed:
    allowed, reason = Allowed(), ""
    for line in file.read_text().splitlines():
        if line.startswith("because: "):
            reason = line.removeprefix("because: ")
        elif line.startswith("- "):
            names, _, said = line.removeprefix("- ").partition(": ")
            allowed.rules.append(Rule(tuple(name.strip() for name in names.split(",")), said.strip(), reason))
        elif line.startswith("  "):
            reason += " " + line.strip()
    return allowed
