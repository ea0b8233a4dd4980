"""What a spec lets a function do, as `elyze specs` prints it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

RETURNED, HIDDEN, NOTHING = -1, -2, -3
# `store` and `copy` say where pointers go, not that memory is written.
_WRITES = {"write", "free", "reach", "append", "flush"}
_READS = {"read", "reach-read"}

Effect = dict[str, Any]


@dataclass
class Spec:
    name: str
    library: str = ""
    effects: list[Effect] = field(default_factory=list)
    returns: list[dict[str, Any]] = field(default_factory=list)
    callbacks: list[dict[str, Any]] = field(default_factory=list)
    said: dict[str, Any] = field(default_factory=dict)

    @staticmethod
    def of(name: str, said: dict[str, Any]) -> Spec:
        return Spec(name, said["library"], said["effects"], said.get("returns", []), said.get("callbacks", []), said)

    @property
    def hidden_writes(self) -> set[str]:
        sure = [e for e in self.effects if "when" not in e and not e.get("if_named")]
        found = {e["name"] for e in sure if e["op"] == "touch"}
        found |= {e["name"] for e in sure if e["op"] in ("store", "keep", "reach", "copy") and e["arg"] == HIDDEN}
        return found

    @property
    def hidden_reads(self) -> set[str]:
        found = {e["name"] for e in self.effects if e["op"] == "look"}
        found |= {e["name"] for e in self.effects if e["op"] in ("reach-read", "call") and e["arg"] == HIDDEN}
        found |= {e["name"] for e in self.effects if e["op"] == "copy" and e["other"] == HIDDEN}
        return found | {r["name"] for r in self.returns if r["kind"] == "loaded" and r["arg"] == HIDDEN}

    def writes_without_a_word(self, index: int) -> bool:
        """Does it write memory of this argument, and say of no pointer that it comes there?"""
        writes = any(
            not e.get("path")
            and (e["arg"] == index or (e["op"] == "write-from" and e["arg"] <= index))
            and e["op"] in ("write", "free", "reach", "write-from")
            for e in self.effects
        )
        return writes and not any(
            e["arg"] == index and e["op"] in ("store", "store-fresh", "keep", "copy") for e in self.effects
        )

    def takes_or_gives_bytes_without_a_word(self, index: int) -> bool:
        """Does it use what this argument points to, and say of no bytes that they go somewhere, or come there?"""
        uses = ("read", "write", "free", "reach", "reach-read")
        moves = ("copy", "store", "store-fresh", "keep")
        return any(e["arg"] == index and e["op"] in uses for e in self.effects) and not any(
            index in (e["arg"], e["other"]) and e["op"] in moves for e in self.effects
        )

    def excludes(self, other: Spec) -> bool:
        """Do handlers that call one and handlers that call the other never run at once, whatever the arguments?"""
        if any(spec.said.get(word) for spec in (self, other) for word in ("alone", "forks")):
            return True
        if "ends" in self.said or "ends" in other.said:
            return True
        mine, theirs = self.hidden_writes, other.hidden_writes
        return bool(mine & (theirs | other.hidden_reads) or theirs & self.hidden_reads)


def _path(label: str) -> tuple[int, list[int]]:
    words = label.split("@")
    return int(words[0]), [int(word) for word in words[1:]]


def covers(effect: Effect, label: str) -> bool:
    """Is what the label names among the memory that the effect speaks of?"""
    index, path = _path(label)
    if effect["op"] in ("read-from", "write-from"):
        return index >= effect["arg"] >= 0 and not path
    if effect["op"] == "read-variadic":
        return index == effect["arg"]
    if effect["arg"] != index:
        return False
    if effect["op"] in ("reach", "reach-read"):
        return len(path) <= 1 or not effect.get("once", False)
    return list(effect.get("path", [])) == path


def may_do(spec: Spec, label: str, use: str) -> bool:
    """`use`: r or w; w includes r."""
    index, path = _path(label)
    for effect in spec.effects:
        if "when" in effect:
            continue
        op = effect["op"]
        writes = op in _WRITES or op == "write-from"
        reads = op in _READS or op in ("read-from", "read-variadic")
        if (writes or (reads and use == "r")) and covers(effect, label):
            return True
        if use == "r":
            if op in ("store", "keep") and effect["other"] == index and "value_path" in effect and not path:
                return True
            if op == "call" and effect["arg"] == index and effect.get("path") and not path:
                return True
    if use == "r":
        for result in spec.returns:
            if result["kind"] == "loaded" and result["arg"] == index and not path:
                return True
        for callback in spec.callbacks:
            if callback["function"] == index and "stored" in callback and not path:
                return True
    return False
