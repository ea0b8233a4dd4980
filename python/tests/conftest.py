"""What the tests of the command line share: a built program, and stand-ins for the native parts.

The stand-ins make these tests independent of a build, but for the compiler's plugin, which is the real one: a fake
analyser that copies a golden document, and a fake runtime that writes down the environment it was loaded with. Tests of
the real parts skip when those are not built.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_support import FAKE_ANALYSER, FAKE_RUNTIME, GOLDEN, TOY_SOURCE, Heddle, compile_c

from heddle.system import places


@pytest.fixture(scope="session")
def fake_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build folder whose analyser and runtime are stand-ins, and whose plugin of the compiler is the built one."""
    plugin = places.compiler_plugin().resolve()
    build = tmp_path_factory.mktemp("build")
    analyser = build / "elyze" / "elyze"
    analyser.parent.mkdir()
    analyser.write_text(FAKE_ANALYSER.format(python=sys.executable, golden=str(GOLDEN / "server.constraints.json")))
    analyser.chmod(0o755)
    (build / "elyze" / "plugin").symlink_to(plugin.parent)
    (build / "multivent").mkdir()
    compile_c(FAKE_RUNTIME, build / "multivent" / "libmultivent.so", "-shared", "-fPIC")
    return build


@pytest.fixture
def heddle(tmp_path: Path, fake_build: Path) -> Heddle:
    return Heddle(tmp_path, fake_build)


@pytest.fixture(scope="session")
def toy_with_bitcode(tmp_path_factory: pytest.TempPathFactory, fake_build: Path) -> Path:
    """A libevent program of two source files that `heddle build` built through a Makefile which insists on gcc."""
    folder = tmp_path_factory.mktemp("toy")
    (folder / "toy.c").write_text(TOY_SOURCE)
    (folder / "step.c").write_text("int step(int by) { return by; }\n")
    (folder / "Makefile").write_text(
        "CC = gcc\nCFLAGS = -O2 -Wall -Werror\n"
        "toy: toy.o step.o\n\t$(CC) $(CFLAGS) -s -o $@ $^ -levent\n"
        "clean:\n\trm -f toy *.o\n"
    )
    done = Heddle(folder, fake_build)("build", "--", "make")
    assert done.code == 0, done.err
    return folder / "toy"


@pytest.fixture
def toy(tmp_path: Path, toy_with_bitcode: Path) -> Path:
    """A copy of that program in the test's own folder."""
    copy = tmp_path / "toy"
    copy.write_bytes(toy_with_bitcode.read_bytes())
    copy.chmod(0o755)
    return copy


@pytest.fixture
def golden() -> dict[str, object]:
    document: dict[str, object] = json.loads((GOLDEN / "server.constraints.json").read_text())
    return document


@pytest.fixture
def constraints_for(golden: dict[str, object]) -> Callable[..., Path]:
    """Writes a constraints document beside a program, with these fields changed."""

    def write(program: Path, build_id: str, **changed: object) -> Path:
        document = golden | {"program": {"name": program.name, "build_id": build_id}} | changed
        file = program.with_name(program.name + ".constraints.json")
        file.write_text(json.dumps(document))
        return file

    return write
