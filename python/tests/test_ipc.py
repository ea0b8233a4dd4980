"""What `heddle ipc record` computes from what was counted, without a recording."""

from __future__ import annotations

from dataclasses import replace

import pytest

from heddle.documents import contracts
from heddle.ipc import advice
from heddle.ipc.advice import Group, Machine
from heddle.ipc.data import Address, Channel, Image, Meter
from heddle.ipc.pairs import Pair, talk

MACHINE = Machine(0.0, 0.0, {})
NOWHERE = Address(0, 0, 0)
EMPTY = Channel(
    *(contracts.IPC_KIND_UNIX_STREAM, 0, 1, 0, 0, 0, 0, 0, 0),
    *(NOWHERE, NOWHERE, "", ""),
    *(Meter(), Meter(), Meter(), Meter(), Meter()),
)


def meter(calls: int, microseconds: float, size: int = 100) -> Meter:
    return Meter(calls=calls, bytes=calls * size, short_calls=calls, short_ns=calls * microseconds * 1e3)


def image(pid: int, cpu_ms: float, *channels: Channel) -> Image:
    numbers = dict.fromkeys(("parent", "user", "flags", "end_ns", "samples", "sample_ns", "call_ns", "own_ns"), 0)
    numbers |= dict.fromkeys(("calls", "lost", "stale", "unseen_children"), 0)
    return Image(
        pid=pid,
        start_ns=pid,
        cpu_ns=int(cpu_ms * 1e6),
        path=f"/bin/p{pid}",
        arguments=(),
        idle=Meter(),
        unclaimed=Meter(),
        channels=list(channels),
        **numbers,
    )


def sender(messages: int, batches: int, microseconds: float = 1.0) -> Channel:
    first, later = meter(batches, microseconds), meter(messages - batches, microseconds)
    return replace(EMPTY, inode=1, peer_inode=2, batches=batches, first=first, later=later)


def receiver(receives: int, messages: int, microseconds: float = 1.0) -> Channel:
    got = replace(meter(receives, microseconds), bytes=messages * 100)
    return replace(EMPTY, inode=2, peer_inode=1, room=receives * 65536, received=got)


def group(cpu_ms: float, out: Channel, into: Channel) -> Group:
    found = talk([image(1, cpu_ms, out), image(2, cpu_ms, into)])
    assert found.outside == []
    [told] = advice.groups(found.pairs)
    return told


def test_batching_saves_the_calls_that_follow_in_a_batch() -> None:
    told = group(5, sender(1000, 100), receiver(1000, 1000))
    [flow] = told.flows
    saving = advice.batched_saving(flow, MACHINE)
    # 900 sends and 900 receives of a microsecond each.
    assert saving.cpu_s == pytest.approx(1800e-6)
    assert advice.advise(told, MACHINE).verdict == "batch"


def test_what_is_copied_stays_to_be_copied() -> None:
    [flow] = group(5, sender(1000, 100), receiver(1000, 1000)).flows
    machine = Machine(1e-9, 0.0, {})
    assert advice.batched_saving(flow, machine).cpu_s == pytest.approx(1800e-6 - 900 * 100e-9)


def test_messages_that_the_kernel_keeps_apart_cost_the_receiver() -> None:
    [flow] = group(5, sender(1000, 100), receiver(100, 1000, 8.0)).flows
    assert advice.batched_saving(flow, MACHINE).cpu_s == pytest.approx(900e-6)
    machine = Machine(0.0, 0.0, {"UNIX stream": 0.5e-6})
    assert advice.batched_saving(flow, machine).cpu_s == pytest.approx(900e-6 + 450e-6)


def test_single_messages_are_not_worth_batching() -> None:
    told = group(5, sender(1000, 1000), receiver(1000, 1000))
    assert advice.batched_saving(told.flows[0], MACHINE).cpu_s == 0
    assert advice.advise(told, MACHINE).verdict == "leave"


def test_programs_that_hardly_talk_are_left_alone() -> None:
    told = group(500, sender(1000, 100), receiver(1000, 1000))
    found = advice.advise(told, MACHINE)
    assert (found.verdict, "little to save" in found.reason) == ("leave", True)


def test_much_copying_is_worth_sharing() -> None:
    told = group(5, sender(1000, 1000, 4.0), receiver(1000, 1000, 4.0))
    machine = Machine(30e-9, 30e-9, {})
    assert advice.advise(told, machine).verdict == "share"


def test_questions_that_wait_for_answers_are_worth_it_if_they_can_be_read() -> None:
    asks = replace(sender(1000, 1000), received=meter(1000, 1.0))
    answers = replace(receiver(1000, 1000), first=meter(1000, 1.0), batches=1000)
    assert advice.advise(group(5, asks, answers), MACHINE).verdict == "share if readable"


def test_few_timed_calls_are_said_to_be_few() -> None:
    wild = Meter(calls=900, bytes=900, samples=3, weight=48, time_ns=48 * 5_000, square=48 * 1e8 / 1024)
    told = group(5, replace(sender(1000, 100), later=wild), receiver(100, 1000))
    assert advice.advise(told, MACHINE).verdict == "record longer"


def test_what_several_send_is_divided_by_what_each_receives() -> None:
    out = sender(900, 900)
    one, other = receiver(100, 100), receiver(200, 200)
    found = talk([image(1, 5, out), image(2, 5, one), image(3, 5, other)])
    assert {(pair.b.pid, round(pair.flows[0].messages)) for pair in found.pairs} == {(2, 300), (3, 600)}
    assert all(flow.divided for pair in found.pairs for flow in pair.flows)


def test_ports_that_other_machines_reach_are_named() -> None:
    out = replace(sender(1000, 100), kind=contracts.IPC_KIND_TCP, local=Address(0, 1, 40), remote=Address(0, 1, 80))
    into = replace(receiver(1000, 1000), kind=contracts.IPC_KIND_TCP, local=Address(0, 1, 80), remote=Address(0, 1, 40))
    told = group(5, out, into)
    assert any("other machines" in clash for clash in advice.advise(told, MACHINE, frozenset({80})).clashes)
    assert advice.advise(told, MACHINE).clashes == ()


def test_the_machine_is_measured() -> None:
    found = advice.measured_machine()
    assert 0 < found.sending_s < 1e-8
    assert set(found.message_s) == {"UNIX stream", "TCP", "pipe"}
    assert all(0 <= cost < 1e-4 for cost in found.message_s.values())


def test_a_pair_has_both_ways() -> None:
    asks = replace(sender(10, 10), received=meter(5, 1.0))
    answers = replace(receiver(10, 10), first=meter(5, 1.0), batches=5)
    [pair] = talk([image(1, 5, asks), image(2, 5, answers)]).pairs
    assert isinstance(pair, Pair)
    assert sorted((flow.sender.pid, flow.messages) for flow in pair.flows) == [(1, 10), (2, 5)]
