"""What the analyser says of handlers that depend on the thread they are on."""

from __future__ import annotations

from analysed import ELYZE_PROGRAMS, document, needs_analyser

pytestmark = needs_analyser


def places(name: str) -> list[tuple[str, list[str]]]:
    found = document(ELYZE_PROGRAMS / name)
    names = [handler["name"] for handler in found["handlers"]]
    return [
        (item["name"], [names[index] for index in item["handlers"]])
        for item in found["assumptions"]
        if item["kind"] == "one_thread"
    ]


def test_a_thread_local_variable_of_a_handler() -> None:
    assert places("thread_local_state.c") == [("depth", ["on_a"])]


def test_who_asks_for_its_thread_and_who_does_not() -> None:
    assert places("asks_for_its_thread.c") == [
        ("pthread_exit", ["on_end"]),
        ("pthread_getspecific", ["on_value"]),
        ("pthread_self", ["on_checked", "on_twice"]),
    ]
