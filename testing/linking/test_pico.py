"""Programs outside this tree that use the installed pico, found by CMake: in C++ and in C."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))


def run(*command: str | Path) -> str:
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("installed")
    run("cmake", "--install", BUILD / "pico", "--prefix", folder)
    return folder


def built(folder: Path, prefix: Path, source: str, language: str) -> Path:
    (folder / "CMakeLists.txt").write_text(
        f"""cmake_minimum_required(VERSION 3.25)
project(outside C CXX)
set(CMAKE_CXX_STANDARD 20)
find_package(pico 0.1 REQUIRED)
add_executable(outside outside.{language})
target_compile_options(outside PRIVATE -Wall -Wextra -Wpedantic -Werror)
target_link_libraries(outside PRIVATE pico::pico)
"""
    )
    (folder / f"outside.{language}").write_text(source)
    run("cmake", "-S", folder, "-B", folder / "build", f"-DCMAKE_PREFIX_PATH={prefix}")
    run("cmake", "--build", folder / "build")
    return folder / "build/outside"


def test_a_program_in_cpp_uses_all_of_the_header(prefix: Path, tmp_path: Path) -> None:
    source = """#include <pico/pico.hpp>
#include <cstdio>
int main() {
  return pico::run([] {
    pico::Channel<int> numbers(2);
    pico::Mutex mutex;
    auto sum = pico::spawn([&] {
      int all = 0;
      while (const auto number = numbers.receive()) all += *number;
      const std::scoped_lock lock(mutex);
      return all;
    });
    for (int i = 0; i < 10; ++i) numbers.send(i);
    numbers.close();
    pico::sleep_for(std::chrono::milliseconds(1));
    std::printf("%d %d\\n", sum.join(), pico::on_helper([] { return 7; }));
    return 3;
  });
}
"""
    done = subprocess.run([built(tmp_path, prefix, source, "cpp")], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "45 7\n")


def test_a_program_in_c_uses_all_of_its_header(prefix: Path, tmp_path: Path) -> None:
    source = (ROOT / "pico/c/pico_c_test.c").read_text().replace('"pico/c/pico.h"', "<pico/c/pico.h>")
    said = run(built(tmp_path, prefix, source, "c"))
    assert "an_echo_comes_back" in said.splitlines()


def test_only_what_programs_need_is_installed(prefix: Path) -> None:
    files = [str(file.relative_to(prefix)) for file in prefix.rglob("*") if file.is_file()]
    assert "include/heddle/pico/pico.hpp" in files
    assert [file for file in files if file.endswith((".cpp", "_test.c")) or "testing" in file] == []
