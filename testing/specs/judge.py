"""Holds what functions did against what their specs say."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from testing.specs.effects import HIDDEN, RETURNED, Spec, covers, may_do

# What the kernel keeps for a thread: it pins (elyze/specs/README.md), and is no object.
_OF_THREAD = {"signal mask", "priority", "scheduling", "processors", "name of the thread", "prctl", "rounding",
              "locale of the thread", "signal stack"}  # fmt: skip
_OF_PROCESS = {
    "working directory": "working directory",
    "umask": "umask",
    "signal handlers": "signal handlers",
    "timers": "signals of the process",
    "limits": "limits of the process",
    "identity": "identity of the process",
    "process group": "identity of the process",
    "session": "identity of the process",
}
_TO_FILES = {"append", "opened"}


@dataclass
class Run:
    """What one function did: the lines of the harness."""

    name: str
    rounds: list[list[list[str]]] = field(default_factory=list)
    trouble: list[str] = field(default_factory=list)
    unwatched: bool = False


@dataclass(frozen=True)
class Access:
    function: str
    place: str  # LIBRARY+OFFSET
    writes: bool
    atomic: bool
    code: str
    locks: frozenset[str]


def parse(text: str) -> dict[str, Run]:
    runs: dict[str, Run] = {}
    run = Run("")
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "case":
            run = runs[rest] = Run(rest)
        elif word == "round":
            run.rounds.append([])
        elif word in ("unmade", "crash", "timeout", "signalled", "exited"):
            run.trouble.append(line)
        elif word == "unwatched":
            run.unwatched = True
        elif word == "fault" and not run.rounds:
            run.trouble.append(line)
        elif run.rounds:
            run.rounds[-1].append(line.split(" "))
        else:
            run.rounds = run.rounds or [[]]
            run.rounds[-1].append(line.split(" "))
    return runs


def judge(run: Run, spec: Spec) -> list[str]:
    """What the function did and the spec does not say, once each."""
    found: dict[str, None] = {}
    for facts in run.rounds:
        found |= dict.fromkeys(_Round(spec, facts).violations())
    return list(found)


class _Round:
    def __init__(self, spec: Spec, facts: list[list[str]]) -> None:
        self.spec = spec
        self.facts = facts
        self.objects: dict[int, list[str]] = defaultdict(list)
        self.opened: list[int] = []
        self.number: int | None = None
        for fact in facts:
            if fact[0] == "object":
                self.objects[int(fact[1])].append(fact[2])
            elif fact[0] == "opened":
                self.opened.append(int(fact[1]))
            elif fact[0] == "number":
                self.number = int(fact[1])

    def violations(self) -> Iterable[str]:
        ways = {
            "fault": self._fault,
            "errno": self._errno,
            "changed": self._changed,
            "freed": self._changed,
            "kept": self._kept,
            "stored": self._stored,
            "pointer": self._pointer,
            "opened": self._opened,
            "closed": self._closed,
            "moved": self._moved,
            "replaced": self._closed,
            "file": self._file,
            "state": self._state,
            "called": self._called,
        }
        for fact in self.facts:
            way = ways.get(fact[0])
            said = way(fact[1:]) if way else ""
            if said:
                yield said

    def _has(self, *ops: str) -> bool:
        return any(effect["op"] in ops for effect in self.spec.effects)

    def _owners(self, place: list[str]) -> list[str]:
        """The labels that reach a place: of NAME OFFSET AGE MASK."""
        if place[0] != "-":
            return [place[0]]
        mask = int(place[3], 16)
        labels = [label for bit, names in self.objects.items() if mask >> bit & 1 for label in names]
        return labels + (["hidden"] if mask >> 63 else [])

    def _may_write(self, label: str) -> bool:
        if label == "=":
            return True
        if label.startswith("~"):
            return label[1:].replace("_", " ") in self.spec.hidden_writes
        if label == "hidden":
            stream = any(e["op"] == "append" and e["arg"] == HIDDEN for e in self.spec.effects)
            return stream or bool(self.spec.hidden_writes) or bool(self.spec.callbacks) or self._has("publish")
        return may_do(self.spec, label, "w")

    # --- Memory ---

    def _fault(self, words: list[str]) -> str:
        label, offset, size, how, use = words[0], int(words[1]), int(words[2]), words[3], words[4]
        if offset >= size or (offset < 0 and (how == "write" or use == "r")):  # strings are read by whole vectors
            return f"{how}s outside of the {size} bytes of {label} (byte {offset})"
        return f"{how}s {label}, which the spec says it {'only reads' if use == 'r' else 'does not use'}"

    def _errno(self, words: list[str]) -> str:
        return "the kernel uses memory that the spec does not say it does" if words[0] == "14" else ""

    def _changed(self, words: list[str]) -> str:
        if words[0] == "block":
            label, first, last = words[1], int(words[2]), int(words[3])
            if first < 0:
                return f"writes before {label}"
            sizes = [
                effect.get("bytes", 0)
                for effect in self.spec.effects
                if effect["op"] in ("write", "free", "reach", "write-from") and covers(effect, label)
            ]
            if sizes and all(sizes) and last > max(sizes):
                return f"writes bytes {first} to {last} of {label}, more than {max(sizes)}"
            return ""
        if words[0] != "heap":
            return ""
        owners = self._owners(words[1:])
        if not owners or any(map(self._may_write, owners)):
            return ""
        return f"changes memory of {', '.join(sorted(set(owners)))}"

    def _stores(self, index: int) -> list[dict[str, object]]:
        return [e for e in self.spec.effects if e["op"] in ("store", "keep") and e["other"] == index]

    def _kept(self, words: list[str]) -> str:
        what, place = words[0], words[1:]
        if what[0] in "=~":
            return ""
        function = what.startswith("f")
        index = int(what[1:]) if function else int(what.partition("@")[0])
        owners = self._owners(place[1:]) if place[0] == "heap" else [place[1]] if place[0] == "block" else ["hidden"]
        new = place[0] == "heap" and place[3] == "new"
        if any(owner.partition("@")[0] == str(index) for owner in owners) and not function:
            return ""
        targets = {effect["arg"] for effect in self._stores(index)}
        # What is called or handed to a callback later is stored by the library wherever it likes.
        known = any(c["function"] == index or "session" in c for c in self.spec.callbacks)
        known |= any(e["op"] in ("publish", "call") and e["arg"] == index for e in self.spec.effects)
        if known or HIDDEN in targets or (RETURNED in targets and new):
            return ""
        for owner in owners:
            if owner[0].isdigit() and int(owner.partition("@")[0]) in targets:
                return ""
        copies = [e for e in self.spec.effects if e["op"] == "copy" and e["other"] in (index, HIDDEN)]
        if copies or (not owners and new):
            return ""
        where = ", ".join(sorted(set(owners))) or "memory of nobody"
        return f"keeps {what} in {'new memory of ' if new else ''}{where}"

    def _stored(self, words: list[str]) -> str:
        """A pointer to the library's memory has come into an argument's: the program can get there by it."""
        label, offset, what = words
        index = int(label.partition("@")[0])
        for effect in self.spec.effects:
            op = effect["op"]
            if effect["arg"] != index or op not in ("store", "store-fresh", "keep", "reach", "copy"):
                continue
            if op == "reach" and not covers(effect, label):
                continue
            return ""
        return f"stores a pointer to {what} memory in byte {offset} of {label}"

    def _pointer(self, words: list[str]) -> str:
        kinds = {(r["kind"], r["arg"]) for r in self.spec.returns}
        hidden = any(r["kind"] == "hidden" or r["arg"] == HIDDEN for r in self.spec.returns)
        place = words[0]
        if place in ("null",) or (place == "variable" and words[3] == "constant"):
            return ""
        if place == "block":
            label, offset = words[1], int(words[2])
            index = int(label.partition("@")[0])
            if "@" in label:
                good = ("loaded", index) in kinds or ("inside", index) in kinds
                return "" if good or hidden else f"returns a pointer into {label}"
            if ("inside", index) in kinds or (("argument", index) in kinds and offset == 0):
                return ""
            if any(("loaded", effect["arg"]) in kinds for effect in self._stores(index)):
                return ""
            return f"returns a pointer to byte {offset} of argument {label}"
        if place == "variable":
            return "" if hidden else f"returns a pointer into variables of {words[1]}"
        if place == "heap":
            owners = self._owners(words[1:])
            if words[3] == "new":
                if ("fresh", 0) in kinds or hidden:
                    return ""
                parts = [owner.partition("@")[0] for owner in owners]
                good = any(kind in ("argument", "loaded") and str(arg) in parts for kind, arg in kinds)
                return "" if good else "returns new memory"
            if "=" in owners and kinds:
                return ""
            if words[1].startswith("~"):
                return "" if kinds else "returns memory of the library"
            if words[1] != "-":
                index = int(words[1].partition("@")[0])
                good = ("argument", index) in kinds or ("inside", index) in kinds or ("loaded", index) in kinds
                return "" if good else f"returns {words[1]}"
            if not owners or ("hidden" in owners and hidden):
                return ""
            for owner in owners:
                index = int(owner.partition("@")[0]) if owner[0].isdigit() else -9
                if any(kind in ("argument", "inside", "loaded") and arg == index for kind, arg in kinds):
                    return ""
            return f"returns memory of {', '.join(sorted(set(owners)))}"
        return "" if kinds - {("nothing", 0)} else "returns a pointer"

    # --- Descriptors, files ---

    def _opened(self, words: list[str]) -> str:
        kinds = {r["kind"] for r in self.spec.returns}
        if int(words[0]) == self.number:
            return "" if kinds & {"descriptor", "argument"} else "returns a new descriptor"
        stored = any(e["op"] == "store-fresh" and e["other"] == 1 for e in self.spec.effects)
        good = stored or "fresh" in kinds or self._has("same") or self.spec.hidden_writes
        return "" if good else "opens a descriptor"

    def _closed(self, words: list[str]) -> str:
        good = self._has("descriptor-write", "free", "append", "same") or self.spec.hidden_writes
        return "" if good else f"closes descriptor {words[0]}"

    def _moved(self, words: list[str]) -> str:
        good = self._has("descriptor-write", "append", "free", "write", "reach", "keep")
        return "" if good else f"changes the open file behind descriptor {words[0]}"

    def _file(self, words: list[str]) -> str:
        if words[1] == "created":
            return ""
        for effect in self.spec.effects:
            if effect["op"] in ("contents", "file") and effect.get("use") != "read" and "beside" not in effect:
                return ""
            if effect["op"] in _TO_FILES or (effect["op"] == "free" and "@" not in words[0]):
                return ""
        return f"file {words[0]} is {words[1]}" if words[0] != "folder" else ""

    # --- What a process has beside memory ---

    def _state(self, words: list[str]) -> str:
        state = " ".join(words)
        if state in _OF_THREAD:
            pins = self.spec.said.get("thread") == "owner" or "ties" in self.spec.said
            return "" if pins else f"changes the thread's {state}, and no handler that calls it is pinned"
        name = _OF_PROCESS[state]
        return "" if name in self.spec.hidden_writes else f"changes the {state}"

    def _called(self, words: list[str]) -> str:
        index = int(words[0])
        calls = any(e["op"] in ("call", "call-reachable") for e in self.spec.effects)
        registered = any(c["function"] == index for c in self.spec.callbacks)
        return "" if calls or registered else f"calls argument {index}"


# --- Variables of the libraries ---


def accesses(run: Run) -> list[Access]:
    """Of the second call: what the first one sets up, it sets up once."""
    found = []
    for fact in run.rounds[-1] if len(run.rounds) == 2 else []:
        if fact[0] == "access":
            library, offset, how, step, code, *locks = fact[1:]
            found.append(
                Access(run.name, f"{library}+{offset}", how == "write", step == "atomic", code, frozenset(locks))
            )
    return found


def races(runs: Iterable[Run], specs: Mapping[str, Spec]) -> dict[str, set[tuple[Access, Access]]]:
    """Places that two functions use, one of them writing, without a lock in common, though their handlers may run at
    once."""
    by_place: dict[str, list[Access]] = defaultdict(list)
    for run in runs:
        for access in accesses(run):
            by_place[access.place].append(access)
    found: dict[str, set[tuple[Access, Access]]] = {}
    locks = {place for place, all_here in by_place.items() if any(access.atomic for access in all_here)}
    for place, all_here in by_place.items():
        if any(before in locks for before in _before(place)):
            continue
        pairs = {
            (one, other)
            for one in all_here
            if one.writes
            for other in all_here
            if not one.locks & other.locks and not specs[one.function].excludes(specs[other.function])
        }
        if pairs:
            found[place] = pairs
    return found


def _before(place: str) -> list[str]:
    """What is changed atomically is a lock or a count, which is no race; behind a lock stand its owner and depth."""
    library, _, offset = place.rpartition("+")
    return [f"{library}+{int(offset, 16) - back:x}" for back in (0, 4, 8, 12)]
