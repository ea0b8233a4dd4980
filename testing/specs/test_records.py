"""What the specs say of records (`append`): which calls are several writes, by this C library."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from testing.specs import running
from testing.specs.test_specs import ELYZE

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def writes(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], int]:
    program = tmp_path_factory.mktemp("records") / "records"
    flags = ("-std=gnu17", "-O0", "-fno-builtin", "-w")
    subprocess.run(["gcc", *flags, "-o", program, HERE / "records.c"], check=True)
    said = subprocess.run([program], check=True, capture_output=True, text=True).stdout
    return {(buffer, name): int(count) for buffer, name, count in map(str.split, said.splitlines())}


def test_calls_in_pieces_are_those_that_write_several_times_without_a_buffer(
    writes: dict[tuple[str, str], int],
) -> None:
    specs = running.read_specs(ELYZE)
    counted = {name: count for (buffer, name), count in writes.items() if buffer == "none"}
    assert len(counted) == 10
    for name, count in counted.items():
        (record,) = [effect for effect in specs[name].effects if effect["op"] == "append"]
        assert (count > 1) == record.get("in_pieces", False), f"{name}: {count} writes"


def test_a_text_of_two_lines_is_two_writes_by_lines_and_one_line_is_one(writes: dict[tuple[str, str], int]) -> None:
    assert writes["lines", "first"] == 2
    assert writes["lines", "two"] == 2
    assert writes["lines", "part"] == 0
    assert writes["lines", "end"] == 1
