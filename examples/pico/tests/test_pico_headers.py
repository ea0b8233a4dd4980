"""The examples that pico's headers open with are compiled as they stand there, and run."""

from __future__ import annotations

import os
import socket
import subprocess
import time
from pathlib import Path

import pytest

from testing.servers.matrix import ROOT

PICO = ROOT / "pico"
LIBRARY = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev")) / "pico/libheddle_pico.a"

# Examples that are part of a function: what stands around them.
PRELUDE = """
#include <cstdio>
#include <optional>
#include <string>
#include <vector>
#include "pico/pico.hpp"

using Url = std::string;
using Result = int;
int fetched = 0;
void fetch(const Url& url) { fetched += static_cast<int>(url.size()); }
std::string read_whole_file(const std::string& path) { return path + path; }
int parse(const std::string& text) { return static_cast<int>(text.size()); }
"""
PARTS = {
    "core/scope.hpp": ('const std::vector<Url> urls = {"a", "bc"};', "if (fetched != 3) return 1;"),
    "core/helpers.hpp": ('const std::string path = "four";', "if (result != 8) return 1;"),
    "sync/select.hpp": (
        """pico::Channel<Result> results(1);
           pico::Socket socket = pico::listen(pico::Endpoint::of_ip("127.0.0.1", 0));
           const pico::Time deadline = pico::time_in(std::chrono::milliseconds(1));
           int late = 0;""",
        "if (late != 1) return 1;",
    ),
}
# What stands for each `...` in select.hpp.
ACTS = ("static_cast<void>(result);", "return;", "++late;")


def example(header: str) -> str:
    """The first block of code in the comment that a header opens with."""
    lines = []
    mark = " *   " if header.endswith(".h") else "//   "
    for line in (PICO / header).read_text().splitlines():
        if line.startswith(mark):
            lines.append(line.removeprefix(mark))
        elif lines and line.strip() not in ("*", "//"):
            break
        elif lines:
            lines.append("")
    assert lines, f"{header} opens with no example"
    return "\n".join(lines)


def built(folder: Path, source: str, name: str = "example.cpp") -> Path:
    if not LIBRARY.exists():
        pytest.skip("pico is not built")
    (folder / name).write_text(source)
    program = folder / "example"
    std = ["gcc", "-std=c11", "-D_POSIX_C_SOURCE=200809L"] if name.endswith(".c") else ["g++", "-std=c++20"]
    flags = ["-O1", "-Wall", "-Wextra", "-Werror", "-I", str(ROOT), "-pthread"]
    subprocess.run([*std, *flags, "-c", folder / name, "-o", folder / "example.o"], check=True)
    link = [folder / "example.o", "-o", program, LIBRARY, "-lboost_context", "-pthread"]
    subprocess.run(["g++", *map(str, link)], check=True)
    return program


@pytest.mark.parametrize("header", PARTS)
def test_the_example_does_what_it_says(header: str, tmp_path: Path) -> None:
    before, after = PARTS[header]
    code = example(header)
    for act in ACTS:
        code = code.replace("...", act, 1)
    main = f"int main() {{ return pico::run([] {{\n{before}\n{code}\n{after}\nreturn 0; }}); }}\n"
    program = built(tmp_path, PRELUDE + main)
    subprocess.run([program], check=True, timeout=20)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


@pytest.mark.parametrize(("header", "name"), [("pico.hpp", "example.cpp"), ("c/pico.h", "example.c")])
def test_the_server_that_it_opens_with_gives_back_what_it_gets(header: str, name: str, tmp_path: Path) -> None:
    port = free_port()
    code = example(header)
    assert code.count("8080") == 1
    includes = "" if name.endswith("cpp") else '#include "pico/c/pico.h"\n'
    program = built(
        tmp_path,
        includes + code.replace("8080", str(port)).replace("<pico/", '"pico/').replace("pico.hpp>", 'pico.hpp"') + "\n",
        name,
    )
    with subprocess.Popen([program]) as server:
        try:
            for client in (connected(port), connected(port)):
                with client:
                    client.sendall(b"some bytes")
                    assert client.recv(100) == b"some bytes"
        finally:
            server.terminate()


def connected(port: int) -> socket.socket:
    for _ in range(500):
        try:
            return socket.create_connection(("127.0.0.1", port), timeout=20)
        except ConnectionRefusedError:
            time.sleep(0.01)
    pytest.fail("nobody listens")
