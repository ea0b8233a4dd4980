"""Programs on libevent's parts with their own constraints: parallel, the same answers as on libevent, no race.

Bufferevents, TLS, an HTTP server (over TLS too) and client, a name server and its resolver: the programs are in
`testing/servers`.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from testing.servers.instrumented import BUILD, TSAN_BUILD, analysed, instrumented
from testing.servers.libevent_parts import (
    FETCHERS,
    SERVERS,
    answers_of,
    assert_ran_in_parallel,
    fetched,
    parallel,
    reports,
)
from testing.servers.matrix import ROOT


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Callable[[str], Path]:
    """The program of this name with its constraints, built once."""
    programs: dict[str, Path] = {}

    def build(name: str) -> Path:
        if name not in programs:
            programs[name] = analysed(ROOT / "testing/servers" / name, tmp_path_factory.mktemp(name) / "plain")
        return programs[name]

    return build


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
@pytest.mark.parametrize("name", SERVERS)
def test_the_answers_are_those_of_plain_libevent(
    built: Callable[[str], Path], tmp_path: Path, name: str, promote: str
) -> None:
    server = SERVERS[name]
    program = built(server.program)
    expected = answers_of(server, program, {})
    assert answers_of(server, program, parallel(program, BUILD, tmp_path, promote)) == expected
    assert_ran_in_parallel(tmp_path, server.handler, promote)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_a_client_of_http_finds_what_it_finds_on_plain_libevent(
    built: Callable[[str], Path], tmp_path: Path, promote: str
) -> None:
    program, server = built("fetch"), built("pages")
    expected = fetched(program, server, {})
    assert expected.count("20 pages") == FETCHERS
    assert fetched(program, server, parallel(program, BUILD, tmp_path, promote)) == expected
    assert_ran_in_parallel(tmp_path, "on_page", promote)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
@pytest.mark.parametrize("name", SERVERS)
def test_thread_sanitizer_has_nothing_to_report(
    tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, name: str, promote: str
) -> None:
    server = SERVERS[name]
    sanitized = instrumented(ROOT / "testing/servers" / server.program, tmp_path_factory.mktemp("races"))
    answers_of(server, sanitized, parallel(sanitized, TSAN_BUILD, tmp_path, promote))
    assert reports(tmp_path) == ""
    assert_ran_in_parallel(tmp_path, server.handler, promote)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_thread_sanitizer_has_nothing_to_report_of_a_client_of_http(
    built: Callable[[str], Path], tmp_path: Path, tmp_path_factory: pytest.TempPathFactory, promote: str
) -> None:
    sanitized = instrumented(ROOT / "testing/servers/fetch", tmp_path_factory.mktemp("races"))
    fetched(sanitized, built("pages"), parallel(sanitized, TSAN_BUILD, tmp_path, promote))
    assert reports(tmp_path) == ""
    assert_ran_in_parallel(tmp_path, "on_page", promote)
