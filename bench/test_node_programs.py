from __future__ import annotations

import re
import urllib.request
from pathlib import Path

import pytest

from bench import servers
from bench.node_http import changed_lines
from heddle.errors import BadInputError
from heddle.measure.node import Contender, environment, finish
from heddle.measure.serving import serving


def ask(port: int, path: str) -> bytes:
    with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=30) as answer:
        return bytes(answer.read())


@pytest.mark.slow
def test_the_map_server_draws_the_same_tiles_in_all_four_ways() -> None:
    folder = servers.node_programs()
    drawn, counted = {}, {}
    for name in ("tiles", "tiles-express", "tiles-piscina", "tiles-cluster"):
        contender = Contender(folder / f"{name}.js")
        with serving(contender.command, environment()) as server:
            drawn[name] = [ask(server.port, f"/tile/4/{x}/1") for x in range(4)]
            counted[name] = int(re.sub(rb"\D", b"", ask(server.port, "/stats")))
    assert len(set(map(tuple, drawn.values()))) == 1
    assert len(set(drawn["tiles"])) == 4
    # Every request came over a connection of its own, and node:cluster gives those to its processes in turn.
    assert counted == {"tiles": 4, "tiles-express": 4, "tiles-piscina": 4, "tiles-cluster": 2}


def test_a_program_that_prints_something_else_is_no_figure(tmp_path: Path) -> None:
    hello = tmp_path / "hello.js"
    hello.write_text("console.log('hello')")
    assert finish(Contender(hello), tmp_path, "hello\n").out == "hello\n"
    with pytest.raises(BadInputError, match="printed something else"):
        finish(Contender(hello), tmp_path, "goodbye\n")


def test_a_program_that_fails_is_named_with_its_own_words(tmp_path: Path) -> None:
    (tmp_path / "bad.js").write_text("throw new Error('no such table')")
    with pytest.raises(BadInputError, match=r"bad\.js ended with 1 \(Error: no such table\)"):
        finish(Contender(tmp_path / "bad.js"), tmp_path)


def test_changed_lines_are_those_that_were_not_there(tmp_path: Path) -> None:
    before, after, beside = tmp_path / "a.js", tmp_path / "b.js", tmp_path / "c.js"
    before.write_text("one\ntwo\nthree\n")
    after.write_text("one\n\n2\nthree\n")
    beside.write_text("two\nfour\n")
    assert changed_lines(before, [after, beside]) == 2
