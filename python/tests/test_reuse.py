"""What an earlier analysis found is used again only where a new one would say the same."""

from __future__ import annotations

import contextlib
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from analysed import needs_analyser

from heddle.analysis import analyser

pytestmark = needs_analyser

HEADER = """\
struct client {
  int asked;
  struct client *next;
};
extern int total;
void count(struct client *client, int by);
"""
# So far down in the file that the number which assert() passes on can only be its line.
SERVER = (
    "\n" * 200
    + """\
#include <assert.h>
#include <event2/event.h>
#include <stdlib.h>
#include "client.h"

int total;
static char *last;

static void on_read(evutil_socket_t fd, short what, void *arg) {
  struct client *client = arg;
  assert(
      client->asked >= 0);
  count(client, 1);
  free(last);
  last = malloc(7);
}

static void on_tick(evutil_socket_t fd, short what, void *arg) { total = 0; if (last) last[0] = 1; }

int main(void) {
  struct event_base *base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  event_add(event_new(base, 0, EV_READ | EV_PERSIST, on_read, client), 0);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, 0), 0);
  return event_base_dispatch(base);
}
"""
)
COUNT = """\
#include "client.h"
void count(struct client *client, int by) {
  total += by;
  client->asked += by;
}
"""
REMARK = "/* a remark */\n\n"


class Project:
    """Three files, and how often the analyser really ran over them."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.runs = 0
        for name, text in (("client.h", HEADER), ("server.c", SERVER), ("count.c", COUNT)):
            (folder / name).write_text(text)

    def edit(self, name: str, change: Callable[[str], str]) -> None:
        file = self.folder / name
        before = file.read_text()
        file.write_text(change(before))
        assert file.read_text() != before

    def analyze(self, use_cache: bool = True) -> bytes:
        out = self.folder / f"{use_cache}.json"
        with contextlib.chdir(self.folder):
            analyser.analyze(["server.c", "count.c"], [], out, use_cache=use_cache)
        return out.read_bytes()

    def is_used_again(self) -> bool:
        """Analyses with the cache and without; both must say the same."""
        before = self.runs
        text = self.analyze()
        again = self.runs == before
        assert text == self.analyze(use_cache=False)
        return again


@pytest.fixture
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Project:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "project"
    folder.mkdir()
    made = Project(folder)
    really = analyser.run_elyze

    def counted(*words: object) -> None:
        made.runs += 1
        really(*words)  # type: ignore[arg-type]

    monkeypatch.setattr(analyser, "run_elyze", counted)
    return made


def test_the_same_program_is_not_analysed_twice(project: Project) -> None:
    project.analyze()
    assert project.is_used_again()


@pytest.mark.parametrize("name", ["server.c", "count.c", "client.h"])
def test_a_remark_moves_lines_and_nothing_else(project: Project, name: str) -> None:
    first = project.analyze()
    project.edit(name, lambda text: REMARK + text)
    assert project.is_used_again()
    assert project.analyze() != first


def test_a_remark_inside_a_function(project: Project) -> None:
    project.analyze()
    project.edit("server.c", lambda text: text.replace("  count(", "  // now\n  count("))
    assert project.is_used_again()


def test_a_variable_that_is_named_after_its_line(project: Project) -> None:
    """As in macros that print something only once."""
    project.edit("server.c", lambda text: text.replace("  free(last);", "  static int seen_on_214; ++seen_on_214;"))
    first = project.analyze()
    project.edit("server.c", lambda text: "\n" + text.replace("seen_on_214", "seen_on_215"))
    assert project.is_used_again()
    assert first.count(b"on_read.seen_on_214") == project.analyze().count(b"on_read.seen_on_215") > 0


def test_lines_move_on_from_what_is_kept(project: Project) -> None:
    project.analyze()
    for _ in range(3):
        project.edit("server.c", lambda text: REMARK + text)
        assert project.is_used_again()
    project.edit("server.c", lambda text: text.removeprefix(REMARK))
    assert project.is_used_again()


# What elyze takes for the same, and what not: elyze/tests/compare_test.cpp.
@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("malloc(7)", "malloc(8)"),
        ("count(client, 1);", "count(client, 13);"),
        ("total = 0;", "total = 5;"),
        ("client->asked >= 0", "client->asked < 3"),
    ],
)
def test_a_number_that_nobody_looks_at_changes_nothing(project: Project, before: str, after: str) -> None:
    first = project.analyze()
    project.edit("server.c", lambda text: text.replace(before, after))
    assert project.is_used_again()
    assert project.analyze() == first


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("total = 0;", "total = 0; total = 1;"),
        ("if (last) last[0] = 1;", "last[0] = 1;"),
        ("static char *last", "char *final; static char *last"),
        ("EV_READ | EV_PERSIST", "EV_READ"),
        ("count(client, 1);\n  free(last);", "count(client, 1); free(last);"),  # one line that was two
        ("{ total = 0; if", "{ total = 0;\n if"),  # two lines that were one
        ("on_tick", "on_timer"),
        ("struct client *client = arg", "struct client *it = arg, *client = it"),
    ],
)
def test_what_may_change_the_result_is_analysed_anew(project: Project, before: str, after: str) -> None:
    project.analyze()
    project.edit("server.c", lambda text: text.replace(before, after))
    assert not project.is_used_again()


def test_a_descriptor_is_no_line(project: Project) -> None:
    """Even where it moves with the line that it is on."""
    project.edit("count.c", lambda text: text + "int close(int fd);\nint last(void) { return close(7); }\n")
    project.analyze()
    project.edit("count.c", lambda text: "\n" + text.replace("close(7)", "close(8)"))
    assert not project.is_used_again()


def test_a_changed_field_is_analysed_anew(project: Project) -> None:
    project.analyze()
    project.edit("client.h", lambda text: text.replace("asked;", "asked; int answered;"))
    assert not project.is_used_again()


def test_a_file_more_is_analysed_anew(project: Project) -> None:
    project.analyze()
    runs = project.runs
    (project.folder / "more.c").write_text("int more;\n")
    with contextlib.chdir(project.folder):
        analyser.analyze(["server.c", "count.c", "more.c"], [], project.folder / "True.json")
    assert project.runs == runs + 1


def test_other_specs_are_other_results(project: Project) -> None:
    project.analyze()
    runs = project.runs
    spec = project.folder / "own.yaml"
    spec.write_text("nobody_calls_this: {}\n")
    with contextlib.chdir(project.folder):
        analyser.analyze(["server.c", "count.c"], [], project.folder / "True.json", [spec])
    assert project.runs == runs + 1


def kept_files(project: Project) -> list[Path]:
    return list((project.folder.parent / "cache" / "heddle" / "analyses").glob("*"))


@pytest.mark.parametrize("damage", [b"", b"PK\x03\x04 no zip file", None])
def test_a_damaged_cache_costs_time_only(project: Project, damage: bytes | None) -> None:
    project.analyze()
    (kept,) = kept_files(project)
    if damage is None:
        with zipfile.ZipFile(kept, "w") as empty:
            empty.writestr("key.json", "[")
    else:
        kept.write_bytes(damage)
    assert not project.is_used_again()
    assert project.is_used_again()


def test_a_cache_that_cannot_be_written_is_done_without(project: Project) -> None:
    (project.folder.parent / "cache").write_text("a file where the folder should be")
    project.analyze()
    assert not project.is_used_again()


@pytest.mark.parametrize("member", ["document.json", "numbers.json", "modules/00000.bc"])
def test_a_part_that_is_not_what_was_kept_costs_time_only(project: Project, member: str) -> None:
    project.analyze()
    (file,) = kept_files(project)
    with zipfile.ZipFile(file) as kept:
        parts = {name: kept.read(name) for name in kept.namelist()}
    parts[member] += b" "
    with zipfile.ZipFile(file, "w") as kept:
        for name, content in parts.items():
            kept.writestr(name, content)
    project.edit("server.c", lambda text: REMARK + text)
    assert not project.is_used_again()
