"""Specs are checked, not believed: each function is run, and what it did is held against what its spec says."""

from __future__ import annotations

import copy
import os
from pathlib import Path

import pytest

from testing.specs import allowed, generate, judge, prototypes, running
from testing.specs.effects import Spec

HERE = Path(__file__).parent
ELYZE = Path(os.environ["HEDDLE_BUILD"]) / "elyze/elyze"


class Checked:
    """All harnesses, run once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.specs = running.read_specs(ELYZE)
        self.listed = generate.read_table(HERE / "not_run.txt").not_run
        self.runs: dict[str, judge.Run] = {}
        self.why_not: dict[str, str] = {}
        for harness in running.HARNESSES:
            left = {name: spec for name, spec in self.specs.items() if name not in self.runs}
            built = running.build(harness, left, self.not_run, folder)
            self.why_not |= built.why_not
            self.runs |= running.run(harness, folder)

    @property
    def functions(self) -> dict[str, Spec]:
        return {name: spec for name, spec in self.specs.items() if "variable" not in spec.said}

    @property
    def not_run(self) -> dict[str, str]:
        """By name, with what is listed for a whole library."""
        whole = {name.removeprefix("library "): why for name, why in self.listed.items() if name.startswith("library ")}
        by_library = {name: whole[spec.library] for name, spec in self.specs.items() if spec.library in whole}
        return by_library | self.listed

    @property
    def done(self) -> dict[str, judge.Run]:
        return {name: run for name, run in self.runs.items() if not run.trouble and len(run.rounds) == 2}


@pytest.fixture(scope="session")
def checked(tmp_path_factory: pytest.TempPathFactory) -> Checked:
    return Checked(tmp_path_factory.mktemp("specs"))


@pytest.fixture(scope="session")
def permitted() -> allowed.Allowed:
    return allowed.read(HERE / "allowed.txt")


@pytest.mark.timeout(600)
def test_every_function_with_a_spec_is_run_or_listed_with_a_reason(checked: Checked) -> None:
    missing = {}
    for name in checked.functions.keys() - checked.done.keys() - checked.not_run.keys():
        run = checked.runs.get(name)
        why = checked.why_not.get(name, "no header declares it")
        missing[name] = "; ".join(run.trouble) or "it did not come back" if run else why
    print(f"{len(checked.done)} specs run, {len(checked.functions) - len(checked.done)} listed as not run")
    assert missing == {}, "give these arguments in calls/, or a reason in not_run.txt"


def test_what_is_not_run_has_a_reason_and_a_spec(checked: Checked) -> None:
    libraries = {f"library {spec.library}" for spec in checked.specs.values()}
    assert [name for name, why in checked.listed.items() if not why] == []
    assert checked.listed.keys() - checked.specs.keys() - libraries == set()
    assert checked.listed.keys() & checked.done.keys() == set()


def test_no_function_does_what_its_spec_does_not_say(checked: Checked, permitted: allowed.Allowed) -> None:
    wrong = [
        f"{name}: {said}"
        for name, run in checked.done.items()
        for said in judge.judge(run, checked.specs[name])
        if not permitted.violation(checked.specs[name], said)
    ]
    assert wrong == [], "\n".join(wrong)


def test_functions_that_may_run_at_once_share_no_variable_without_a_lock(
    checked: Checked, permitted: allowed.Allowed
) -> None:
    wrong = []
    for place, pairs in judge.races(checked.done.values(), checked.specs).items():
        left = [pair for pair in pairs if not permitted.race(*pair)]
        if left:
            writers = sorted({one.function for one, _ in left})
            others = sorted({other.function for _, other in left})
            code = sorted({access.code for pair in left for access in pair})
            wrong.append(f"{place}: written by {writers[:5]}, used by {others[:5]}, at {code[:3]}")
    assert wrong == [], "\n".join(wrong)


def test_what_is_allowed_is_needed(checked: Checked, permitted: allowed.Allowed) -> None:
    for name, run in checked.done.items():
        for said in judge.judge(run, checked.specs[name]):
            permitted.violation(checked.specs[name], said)
    for pairs in judge.races(checked.done.values(), checked.specs).values():
        for pair in pairs:
            permitted.race(*pair)
    # Which variables are used depends on what the machine looks up, and how often.
    sure = [rule for rule in permitted.rules if rule.said not in ("variables", "code", "place")]
    assert [str(rule) for rule in sure if not rule.used] == []
    assert [str(rule) for rule in permitted.rules if not rule.reason] == []


def test_every_pointer_that_a_library_writes_or_returns_has_a_word(checked: Checked) -> None:
    reasons = generate.read_table(HERE / "no_pointers.txt").not_run
    wordless = set()
    for harness in running.HARNESSES:
        header = HERE / f"calls/{harness.name}.h"
        declared, _ = prototypes.read(header, [running.ROOT])
        known = prototypes.members(header, [running.ROOT])
        for name, spec in checked.functions.items():
            if spec.library not in harness.files or name not in declared:
                continue
            prototype = declared[name]
            for index, parameter in enumerate(prototype.parameters):
                target = parameter.meaning.strip().removesuffix("restrict").strip().removesuffix("*")
                if spec.writes_without_a_word(index) and prototypes.may_hold_pointers(target, known):
                    wordless.add(f"{name}({index})")
            if prototype.returns_pointer and not spec.returns:
                wordless.add(f"{name}()")
    assert sorted(wordless - reasons.keys()) == [], "say what is stored there, or give a reason in no_pointers.txt"
    assert sorted(reasons.keys() - wordless) == []
    assert [name for name, why in reasons.items() if not why] == []


def test_bytes_that_a_library_takes_or_gives_have_a_word(checked: Checked) -> None:
    reasons = generate.read_table(HERE / "no_bytes.txt").not_run
    wordless = set()
    for harness in running.HARNESSES:
        declared, _ = prototypes.read(HERE / f"calls/{harness.name}.h", [running.ROOT])
        for name, spec in checked.functions.items():
            if spec.library not in harness.files or name not in declared:
                continue
            for index, parameter in enumerate(declared[name].parameters):
                if parameter.leads_to_bytes and spec.takes_or_gives_bytes_without_a_word(index):
                    wordless.add(f"{name}({index})")
    assert sorted(wordless - reasons.keys()) == [], "say `send`, `receive` or `copy`, or give a reason in no_bytes.txt"
    assert sorted(reasons.keys() - wordless) == []
    assert [name for name, why in reasons.items() if not why] == []


# What a spec that leaves something out is told; `op` is what is left out of it.
WEAKER = [
    ("memcpy", "write", "writes 0, which the spec says it does not use"),
    ("strlen", "read", "reads 0, which the spec says it does not use"),
    ("read", "write", "the kernel uses memory"),
    ("clock_gettime", "write", "writes 1, which"),
    ("strtol", "store", "keeps 0 in 1"),
    ("getline", "reach", "changes memory of 0@0"),
    ("setvbuf", "store", "keeps 1 in 0"),
    ("pipe", "store-fresh", "opens a descriptor"),
    ("close", "descriptor-write", "closes descriptor"),
    ("ftruncate", "contents", "file data is changed"),
    ("chdir", "touch", "changes the working directory"),
    ("qsort", "call", "calls argument 3"),
    ("tdelete", "reach", "changes memory of 1@0"),
    ("strdup", "returns", "returns new memory"),
    ("strchr", "returns", "returns a pointer to byte"),
    ("localtime", "returns", "returns a pointer into variables"),
    ("open", "returns", "returns a new descriptor"),
]


@pytest.fixture(scope="session")
def found_of_weaker(checked: Checked, tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    weaker = []
    for name, op, _ in WEAKER:
        spec = copy.deepcopy(checked.specs[name])
        spec.effects = [effect for effect in spec.effects if effect["op"] != op]
        if op == "returns":
            spec.returns = []
        weaker.append(spec)
    return running.judge_alone(weaker, tmp_path_factory.mktemp("weaker"))


@pytest.mark.parametrize(("name", "op", "said"), WEAKER, ids=[f"{name}-{op}" for name, op, _ in WEAKER])
def test_a_spec_that_leaves_something_out_is_noticed(
    found_of_weaker: dict[str, list[str]], name: str, op: str, said: str
) -> None:
    assert any(said in line for line in found_of_weaker[name]), f"{name} without {op}: {found_of_weaker[name]}"


def test_state_that_only_a_library_has_is_noticed(checked: Checked) -> None:
    weaker = dict(checked.specs)
    # Several: a run that the machine has held up too long shows nothing.
    names = ("strtok", "asctime", "gmtime")
    for name in names:
        weaker[name] = copy.deepcopy(checked.specs[name])
        weaker[name].effects = [
            e for e in weaker[name].effects if not (e["op"] == "touch" or (e.get("name") and e["arg"] == -2))
        ]
    found = judge.races([checked.runs[name] for name in (*names, "setlocale")], weaker)
    assert any(
        one.function == other.function and one.function in names for pairs in found.values() for one, other in pairs
    )


# Hidden objects that no entry only looks at, or takes something from, and why none has to.
_LOOKED_AT_ELSEWHERE = {
    "addresses of sockets": "whoever takes or gives up an address changes them",
    "arguments of one-shot events": "the loop hands them to the handler",
    "arguments of one-shot watchers": "the loop hands them to the handler",
    "arguments of threads": "the thread gets it",
    "command line": "it is argv, which the program reads itself",
    "conversions of printf": "a handler that prints may call each function that was registered, by its registration",
    "duplicated descriptors": "it keeps descriptors that lead to one open file",
    "filter of system calls": "it is the thread's own, by `ties system`",
    "hidden state of the RPC library": "each of its functions changes it",
    "keys of shared memory": "whoever asks for a key makes it",
    "locked memory": "whoever maps or locks memory changes how much there is",
    "ports of resolvers": "whoever answers takes a turn",
    "signal mask": "it is the thread's own, by `ties system`",
    "state between multibyte characters": "each of its functions changes it",
    "title of the process": "only other processes see it",
    "variables of libraries": "the program itself, which names the variable",
}


def test_state_that_some_function_changes_is_looked_at() -> None:
    """What nobody looks at keeps nobody apart: an entry that depends on it was forgotten."""
    written: set[str] = set()
    looked_at: set[str] = set()
    for spec in running.read_specs(ELYZE).values():
        for effect in spec.effects:
            changes = effect["op"] in ("touch", "part", "store", "store-fresh", "keep")
            (written if changes else looked_at).add(effect.get("name", ""))
        looked_at |= {result.get("name", "") for result in spec.returns} | {spec.said.get("variable", "")}
    assert sorted(written - looked_at - _LOOKED_AT_ELSEWHERE.keys()) == []
    assert sorted(_LOOKED_AT_ELSEWHERE.keys() - (written - looked_at)) == []
