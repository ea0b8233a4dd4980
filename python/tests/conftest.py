"""What the tests of the command line share: programs to point it at, and stand-ins for the native parts.

The stand-ins make these tests independent of a build: a fake analyser that copies a golden document, and a fake runtime
that writes down the environment it was loaded with. Tests of the real parts skip when those are not built.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
GOLDEN = Path(__file__).parent / "golden"

TOY_SOURCE = r"""
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
int step(int);
static int ticks;
static void on_tick(evutil_socket_t fd, short what, void *base) {
  (void)fd; (void)what;
  ticks += step(1);
  if (ticks == 3) event_base_loopbreak(base);
}
int main(int argc, char **argv) {
  for (int i = 1; i < argc; ++i) printf("%s\n", argv[i]);
  struct event_base *base = event_base_new();
  struct event *timer = event_new(base, -1, EV_PERSIST, on_tick, base);
  struct timeval soon = {0, 1000};
  event_add(timer, &soon);
  event_base_dispatch(base);
  event_free(timer);
  event_base_free(base);
  return ticks;
}
"""

FAKE_RUNTIME = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern char **environ;
__attribute__((constructor)) static void note_environment(void) {
  const char *path = getenv("FAKE_RUNTIME_LOG");
  FILE *log = path ? fopen(path, "w") : NULL;
  if (!log) return;
  for (char **entry = environ; *entry; ++entry)
    if (!strncmp(*entry, "HEDDLE_", 7)) fprintf(log, "%s\n", *entry);
  fclose(log);
}
"""

FAKE_ANALYSER = """#!{python} -SEs
import json, sys
words = sys.argv[1:]
value = lambda name: words[words.index(name) + 1]
modules = words[: words.index("--program")]
document = json.load(open({golden!r}))
document["program"]["name"] = value("--program")
document["program"]["build_id"] = value("--build-id")
document["program"]["sources"] = sorted(modules)
assert all(open(m, "rb").read(2) == b"BC" for m in modules), "not bitcode"
json.dump(document, open(value("-o"), "w"))
"""


@dataclass(frozen=True)
class Done:
    code: int
    out: str
    err: str

    @property
    def line(self) -> str:
        """The only line of standard error."""
        lines = self.err.splitlines()
        assert len(lines) == 1, self.err
        return lines[0]


class Heddle:
    """The command line, as a user calls it, from a folder of the test's own."""

    def __init__(self, folder: Path, build: Path) -> None:
        self.folder = folder
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith(("HEDDLE_", "LD_PRELOAD"))
        }
        self.environment |= {"HEDDLE_ROOT": str(ROOT), "HEDDLE_BUILD": str(build), "PYTHONPATH": str(ROOT / "python")}

    def __call__(self, *words: str | Path, **extra: str) -> Done:
        done = subprocess.run(
            [sys.executable, "-m", "heddle", *map(str, words)],
            cwd=self.folder,
            env=self.environment | extra,
            capture_output=True,
            text=True,
            check=False,
        )
        return Done(done.returncode, done.stdout, done.stderr)


def compile_c(source: str, target: Path, *flags: str) -> Path:
    subprocess.run(["gcc", "-x", "c", "-", "-o", str(target), *flags], input=source, text=True, check=True)
    return target


@pytest.fixture(scope="session")
def fake_build(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A build folder whose analyser and runtime are stand-ins."""
    build = tmp_path_factory.mktemp("build")
    analyser = build / "elyze" / "elyze"
    analyser.parent.mkdir()
    analyser.write_text(FAKE_ANALYSER.format(python=sys.executable, golden=str(GOLDEN / "server.constraints.json")))
    analyser.chmod(0o755)
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
