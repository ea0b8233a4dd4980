"""CMake projects under `heddle build`, however CMake came by its compiler."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

import pytest
from cli_support import TOY_SOURCE, Heddle

from heddle.program import bitcode
from heddle.program.elf import Elf
from heddle.system import places
from heddle.toolchain import cmake

pytestmark = [
    pytest.mark.skipif(not shutil.which("cmake"), reason="cmake is not installed"),
    pytest.mark.timeout(300),
]
LISTS = """
cmake_minimum_required(VERSION 3.20)
project(toy C)
find_library(EVENT event REQUIRED)
add_library(parts STATIC step.c)
add_library(more SHARED more.c)
add_executable(toy toy.c)
target_link_libraries(toy parts more ${EVENT})
"""


@pytest.fixture
def project(heddle: Heddle) -> Heddle:
    (heddle.folder / "CMakeLists.txt").write_text(LISTS)
    (heddle.folder / "toy.c").write_text(TOY_SOURCE)
    (heddle.folder / "step.c").write_text("int more(int);\nint step(int by) { return more(by); }\n")
    (heddle.folder / "more.c").write_text("int more(int by) { return by; }\n")
    return heddle


def sources(program: Path) -> list[str]:
    modules = bitcode.unpack(Elf(program).section(bitcode.SECTION) or b"")
    return sorted(Path(module.source).name for module in modules)


@pytest.mark.parametrize("compiler", [(), ("-DCMAKE_C_COMPILER=/usr/bin/gcc",), ("-D", "CMAKE_C_COMPILER:PATH=gcc")])
def test_a_project_configured_under_heddle_build_has_bitcode(project: Heddle, compiler: tuple[str, ...]) -> None:
    configured = project("build", "--", "cmake", "-S", ".", "-B", "out", *compiler)
    assert configured.code == 0, configured.out + configured.err
    done = project("build", "--", "cmake", "--build", "out")
    assert done.code == 0, done.out + done.err
    assert "heddle: out/toy carries" in done.err.replace("./", "")
    assert sources(project.folder / "out/toy") == ["step.c", "toy.c"]
    assert sources(project.folder / "out/libmore.so") == ["more.c"]


def test_configure_and_build_by_one_command(project: Heddle) -> None:
    script = "cmake -S . -B out -DCMAKE_BUILD_TYPE=Release && cmake --build out -j 2"
    done = project("build", "--", "sh", "-c", script)
    assert done.code == 0, done.out + done.err
    assert sources(project.folder / "out/toy") == ["step.c", "toy.c"]


def test_a_folder_that_was_configured_without_us_is_told_with_what_to_do(project: Heddle) -> None:
    plain = ["cmake", "-S", ".", "-B", "out", "-DCMAKE_C_COMPILER=/usr/bin/gcc"]
    subprocess.run(plain, cwd=project.folder, check=True, capture_output=True)
    done = project("build", "--", "cmake", "--build", "out")
    assert done.code == 0
    assert done.line.startswith("heddle: out/CMakeCache.txt has the compiler /usr/bin/gcc, which leaves no bitcode: ")
    assert done.line.endswith("heddle build -- cmake -S SOURCE -B FRESH")


@pytest.mark.skipif(not places.elyze().is_file(), reason="the analyser is not built")
def test_the_analysis_sees_every_part_of_the_project(project: Heddle) -> None:
    project.environment["HEDDLE_BUILD"] = str(places.build())
    project("build", "--", "sh", "-c", "cmake -S . -B out && cmake --build out")
    done = project("analyze", "--json", "out/toy")
    assert done.code == 0, done.err
    assert done.line == "heddle: with the bitcode of libmore.so (1 source file)"
    document = json.loads(done.out)
    assert [handler["name"] for handler in document["handlers"]] == ["on_tick"]
    assert [item for item in document["assumptions"] if item["kind"] == "unknown_external"] == []


def test_only_compilers_with_a_stand_in_are_replaced(tmp_path: Path) -> None:
    (tmp_path / "gcc").touch()
    given = ["-DCMAKE_C_COMPILER=/opt/bin/gcc", "-DCMAKE_CXX_COMPILER=/opt/bin/icc", "CMAKE_C_COMPILER=gcc", "-DX=gcc"]
    assert cmake.with_stand_ins(given, tmp_path) == [f"-DCMAKE_C_COMPILER={tmp_path}/gcc", *given[1:]]
