"""An entry that is silent about what an argument points to says that the function does not even look at it."""

from __future__ import annotations

from pathlib import Path

from testing.specs import generate, prototypes, running
from testing.specs.effects import NOTHING, Spec
from testing.specs.test_specs import ELYZE

HERE = Path(__file__).parent
# They say where pointers go, or what happens to something else.
_OF_OTHER_THINGS = {"touch", "look", "part", "alone", "store", "keep", "copy", "publish", "publish-owner", "send"}
_OF_OTHER_THINGS |= {"receive", "sleeps", "resume", "lock", "waits"}
# What the library locks: a hidden object stands for what handlers see of it (elyze/specs/libevent*.yaml).
_LOCKED = {"event_base", "evdns_base", "evhttp", "evconnlistener"}


def _silent(spec: Spec, index: int) -> bool:
    for effect in spec.effects:
        if effect["op"] in ("read-from", "write-from") and NOTHING < effect["arg"] <= index:
            return False
        if effect["op"] not in _OF_OTHER_THINGS and effect["arg"] == index and not effect.get("name"):
            return False
        if effect.get("other") == index and effect.get("value_path"):
            return False
    return True


def test_every_object_that_an_entry_is_silent_about_has_a_reason() -> None:
    reasons = generate.read_table(HERE / "not_looked_at.txt").not_run
    specs = running.read_specs(ELYZE)
    found = set()
    for harness in running.HARNESSES:
        declared, _ = prototypes.read(HERE / f"calls/{harness.name}.h", [running.ROOT])
        for name, spec in specs.items():
            if spec.library not in harness.files or name not in declared:
                continue
            for index, parameter in enumerate(declared[name].parameters):
                target = parameter.points_to.removeprefix("const ").removeprefix("struct ").strip()
                if target and target not in {"void", *_LOCKED} and _silent(spec, index):
                    found.add(f"{name}({index})")
    assert sorted(found - reasons.keys()) == [], "say that it is read, or give a reason in not_looked_at.txt"
    assert sorted(reasons.keys() - found) == []
    assert [name for name, why in reasons.items() if not why] == []
