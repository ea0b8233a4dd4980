"""The oracle's reader and its check, on traces made by hand."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from heddle.documents.constraints import Constraints
from heddle.errors import BadInputError
from heddle.oracle import accesses
from heddle.oracle.accesses import ATOMIC, LATE, WRITES
from heddle.oracle.check import Outcome, check
from heddle.oracle.order import Order
from heddle.oracle.predictions import predictions

HANDLERS = ("on_a", "on_b")
COUNTER, CLIENT = 4096, 7  # a global's address, a block's number


def block(kind: int, content: bytes) -> bytes:
    return struct.pack("<II", kind, len(content)) + content


class Run:
    """A trace: handlers are sites 1 and 2, every access is at site 3."""

    def __init__(self) -> None:
        self.calls: list[bytes] = []
        self.touched: list[bytes] = []

    def call(self, handler: str, session: int = 0, parent: int = 0, parent_step: int = 0) -> int:
        number = len(self.calls) + 1
        site = HANDLERS.index(handler) + 1
        self.calls.append(struct.pack("<IIIIQII", number, site, parent, parent_step, session, 0, 0))
        return number

    def touch(
        self, call: int, offset: int, flags: int = 0, *, size: int = 4, step: int = 0, thing: int = 0, site: int = 3
    ) -> None:
        self.touched.append(struct.pack("<IIQQIHH", call, thing, offset, size, site, step, flags))

    def content(self) -> bytes:
        text = "program\t/bin/server\tabc\nglobal\t4096\t4\tcounter\ts.c\t3\n"
        text += "".join(f"site\t{i}\t{i}\t{name}\ts.c\t-\n" for i, name in enumerate((*HANDLERS, "helper"), 1))
        things = struct.pack("<IIQQII", CLIENT, accesses.HEAP, 0x5000, 64, 0, 0)
        ending = struct.pack("<QQQ", 1, len(self.calls), len(self.touched))
        return b"".join(
            (
                accesses.MAGIC,
                block(1, text.encode()),
                block(2, things),
                block(3, b"".join(self.calls)),
                block(4, b"".join(self.touched)),
                block(5, ending),
            )
        )

    def check(self, folder: Path, **verdicts: str) -> Outcome:
        path = folder / "trace"
        path.write_bytes(self.content())
        return check(accesses.load(path), constraints(**verdicts))


def constraints(**verdicts: str) -> Constraints:
    """Verdicts by aa, ab, bb; `never` where nothing is said."""
    handlers = [
        {"id": i, "name": name, "file": "s.c", "line": i + 1, "kind": "event", "registrations": []}
        | {"session": {"kind": "object", "offset": 0}}
        for i, name in enumerate(HANDLERS)
    ]
    frame = {"function": "helper", "file": "s.c", "line": 3}
    access = [{"id": i, "handler": i, "object": 0, "mode": "write", "root": "global", "path": [frame]} for i in (0, 1)]
    pairs = []
    for a, b in ((0, 0), (0, 1), (1, 1)):
        verdict = verdicts.get("ab"[a] + "ab"[b], "never")
        conflict = {"object": 0, "verdict": verdict, "a_access": a, "b_access": b}
        pairs.append({"a": a, "b": b, "verdict": verdict, "conflicts": [] if verdict == "never" else [conflict]})
    document: dict[str, Any] = {
        "program": {"name": "server", "build_id": "abc"},
        "handlers": handlers,
        "objects": [{"id": 0, "name": "counter", "kind": "global"}],
        "accesses": access,
        "pairs": pairs,
        "assumptions": [],
    }
    return Constraints(document)


def with_late_points(a_starts: str, b_starts: str) -> Constraints:
    """on_a and on_b: `always`, and these to start beside the other."""
    document = constraints(ab="always").document
    document["pairs"][1]["starts"] = {"a": a_starts, "b": b_starts}
    return Constraints(document)


@pytest.mark.parametrize(
    ("a_starts", "b_starts", "a_flags", "b_flags", "failures"),
    [
        ("always", "always", WRITES, WRITES, 0),
        ("never", "always", WRITES | LATE, WRITES, 0),
        ("never", "always", WRITES, WRITES, 1),
        ("always", "never", WRITES, WRITES | LATE, 0),
        ("never", "never", WRITES | LATE, WRITES | LATE, 0),
        ("never", "never", WRITES | LATE, WRITES, 1),
    ],
)
def test_whoever_may_start_beside_the_other_touches_it_behind_late_points(
    tmp_path: Path, a_starts: str, b_starts: str, a_flags: int, b_flags: int, failures: int
) -> None:
    run = Run()
    run.touch(run.call("on_a", 16), COUNTER, a_flags)
    run.touch(run.call("on_b", 32), COUNTER, b_flags)
    path = tmp_path / "trace"
    path.write_bytes(run.content())
    outcome = check(accesses.load(path), with_late_points(a_starts, b_starts))
    assert (len(outcome.failures), len(outcome.witnesses)) == (failures, 1 - failures)


def two_writes(first_session: int, second_session: int) -> Run:
    run = Run()
    for session in (first_session, second_session):
        run.touch(run.call("on_a", session), COUNTER, WRITES)
    return run


def test_an_overlap_that_nothing_kept_apart_is_a_failure(tmp_path: Path) -> None:
    failure = two_writes(16, 32).check(tmp_path).failures[0]
    assert (failure.object, failure.where, failure.same_session) == ("counter", "s.c:3", False)
    assert str(failure.first.site) == "helper s.c:3"


def test_always_keeps_every_overlap_apart_and_is_witnessed(tmp_path: Path) -> None:
    outcome = two_writes(16, 32).check(tmp_path, aa="always")
    assert outcome.failures == []
    found = predictions(constraints(aa="always"), outcome)
    assert (found.pairs, found.pairs_witnessed, found.pairs_at_once, found.conflicts_witnessed) == (1, 1, 1, 1)


@pytest.mark.parametrize(("second", "failures"), [(16, 0), (32, 1), (0, 1)])
def test_session_keeps_only_one_session_apart(tmp_path: Path, second: int, failures: int) -> None:
    assert len(two_writes(16, second).check(tmp_path, aa="session").failures) == failures


def test_two_invocations_without_a_session_have_not_the_same(tmp_path: Path) -> None:
    assert two_writes(0, 0).check(tmp_path, aa="session").failures


@pytest.mark.parametrize(
    ("first", "second", "failures"),
    [(0, 0, 0), (0, WRITES, 1), (ATOMIC | WRITES, ATOMIC | WRITES, 0), (ATOMIC | WRITES, 0, 1), (ATOMIC, WRITES, 1)],
)
def test_reads_do_not_overlap_nor_do_atomics(tmp_path: Path, first: int, second: int, failures: int) -> None:
    run = Run()
    run.touch(run.call("on_a"), COUNTER, first)
    run.touch(run.call("on_b"), COUNTER, second)
    assert len(run.check(tmp_path).failures) == failures


@pytest.mark.parametrize(("offset", "failures"), [(0, 1), (3, 1), (4, 0)])
def test_bytes_count_not_words(tmp_path: Path, offset: int, failures: int) -> None:
    run = Run()
    run.touch(run.call("on_a"), 0, WRITES, thing=CLIENT)
    run.touch(run.call("on_b"), offset, WRITES, thing=CLIENT)
    assert len(run.check(tmp_path).failures) == failures


def test_one_address_in_two_objects_is_not_one_place(tmp_path: Path) -> None:
    run = Run()
    run.touch(run.call("on_a"), 0, WRITES, thing=CLIENT)
    run.touch(run.call("on_b"), 0, WRITES)
    assert run.check(tmp_path).failures == []


@pytest.mark.parametrize(("step", "failures"), [(0, 0), (1, 1)])
def test_what_an_invocation_does_before_it_makes_another_due_is_before_it(
    tmp_path: Path, step: int, failures: int
) -> None:
    run = Run()
    maker = run.call("on_a")
    run.touch(maker, COUNTER, WRITES, step=step)
    middle = run.call("on_b", parent=maker)
    run.touch(run.call("on_b", parent=middle), COUNTER, WRITES)
    assert len(run.check(tmp_path).failures) == failures


def test_a_conflict_between_ordered_invocations_is_witnessed_but_not_at_once(tmp_path: Path) -> None:
    run = Run()
    run.touch(run.call("on_a", 16), COUNTER, WRITES)
    run.touch(run.call("on_b", 32, parent=1), COUNTER, WRITES)
    found = predictions(constraints(ab="always"), run.check(tmp_path, ab="always"))
    assert (found.pairs_witnessed, found.pairs_at_once) == (1, 0)


def test_handlers_that_the_constraints_do_not_name_run_alone(tmp_path: Path) -> None:
    run = two_writes(16, 32)
    path = tmp_path / "trace"
    path.write_bytes(run.content().replace(b"\ton_a\t", b"\ton_x\t"))
    outcome = check(accesses.load(path), constraints())
    assert outcome.failures == []
    assert [site.function for site in outcome.not_listed] == ["on_x"]


def test_order_follows_causes_through_many_generations() -> None:
    parent = np.arange(100, dtype=np.uint32)
    order = Order(parent, np.zeros(100, np.uint32))
    assert order.before(1, 0, 100)
    assert not order.before(1, 1, 100)
    assert not order.before(100, 0, 1)


def test_siblings_are_not_ordered() -> None:
    order = Order(np.array([0, 1, 1], np.uint32), np.array([0, 0, 1], np.uint32))
    assert not order.before(2, 0, 3)
    assert order.before(1, 1, 3)
    assert not order.before(1, 1, 2)


def whole() -> bytes:
    return two_writes(16, 32).content()


@pytest.mark.parametrize("length", range(8, len(whole()), 7))
def test_a_trace_that_was_cut_short_is_refused(tmp_path: Path, length: int) -> None:
    path = tmp_path / "trace"
    path.write_bytes(whole()[:length])
    with pytest.raises(BadInputError, match="cut short"):
        accesses.load(path)


def test_no_flipped_bit_is_more_than_a_refusal(tmp_path: Path) -> None:
    path = tmp_path / "trace"
    for at in range(len(whole())):
        damaged = bytearray(whole())
        damaged[at] ^= 0x41
        path.write_bytes(damaged)
        try:
            check(accesses.load(path), constraints())
        except BadInputError:
            continue


@pytest.mark.parametrize("content", [b"", b"HEDTRC01", b"{}", b"\x7fELF"])
def test_something_else_is_no_trace(tmp_path: Path, content: bytes) -> None:
    path = tmp_path / "trace"
    path.write_bytes(content)
    with pytest.raises(BadInputError, match="not an access trace"):
        accesses.load(path)
