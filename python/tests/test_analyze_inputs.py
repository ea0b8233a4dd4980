"""What the real analyser takes: bitcode as text, C++, specifications of the user, and damaged input of any kind."""

from __future__ import annotations

import json
import random
import subprocess
from pathlib import Path

import pytest
from cli_support import ROOT, Heddle

from heddle.system import places

REAL = places.build()
needs_analyser = pytest.mark.skipif(not (REAL / "elyze/elyze").is_file(), reason="the analyser is not built")
PROGRAM = """
#include <event2/event.h>
#include <stddef.h>
#ifdef __cplusplus
extern "C"
#endif
int queue_length(void);
static void on_tick(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  (void)queue_length();
}
int main() {
  struct event_base *base = event_base_new();
  event_add(event_new(base, 3, EV_READ, on_tick, NULL), NULL);
  return event_base_dispatch(base);
}
"""


@pytest.fixture(autouse=True)
def real_analyser(heddle: Heddle) -> None:
    heddle.environment["HEDDLE_BUILD"] = str(REAL)


def verdict(heddle: Heddle, *words: str) -> str:
    done = heddle("analyze", "--json", *words)
    assert done.code == 0, done.err
    (pair,) = json.loads(done.out)["pairs"]
    return str(pair["verdict"])


@needs_analyser
def test_a_specification_of_ones_own_makes_a_function_known(heddle: Heddle) -> None:
    (heddle.folder / "server.c").write_text(PROGRAM)
    (heddle.folder / "queue.yaml").write_text("queue_length: {}\n")
    assert verdict(heddle, "server.c") == "always"
    assert verdict(heddle, "server.c", "--spec", "queue.yaml") == "never"


@needs_analyser
@pytest.mark.parametrize(
    "text",
    [
        "queue_length: {effects: [paint 0]}",
        "queue_length: {effects: [read -1]}",
        "queue_length: 7",
        "- a",
        "a: [",
        "a: {b: c}",
    ],
)
def test_a_wrong_specification_is_one_line(heddle: Heddle, text: str) -> None:
    (heddle.folder / "server.c").write_text(PROGRAM)
    (heddle.folder / "queue.yaml").write_text(text)
    done = heddle("analyze", "server.c", "--spec", "queue.yaml")
    assert (done.code, done.out) == (2, "")
    assert "queue.yaml" in done.line


@needs_analyser
def test_cplusplus_is_compiled_as_such(heddle: Heddle) -> None:
    (heddle.folder / "server.cc").write_text(PROGRAM)
    assert verdict(heddle, "server.cc") == "always"


@needs_analyser
def test_bitcode_as_text_is_taken(heddle: Heddle) -> None:
    (heddle.folder / "server.c").write_text(PROGRAM)
    clang = places.needed_llvm_tool("clang")
    flags = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-S", "-emit-llvm"]
    subprocess.run([clang, *flags, "server.c"], cwd=heddle.folder, check=True)
    assert verdict(heddle, "server.ll") == "always"


def damaged(content: bytes, chance: random.Random) -> bytes:
    """Cut short, with bytes changed, or with a part moved."""
    changed = bytearray(content)
    for _ in range(chance.randint(1, 6)):
        at = chance.randrange(len(changed))
        kind = chance.randrange(4)
        if kind == 0:
            changed[at] = chance.randrange(256)
        elif kind == 1:
            changed[at] ^= 1 << chance.randrange(8)
        elif kind == 2:
            end = min(len(changed), at + chance.randint(1, 40))
            changed[at:end] = changed[chance.randrange(len(changed)) :][: end - at]
        elif at > 8:
            del changed[at:]
    return bytes(changed)


@needs_analyser
@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("kind", ["bitcode", "specs"])
def test_damaged_input_ends_with_one_line_or_an_answer(heddle: Heddle, kind: str, seed: int) -> None:
    (heddle.folder / "server.c").write_text(PROGRAM)
    clang = places.needed_llvm_tool("clang")
    flags = ["-g", "-O0", "-Xclang", "-disable-O0-optnone", "-c", "-emit-llvm"]
    subprocess.run([clang, *flags, "server.c"], cwd=heddle.folder, check=True)
    module = heddle.folder / "server.bc"
    specs = [*sorted((ROOT / "elyze/specs").glob("*.yaml"))]
    chance = random.Random(seed)
    for _ in range(12):
        command: list[str | Path] = [REAL / "elyze/elyze", "--program", "server", "--specs", ROOT / "elyze/specs"]
        original = module if kind == "bitcode" else chance.choice(specs)
        victim = heddle.folder / f"damaged{original.suffix}"
        victim.write_bytes(damaged(original.read_bytes(), chance))
        command += [victim] if kind == "bitcode" else [module, "--spec", victim]
        done = subprocess.run(
            [*command, "-o", heddle.folder / "out.json"], capture_output=True, text=True, errors="replace", check=False
        )
        assert done.returncode in (0, 2), (seed, done.returncode, done.stderr[-300:])
        assert done.returncode == 0 or done.stderr.count("\n") == 1, done.stderr
