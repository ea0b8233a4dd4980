"""`heddle objectbase`: a store that is looked at, checked, written as text, kept on disk, and made again."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

objectbase = pytest.importorskip("objectbase")


def heddle(*words: str | Path, verb: str = "objectbase", given: str = "") -> tuple[str, str, int]:
    command = [sys.executable, "-m", "heddle", verb, *map(str, words)]
    done = subprocess.run(command, input=given, capture_output=True, text=True, timeout=60, check=False)
    return done.stdout, done.stderr, done.returncode


@pytest.fixture
def board(folder: Path) -> Path:
    with objectbase.create(folder / "board", limit=1 << 24) as store:
        note = store.define("Note", "text", "stars")
        with store.transaction() as change:
            first = change.create(note, text="buy milk", stars=3)
            change.create(note, text=b"\xff", stars=first)
            gone = change.create(note)
        with store.transaction() as change:
            change.erase(gone)
    return folder / "board"


def test_inspect_says_what_is_in_it_and_who_uses_it(board: Path) -> None:
    out, err, code = heddle("inspect", "--json", board)
    assert (err, code) == ("", 0)
    found: dict[str, Any] = json.loads(out)
    assert found["classes"] == [{"name": "Note", "slots": ["text", "stars"], "objects": 2}]
    assert (found["objects"], found["commit"], found["limit_bytes"]) == (2, 2, 1 << 24)
    assert (found["processes"], found["pins"], found["watches"]) == (0, 0, 0)
    with objectbase.open(board) as store, store.watch(), store.snapshot():
        version = store.read(objectbase.Id(1))
        found = json.loads(heddle("inspect", "--json", board)[0])
        assert (found["processes"], found["pins"], found["snapshots"], found["watches"]) == (1, 1, 1, 1)
        del version
    out, err, code = heddle("inspect", board)
    assert (err, code) == ("", 0)
    assert "class Note: 2 objects, slots text stars" in out


def test_top_shows_a_store(board: Path) -> None:
    out, err, code = heddle(board, verb="top")
    assert (err, code) == ("", 0)
    assert out.splitlines()[0] == f"{board}: 2 commits"
    assert re.search(r"objects +2\n", out)
    assert re.search(r"Note +2 +text stars\n", out)
    assert json.loads(heddle(board, "--json", verb="top")[0])["objects"] == 2
    out, err, code = heddle(f"{board}.missing", verb="top")
    assert (out, code) == ("", 2)
    assert "cannot be opened: No such file or directory: name the PID of a program, or the file of a store" in err


def test_verify_finds_damage(board: Path) -> None:
    assert heddle("verify", board) == (f"{board}: all is well, 2 objects\n", "", 0)
    found = json.loads(heddle("inspect", "--json", board)[0])
    content = bytearray(board.read_bytes())
    at = content.index(b"buy milk") - 8  # the slot's other word: its type and length
    content[at : at + 8] = (5000 << 8 | 4).to_bytes(8, "little")
    board.write_bytes(content)
    out, _, code = heddle("verify", "--json", board)
    assert code == 1
    assert json.loads(out)["problems"]
    assert found["objects"] == 2


def test_dump_and_load(board: Path, folder: Path) -> None:
    dumped, err, code = heddle("dump", board)
    assert (err, code) == ("", 0)
    records = [json.loads(line) for line in dumped.splitlines()]
    assert records == [
        {"objectbase": 1, "commit": 2},
        {"class": "Note", "slots": ["text", "stars"]},
        {"object": 1, "class": "Note", "values": {"text": "buy milk", "stars": 3}},
        {"object": 2, "class": "Note", "values": {"text": {"hex": "ff"}, "stars": {"object": 1}}},
        {"erased": 3},
    ]
    assert heddle("load", folder / "copy", "--mode", "640", given=dumped) == (f"{folder}/copy: 2 objects\n", "", 0)
    assert (folder / "copy").stat().st_mode & 0o777 == 0o640
    assert heddle("dump", folder / "copy", "--to", folder / "text") == ("", "", 0)
    assert (folder / "text").read_text().splitlines()[1:] == dumped.splitlines()[1:]
    assert heddle("load", folder / "more", "--from", folder / "text")[2] == 0
    for words, why in (
        (("dump", folder / "missing"), "cannot be opened: No such file or directory"),
        (("dump", board, "--to", "/dev/full"), "cannot be written"),
        (("load", board), "exists already"),
        (("load", folder / "new"), "line 0: nothing to load"),
        (("load", folder / "new", "--mode", "rw"), "give permissions as chmod takes them"),
        (("load", folder / "new", "--from", folder / "missing"), "cannot be read"),
        (("load", folder / "new", "--limit", "10"), "the limit is at least"),
        (("inspect", folder / "text"), "No such file"),
    ):
        out, err, code = heddle(*words)
        assert (out, code) == ("", 2)
        assert why in err, err
        assert not (folder / "new").exists()


def test_what_is_kept_is_restored(board: Path, folder: Path) -> None:
    words = [sys.executable, "-m", "heddle", "objectbase", "keep", board, folder / "kept", "--durability", "commit"]
    keeper = subprocess.Popen([*map(str, words), "--history", "2"], stderr=subprocess.PIPE, text=True)
    with objectbase.open(board, write=True) as store:
        for number in range(4):
            with store.transaction() as change:
                change.set(objectbase.Id(1), "stars", number)
            assert store.wait_until_kept(change.number, 30)
        assert not store.wait_until_kept(change.number + 1, 0.001)
    out, err, code = heddle("keep", board, folder / "kept")
    assert (out, code) == ("", 2)
    assert "another keeper has it" in err
    keeper.send_signal(signal.SIGTERM)
    assert keeper.communicate(timeout=30) == (None, "")
    assert keeper.returncode == 0
    out, _, code = heddle("restore", folder / "again", folder / "kept")
    assert (out, code) == (f"{folder}/again: 2 objects\n", 0)
    assert heddle("dump", folder / "again")[0].splitlines()[1:] == heddle("dump", board)[0].splitlines()[1:]
    out, _, code = heddle("history", folder / "kept", "1")
    assert [json.loads(line)["values"]["stars"] for line in out.splitlines()] == [1, 2, 3]
    assert heddle("history", folder / "kept", "9") == (
        "",
        f"heddle objectbase: {folder}/kept: keeps no object 9\n",
        2,
    )


def test_a_keeper_that_is_killed_leaves_what_it_kept(board: Path, folder: Path) -> None:
    words = [sys.executable, "-m", "heddle", "objectbase", "keep", board, folder / "kept", "--durability", "commit"]
    for number in range(3):
        keeper = subprocess.Popen([*map(str, words)])
        with objectbase.open(board, write=True) as store, store.transaction() as change:
            change.set(objectbase.Id(1), "stars", number)
        with objectbase.open(board) as store:
            assert store.wait_until_kept(change.number, 30)
        keeper.kill()
        keeper.wait()
        with objectbase.open(board, write=True) as store, store.transaction() as change:
            change.set(objectbase.Id(1), "text", f"while nobody kept it {number}")
    assert heddle("restore", folder / "again", folder / "kept")[2] == 0
    with objectbase.open(folder / "again") as store:
        assert store.read(objectbase.Id(1)).values() == {"text": "while nobody kept it 1", "stars": 2}


def test_a_pipe_that_closes_ends_it(board: Path) -> None:
    with objectbase.open(board, write=True) as store:
        note = store.find("Note")
        with store.transaction() as change:
            for number in range(20_000):
                change.create(note, stars=number)
    began = time.monotonic()
    command = f"{sys.executable} -m heddle objectbase dump {board} | head -n 1"
    done = subprocess.run(command, shell=True, capture_output=True, text=True, env=os.environ, timeout=60, check=False)
    assert json.loads(done.stdout)["objectbase"] == 1
    assert done.stderr == ""
    assert time.monotonic() - began < 60
