"""The expressions of random programs: values of every kind that a scope can make from what it may see."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeVar

T = TypeVar("T")
DEAREST_CALL = 4000  # loop iterations that one call may cost, so that a program takes milliseconds
NUMBERS = ("0", "1", "2", "3", "5", "7", "10", "100", "-1", "-0", "0.5", "1e3", "NaN", "4294967295")


@dataclass(frozen=True)
class Function:
    """Something to call: kinds of its parameters, about how many loop iterations it takes, and all that it may call."""

    name: str
    params: tuple[str, ...]
    cost: int
    reaches: frozenset[str] = frozenset()


@dataclass
class Scope:
    """What a statement may see. Level 0: locals only, 1: may read state, 2: write it, 3: any effect, 4: an event."""

    level: int
    owner: str
    returns: bool = False
    may_throw: bool = False
    loops: int = 0
    cost: int = 1
    kinds: dict[str, str] = field(default_factory=dict)  # name -> n number, l list, s text, o object
    mutable: list[str] = field(default_factory=list)
    inner_functions: list[tuple[str, int]] = field(default_factory=list)
    taken: set[str] = field(default_factory=set)  # shared by all scopes of one function

    def add(self, kind: str, name: str, *, mutable: bool) -> None:
        self.kinds[name] = kind
        if mutable:
            self.mutable.append(name)

    def fresh(self, letters: str) -> str:
        number = 0
        while True:
            for letter in letters:
                name = f"{letter}{number or ''}"
                if name not in self.taken:
                    self.taken.add(name)
                    return name
            number += 1

    def nested(self) -> Scope:
        return Scope(
            self.level,
            self.owner,
            self.returns,
            self.may_throw,
            self.loops,
            self.cost,
            dict(self.kinds),
            list(self.mutable),
            list(self.inner_functions),
            self.taken,
        )


@dataclass(kw_only=True)
class Expressions:
    """Makes expressions from random numbers and from the state that all programs have."""

    rng: random.Random
    functions: list[Function] = field(default_factory=list)
    swappable: str = ""  # the function that events replace
    named: list[str] = field(default_factory=list)  # functions that may have properties of their own
    spent: int = 0
    numbers: tuple[str, ...] = ("num0", "num1")
    counters: tuple[str, ...] = ("count0", "count1")
    texts: tuple[str, ...] = ("text0",)
    lists: tuple[str, ...] = ("list0", "list1")
    objects: tuple[str, ...] = ("object0", "object1")
    constants: tuple[str, ...] = ("FIRST", "SECOND")
    instances: tuple[str, ...] = ("account0", "account1")

    def pick(self, options: Sequence[T]) -> T:
        return self.rng.choice(options)

    def chance(self, share: float) -> bool:
        return self.rng.random() < share

    def literal(self) -> str:
        return self.pick(NUMBERS) if self.chance(0.6) else str(self.rng.randint(-50, 999))

    def value(self, kind: str, scope: Scope) -> str:
        if kind == "l":
            return self.list(scope)
        if kind == "s":
            return self.text(scope)
        if kind == "o":
            return self.object(scope)
        if scope.level == 4 and self.chance(0.05):
            return self.pick(
                ("'12'", "undefined", "null", "-0", "NaN", "true", "9n", "[3]", "{ valueOf: () => 2 }", "''")
            )
        return self.number(scope)

    def seen(self, kind: str, scope: Scope) -> list[str]:
        own = [name for name, known in scope.kinds.items() if known == kind]
        if scope.level >= 1:
            own += {"n": self.numbers, "l": self.lists, "s": self.texts, "o": self.objects}[kind]
        return own

    def number(self, scope: Scope, depth: int = 0) -> str:
        leaves = [*self.seen("n", scope), *self.constants, self.literal()]
        if scope.level >= 2:
            leaves += self.counters
        if depth > 2 or self.chance(0.3):
            return self.pick(leaves)
        a, b = self.number(scope, depth + 1), self.number(scope, depth + 1)
        form = self.rng.randrange(16)
        if form < 6:
            return self.pick(
                (f"({a} + {b})", f"({a} * 31 + {b}) % 1009", f"({a} - {b})", f"({a} ^ {b})", f"({a} * {b}) % 499")
            )
        if form < 8:
            return self.pick(
                (
                    f"Math.imul({a}, 31)",
                    f"Math.max({a}, {b})",
                    f"Math.floor({a})",
                    f"Math.abs({a}) % 77",
                    f"({a} | 0)",
                    f"-({a})",
                )
            )
        if form < 9:
            return f"({self.condition(scope)} ? {a} : {b})"
        if form < 11:
            name = self.pick(self.seen("l", scope) or ["[4, 5]"])
            return self.pick(
                (
                    f"{name}.length",
                    f"{name}[{a} & 3]",
                    f"{name}.reduce((p, q) => (p + q) % 1013, 0)",
                    f"({name}.at(-1) ?? {b})",
                    f"{name}.indexOf({a})",
                )
            )
        if form < 12:
            name = self.pick(self.seen("s", scope) or ["'ab'"])
            return self.pick(
                (f"{name}.length", f"{name}.charCodeAt({a} & 3)", f"Number({name})", f"parseInt({name} + 3, 16)")
            )
        if form < 13:
            name = self.pick(self.seen("o", scope) or ["{ x: 1 }"])
            name = f"({name})" if name.startswith("{") else name
            return self.pick(
                (
                    f"{name}.x",
                    f"({name}.y ?? 3)",
                    f"{name}.list?.length",
                    f"Object.keys({name}).length",
                    f"({name}.z === undefined)",
                )
            )
        if scope.inner_functions and form < 14:
            name, cost = self.pick(scope.inner_functions)
            if cost * scope.cost <= DEAREST_CALL:
                self.spent += cost * scope.cost
                return f"{name}({a})"
        return self.call(scope, depth + 1) or f"({a} + {b})"

    def call(self, scope: Scope, depth: int = 0) -> str:
        """A call of one of the program's functions that this scope may afford, or an empty text."""
        prefixes = ("p", "pt", "ptw", "ptwxa", "ptwxa")[scope.level]
        known = [f for f in self.functions if f.name[0] in prefixes and f.cost * scope.cost <= DEAREST_CALL]
        if not known:
            return ""
        function = self.pick(known)
        self.spent += function.cost * scope.cost
        args = [
            self.value(kind, scope) if depth < 2 else self.pick(self.seen(kind, scope) or [self.literal()])
            for kind in function.params
        ]
        if self.chance(0.04):
            args = args[:-1]
        return f"{function.name}({', '.join(args)})"

    def condition(self, scope: Scope) -> str:
        a, b = self.number(scope, 2), self.number(scope, 2)
        return self.pick(
            (
                f"{a} > {b}",
                f"({a} & 3) === 1",
                f"{a} === {b}",
                f"!({a})",
                f"{a} <= {b} || {b} % 2",
                f"({a} & 7) < 3 && {b}",
            )
        )

    def list(self, scope: Scope) -> str:
        known = self.seen("l", scope)
        a, b = self.number(scope, 2), self.number(scope, 2)
        if known and self.chance(0.55):
            name = self.pick(known)
            if self.chance(0.5) and scope.level >= 1:
                return name
            return self.pick(
                (
                    f"{name}.slice(0, 9)",
                    f"{name}.map((e) => (e + {a}) % 53)",
                    f"{name}.filter((e) => e > {a})",
                    f"[...{name}.slice(-7), {b}]",
                )
            )
        forms = [
            f"[{a}, {b}]",
            "[]",
            f"[{a}, , {b}]",
            f"Array.from({{ length: 5 }}, (_, i) => i * {a})",
            f"[{a}, [{b}].length, 3]",
            f"new Array(4).fill({a})",
        ]
        if scope.level == 4:
            forms += [
                "frozen",
                "Array.from(typed)",
                f"[{a}, '{self.rng.randint(0, 9)}', null]",
                f"Object.freeze([{a}, {b}])",
            ]
        return self.pick(forms)

    def text(self, scope: Scope) -> str:
        a = self.number(scope, 2)
        name = self.pick(self.seen("s", scope) or ["'x'"])
        return self.pick(
            (
                name,
                f"String({a})",
                f"({name} + {a}).slice(-6)",
                f"`${{{name}}}-${{{a}}}`",
                "'12'",
                f"{name}.toUpperCase()",
            )
        )

    def object(self, scope: Scope) -> str:
        a, b = self.number(scope, 2), self.number(scope, 2)
        forms = [f"{{ x: {a}, y: {b}, list: [{a}] }}", f"{{ y: {b}, x: {a} }}", f"{{ x: {a} }}"]
        known = self.seen("o", scope)
        if known:
            forms += [self.pick(known)] * 3
        if scope.level == 4:
            forms += [
                "trap",
                "getter",
                f"new Counted({a})",
                "Object.create({ x: 5 })",
                f"Object.freeze({{ x: {a} }})",
                "null",
                "ringed",
            ]
            forms.remove("ringed")
        return self.pick(forms)

    def result(self, scope: Scope) -> str:
        """What a function returns: mostly a number, now and then something with an identity."""
        a = self.number(scope)
        if self.chance(0.72):
            return a
        lists = [name for name, kind in scope.kinds.items() if kind == "l"]
        return self.pick(
            (
                f"[{a}, {self.number(scope)}]",
                f"{{ x: {a}, list: [{a}] }}",
                self.list(scope),
                f"String({a})",
                self.pick(lists or ["null"]),
                "undefined",
                f"({a}) > 3",
                f"BigInt(({a}) & 255)",
            )
        )
