"""The storage that benchmarks of files rest on: takes its time, forgets, and always holds the same."""

from __future__ import annotations

import os
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

SOURCE = Path(__file__).with_name("servers") / "slowdisk.c"
BYTES, DELAY_S, AT_ONCE = 300_000, 0.02, 4
pytestmark = pytest.mark.skipif(os.geteuid() != 0 or not Path("/dev/fuse").exists(), reason="needs root and /dev/fuse")


@pytest.fixture(scope="module")
def disk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    program, folder = tmp_path_factory.mktemp("bin") / "slowdisk", tmp_path_factory.mktemp("disk")
    subprocess.run(["cc", "-O1", "-std=c11", "-D_GNU_SOURCE", "-pthread", SOURCE, "-o", program], check=True)
    command = [program, folder, "8", str(BYTES), str(int(DELAY_S * 1e6)), str(AT_ONCE)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    if process.stdout.readline() != "mounted\n":
        pytest.skip(process.communicate()[1])
    yield folder
    process.terminate()
    assert process.wait(20) == 0


def read_s(path: Path) -> tuple[float, bytes]:
    began = time.monotonic()
    data = path.read_bytes()
    return time.monotonic() - began, data


def test_files_are_forgotten_and_hold_the_same_again(disk: Path) -> None:
    runs = [read_s(disk / "file-0003.bin") for _ in range(2)]
    assert all(seconds >= DELAY_S for seconds, _ in runs)
    assert runs[0][1] == runs[1][1]
    assert len(runs[0][1]) == (disk / "file-0003.bin").stat().st_size == BYTES
    assert read_s(disk / "file-0004.bin")[1] != runs[0][1]


def test_so_many_reads_and_no_more_are_served_at_once(disk: Path) -> None:
    with ThreadPoolExecutor(8) as pool:
        began = time.monotonic()
        list(pool.map(read_s, [disk / f"file-{number:04}.bin" for number in range(8)]))
        # Eight files of three reads each, four at a time.
        assert time.monotonic() - began >= 8 * 3 * DELAY_S / AT_ONCE * 0.9


@pytest.mark.parametrize("name", ["file-0008.bin", "file-3.bin", "other"])
def test_other_files_are_not_there(disk: Path, name: str) -> None:
    assert not (disk / name).exists()
