"""Commands that are Python functions."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator

from heddle.lab import Scenario, run_all
from testing.threadlab.site import Answer, Site
from testing.threadlab.test_faults import ALL, check


def test_a_function_is_given_what_it_reads_and_fills_what_it_writes(site: Site) -> None:
    site.answers |= {"/a": Answer(b"abc", wait=0.02), "/b": Answer(b"de")}
    lab = Scenario("functions")
    a, b, both = lab.memory("a"), lab.memory("b"), lab.memory("both")
    lab.load_url(site.url + "/a", a)
    lab.load_url(site.url + "/b", b)
    lab.call(lambda first, second: first + second, [a, b], both)
    lab.call(len, [both], name="length")
    for record in run_all(lab, ALL):
        assert record.errors == {}
        assert record.results["length"] == 5


def test_a_generator_does_a_part_until_it_yields() -> None:
    reads, writes = socket.socketpair()

    def pieces() -> Iterator[object]:
        yield b"x" * 10
        yield None
        yield 0.01
        threading.Timer(0.02, writes.send, [b"y"]).start()
        yield reads
        yield reads.recv(10)

    lab = Scenario("generator")
    memory = lab.memory("memory")
    lab.call(pieces, into=memory, name="pieces")
    lab.call(lambda text: text.count(b"x") * 100 + len(text), [memory], name="count")
    with reads, writes:
        for record in run_all(lab, ALL):
            assert record.errors == {}
            assert record.results["count"] == 1011
            waits = [part["waits_for"] for part in record.document["commands"][0]["parts"]]
            assert {"timer", "socket"} <= set(waits)


def test_what_a_function_does_wrong_is_its_error() -> None:
    def broken() -> None:
        raise ValueError("no")

    def strange() -> Iterator[object]:
        yield "text"

    lab = Scenario("wrong")
    unfilled = lab.memory("unfilled")
    lab.call(broken, name="broken", into=unfilled)
    lab.call(strange, name="strange")
    lab.call(lambda: "text", name="text")
    lab.call(lambda: float("inf"), name="infinite")
    lab.call(lambda _: 1, [unfilled], name="dependent")
    for record in check(
        lab,
        {
            "broken": "exception: ValueError: no (",
            "strange": "bad_value: a command cannot yield 'text'",
            "text": "bad_value: a command cannot return 'text'",
            "infinite": "bad_value: a command cannot return inf",
            "dependent": "no_input: broken: exception",
        },
    ):
        assert "test_call.py:" in record.errors["broken"]
