"""Programs to point the command line at, and a way to call it as a user does."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

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
json.dump([], open(value("--numbers-read"), "w"))
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
