"""Pairs of calls that share memory through a library, and whether the analyser knows.

A scenario is a few objects, perhaps linked by one call: two that were made apart, an object and what a getter gives out
of it, two objects of which one was given to the other. Its actions are calls on one of the objects each, with other
arguments of their own. links.c tells which bytes each really touches. Where two touch a common byte, and one of them
writes it, a program with two handlers that make these calls must not have the verdict `never`.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from testing.specs import generate, prototypes, running
from testing.specs.effects import Spec
from testing.specs.prototypes import Parameter, Prototype

HERE = Path(__file__).parent
ROOT = running.ROOT

_CONSTANT = re.compile(r"^(-?[A-Z0-9_x |<.+-]+|NULL|L?'.'|\(void \*\)0)$")
_CALLBACK = re.compile(r"^(.*?)\s*\(\*\)\s*\((.*)\)$")
# One that is left locked keeps all its users on one thread, and nothing of theirs could be a hole.
_LOCKS = re.compile(
    r"(f(try)?lockfile|funlockfile|pthread_(mutex|rwlock|spin|cond|barrier)_.*|sem_.*|(evbuffer|bufferevent)_(un)?lock)$"
)
MADE = re.compile(r"\b(made|of|one|own|room|at|entry|below)\b")


@dataclass(frozen=True)
class Variable:
    """An object of a scenario."""

    name: str
    type: str
    maker: str  # C; empty where the link gives it out
    kind: str = "object"  # or raw: memory that the program may look into; called: what callbacks write
    before: str = ""  # statements that the maker needs


@dataclass(frozen=True)
class Action:
    function: str  # empty: the program's own access
    variable: str
    before: str
    own: tuple[tuple[str, str, str], ...]  # arguments of its own: name, type, C
    call: str

    @property
    def label(self) -> str:
        return f"{self.function}({self.variable})" if self.function else self.call.split("(")[0] + f"({self.variable})"


@dataclass
class Scenario:
    name: str
    what: str  # for people
    variables: list[Variable]
    link: str = ""
    link_function: str = ""
    link_before: str = ""
    link_own: tuple[tuple[str, str, str], ...] = ()
    callbacks: list[str] = field(default_factory=list)  # whole functions
    actions: list[Action] = field(default_factory=list)
    between: frozenset[str] = frozenset()  # pairs are of two of these variables; empty: any two


def _unqualified(kind: str) -> str:
    return re.sub(r"\b(const|volatile|restrict|register)\b", "", kind).replace("  ", " ").strip()


class Library:
    """What a table of calls (calls/NAME.calls) makes of a library's functions."""

    def __init__(self, harness: running.Harness, specs: Mapping[str, Spec], not_run: Mapping[str, str]) -> None:
        self.harness = harness
        self.header = HERE / f"calls/{harness.name}.h"
        declared, self.complete = prototypes.read(self.header, [ROOT])
        self.table = generate.read_table(HERE / f"calls/{harness.name}.calls")
        self.why_not: dict[str, str] = {}
        self._keys: dict[Parameter, str] = {}
        self.functions: dict[str, tuple[Prototype, Spec]] = {}
        for name, spec in specs.items():
            if spec.library not in harness.files or "variable" in spec.said:
                continue
            if harness.name != "libc" and spec.library in ("libc", "posix"):
                continue
            if name in not_run or name in self.table.not_run:
                self.why_not[name] = not_run.get(name) or self.table.not_run[name]
            elif name in self.table.unwatched:
                self.why_not[name] = "it blocks all signals, or starts a process: it can't be executed step by step"
            elif _LOCKS.match(name):
                self.why_not[name] = "it is a lock: what it writes is its own"
            elif name not in declared:
                self.why_not[name] = "no header declares it"
            else:
                self.functions[name] = (declared[name], spec)

    def key(self, parameter: Parameter) -> str:
        """The type of object that a parameter takes; empty if it takes none."""
        if parameter not in self._keys:
            self._keys[parameter] = self._key(parameter)
        return self._keys[parameter]

    def _key(self, parameter: Parameter) -> str:
        kind = _unqualified(parameter.type)
        target = _unqualified(parameter.points_to)
        for known in (kind, f"{target} *", f"struct {target} *"):
            made = self.table.types.get(known, "")
            if (
                made
                and ("@" in made or "(" in made)
                and not made.startswith(("variadic", "base", "BIO_s", "EVP_", "TLS"))
            ):
                return made
        return ""

    def given(self, name: str, index: int) -> str:
        row = self.table.calls.get(name, [])
        return row[index] if index < len(row) and row[index] != "_" else ""


def _expression(library: Library, name: str, index: int, label: str) -> str:
    """What the table gives for an argument; raises ValueError where there is none."""
    prototype, spec = library.functions[name]
    given = library.given(name, index)
    if given:
        return generate.labelled(given, label)
    if index >= len(prototype.parameters):
        raise ValueError(f"argument {index} of {name} does not exist")
    made = generate.argument(index, prototype.parameters[index], spec, library.table, library.complete)
    if not made:
        raise ValueError(f"no way to make argument {index}, {prototype.parameters[index].type}")
    return made


def _count(library: Library, name: str) -> int:
    return max(len(library.functions[name][0].parameters), len(library.table.calls.get(name, [])))


def _callback(name: str, parameter: Parameter, writes: bool) -> str:
    """A function of the parameter's type; what it is given as `void *` it writes, and that it was called."""
    meaning = re.sub(r"\b(restrict)\b", "", parameter.meaning)
    match = _CALLBACK.match(meaning)
    if not match or "(" in match.group(1) + match.group(2) or "[" in match.group(2):
        raise ValueError(f"no function of type {parameter.meaning}")
    result, words = match.groups()
    types = [] if words.strip() in ("", "void") else [word.strip() for word in words.split(",")]
    if "..." in types or (result.strip().startswith(("struct", "union")) and not result.strip().endswith("*")):
        raise ValueError(f"no function of type {parameter.meaning}")
    declared = ", ".join(f"{kind} p{i}" for i, kind in enumerate(types)) or "void"
    body = []
    if writes:
        body = ["if (called != NULL) called[0] = called[0];"]
        body += [
            f"if (p{i} != NULL) *(volatile char *)p{i} = *(volatile char *)p{i};"
            for i, kind in enumerate(types)
            if kind == "void *"
        ]
    if result.strip() != "void":
        body.append("return 0;")
    return f"static {result} {name}({declared}) {{ {' '.join(body)} }}\n"


def _argument_of_own(
    library: Library, name: str, index: int, prefix: str, callbacks: list[str], writes: bool
) -> tuple[str, tuple[str, str, str] | None]:
    """C for an argument, and the variable that it needs."""
    prototype, _ = library.functions[name]
    parameter = prototype.parameters[index] if index < len(prototype.parameters) else None
    given = library.given(name, index)
    if parameter is not None and parameter.is_function and (not given or "callback(" in given):
        callbacks.append(_callback(f"{prefix}_f{index}", parameter, writes))
        return f"{prefix}_f{index}", None
    made = _expression(library, name, index, str(index))
    if "callback(" in made:
        raise ValueError("a function in a structure")
    kind = parameter.type if parameter is not None else f"__typeof__({made})"
    if "SOCKADDR_ARG" in kind:
        kind = "struct sockaddr *"
    if "__typeof__" not in kind:
        kind = _unqualified(kind)
    if _CONSTANT.match(made) and not MADE.search(made):
        return (f"({kind})({made})" if parameter is not None else made), None
    if parameter is None and MADE.search(made):
        raise ValueError("a variadic argument of its own")
    cast = ""
    if parameter is not None and (kind.rstrip().endswith("*") or not parameter.meaning.startswith(("struct", "union"))):
        cast = f"(__typeof__({kind}))"
    variable = f"{prefix}_{index}"
    return variable, (variable, kind, f"{cast}({made})")


def actions_on(library: Library, key: str, variable: Variable, scenario: Scenario) -> Iterator[Action]:
    """Each function that takes such an object, called with this one."""
    for name, (prototype, _) in library.functions.items():
        places = [i for i, parameter in enumerate(prototype.parameters) if library.key(parameter) == key]
        if not places:
            continue
        prefix = f"{scenario.name}_{variable.name}_{name}"
        own, words, made = [], [], []
        try:
            for index in range(_count(library, name)):
                if index == places[0]:
                    words.append(f"({prototype.parameters[index].type}){scenario.name}_{variable.name}")
                    continue
                word, needed = _argument_of_own(library, name, index, prefix, made, writes=False)
                words.append(word)
                own += [needed] if needed else []
        except ValueError as problem:
            library.why_not.setdefault(name, str(problem))
            continue
        scenario.callbacks += made
        before = library.table.before.get(name, "")
        yield Action(name, variable.name, before, tuple(own), f"{name}({', '.join(words)})")


def accesses_of(scenario: Scenario, variable: Variable) -> list[Action]:
    """The program's own look into memory, and its change."""
    place = f"((volatile char *){scenario.name}_{variable.name})"
    return [
        Action("", variable.name, "", (), f"peek({place})"),
        Action("", variable.name, "", (), f"poke({place})"),
    ]


def _makers(library: Library, key: str) -> list[str]:
    """The ways in which the table makes such an object: the usual one, and those for certain functions."""
    found = [key]
    for name, (prototype, _) in library.functions.items():
        for index, parameter in enumerate(prototype.parameters):
            if library.key(parameter) == key:
                given = library.given(name, index)
                if given and not MADE.search(given) and "(" in given and given not in found:
                    found.append(given)
    return found


def _type_of(library: Library, key: str) -> str:
    for prototype, _ in library.functions.values():
        for parameter in prototype.parameters:
            if library.key(parameter) == key:
                return _unqualified(parameter.type)
    raise ValueError(key)


def keys(library: Library) -> list[str]:
    found = (library.key(p) for prototype, _ in library.functions.values() for p in prototype.parameters)
    return [key for key in dict.fromkeys(found) if key]


def scenarios(library: Library) -> Iterator[Scenario]:
    """All that the table allows, in an order that does not change."""
    number = itertools.count()

    def new(what: str, variables: list[Variable]) -> Scenario:
        return Scenario(f"s{next(number)}", what, variables)

    def fill(made: Scenario, kinds: Mapping[str, str]) -> Scenario:
        for variable in made.variables:
            if variable.kind == "object":
                made.actions += actions_on(library, kinds[variable.name], variable, made)
            else:
                made.actions += accesses_of(made, variable)
        return made

    for key in keys(library):
        kind = _type_of(library, key)
        # One object, in each state that the table knows; two of them; and what functions give out of one.
        for maker in _makers(library, key):
            yield fill(new(maker, [Variable("a", kind, maker)]), {"a": key})
        apart = new(f"{key} twice", [Variable("a", kind, key), Variable("b", kind, key)])
        apart.between = frozenset({"a", "b"})
        yield fill(apart, {"a": key, "b": key})
        for name, (prototype, spec) in library.functions.items():
            given = library.given(name, 0)
            maker = key if not given or MADE.search(given) else given
            yield from _given_out(library, name, prototype, spec, key, maker, new, fill)
    for name, (prototype, _) in library.functions.items():
        yield from _linked(library, name, prototype, new, fill)


def _may_be_looked_into(library: Library, kind: str) -> bool:
    """Is the type behind the pointer defined in a header, or memory of no type?"""
    bare = _unqualified(kind).removesuffix("*").strip()
    known = ("void", "char", "unsigned char", "signed char")
    return bare in known or bare in library.complete or bare.endswith("*") or generate.is_complete(bare)


def _result_key(library: Library, prototype: Prototype) -> str:
    if not prototype.returns_pointer:
        return ""
    return library.key(Parameter("", prototype.result, prototype.result))


def _given_out(library, name, prototype, spec, key, maker, new, fill) -> Iterator[Scenario]:  # noqa: ANN001
    """An object, and what a function with it as its first argument returns."""
    if not prototype.returns_pointer or not prototype.parameters or library.key(prototype.parameters[0]) != key:
        return
    if all(result["kind"] == "fresh" for result in spec.returns) and spec.returns and not spec.effects:
        return
    result = _result_key(library, prototype)
    if not result and not _may_be_looked_into(library, prototype.result):
        return
    scenario = new(f"{name}({maker})", [Variable("a", _type_of(library, key), maker)])
    link = _link(library, name, scenario, {0: "a"})
    if link is None:
        return
    scenario.variables.append(Variable("r", prototype.result, "", "object" if result else "raw"))
    scenario.between = frozenset({"a", "r"})
    yield fill(scenario, {"a": key, "r": result})


def _link(library: Library, name: str, scenario: Scenario, places: Mapping[int, str]) -> str | None:
    """The call that links, with the scenario's objects at these places."""
    own, words = [], []
    try:
        for index in range(_count(library, name)):
            if index in places:
                kind = library.functions[name][0].parameters[index].type
                words.append(f"({kind}){scenario.name}_{places[index]}")
                continue
            word, needed = _argument_of_own(
                library, name, index, f"{scenario.name}_link", scenario.callbacks, writes=True
            )
            words.append(word)
            own += [needed] if needed else []
    except ValueError as problem:
        library.why_not.setdefault(name, str(problem))
        return None
    scenario.link_function = name
    scenario.link_own = tuple(own)
    scenario.link_before = library.table.before.get(name, "")
    scenario.link = f"{name}({', '.join(words)})"
    return scenario.link


def _linked(library, name, prototype, new, fill) -> Iterator[Scenario]:  # noqa: ANN001
    """Two objects, or an object and memory of the program's, that were given to one call."""
    variables, kinds, places = [], {}, {}
    letters = iter("abcdefghijkl")
    before = library.table.before.get(name, "")
    for index, parameter in enumerate(prototype.parameters):
        key = library.key(parameter)
        given = library.given(name, index)
        maker = given or key
        if maker and MADE.search(maker) and not before:
            return
        if key:
            letter = next(letters)
            variables.append(Variable(letter, _unqualified(parameter.type), generate.labelled(maker, index)))
            kinds[letter] = key
            places[index] = letter
        elif parameter.points_to and not parameter.is_function and _may_be_looked_into(library, parameter.type):
            try:
                maker = _expression(library, name, index, str(index))
            except ValueError:
                continue
            if _CONSTANT.match(maker) or "variadic" in maker or "callback" in maker or MADE.search(maker):
                continue
            letter = next(letters)
            variables.append(Variable(letter, _unqualified(parameter.type), maker, "raw"))
            places[index] = letter
    if not kinds:
        return
    has_callback = any(parameter.is_function for parameter in prototype.parameters)
    result = _result_key(library, prototype)
    if len(variables) + has_callback + bool(result) < 2:
        return
    if before:
        variables[0] = Variable(variables[0].name, variables[0].type, variables[0].maker, variables[0].kind, before)
    scenario = new(name, variables)
    if _link(library, name, scenario, places) is None:
        return
    if result:
        scenario.variables.append(Variable("r", prototype.result, "", "object"))
        kinds["r"] = result
    if has_callback:
        scenario.variables.append(Variable("called", "char *", 'zeros("called", 16)', "called"))
    yield fill(scenario, kinds)
