"""`heddle diff`: what edits of a real program do to its conflicts, and which edits do nothing to them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import analysed
import pytest
from analysed import needs_analyser
from cli_support import Heddle

from heddle.documents.constraints import Constraints
from heddle.explain import difference, identity

Document = dict[str, Any]

BASE = r"""
#include <event2/event.h>
#include <stdlib.h>
struct client { long seen; char name[16]; };
static unsigned long hits;
static long total;
static void count(void) { hits++; }
static void on_read(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;
  c->seen += fd;
  count();
}
static void on_write(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;
  c->seen++;
}
static void on_clock(evutil_socket_t fd, short what, void *arg) { total = (long)hits; }
static void on_accept(evutil_socket_t fd, short what, void *base) {
  struct client *c = calloc(1, sizeof *c);
  struct event *write = event_new(base, fd, EV_WRITE, on_write, c);
  event_add(event_new(base, fd, EV_READ, on_read, c), NULL);
  event_add(write, NULL);
}
int main(void) {
  struct event_base *base = event_base_new();
  event_add(event_new(base, 0, EV_READ | EV_PERSIST, on_accept, base), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_clock, NULL), &(struct timeval){1, 0});
  return event_base_dispatch(base);
}
"""


def analyse(text: str, folder: Path) -> Document:
    return analysed.of_text(text, folder)


def compared(before: str, after: str, folder: Path) -> difference.Difference:
    return difference.compare(Constraints(analyse(before, folder)), Constraints(analyse(after, folder)))


def told(found: difference.Difference) -> list[tuple[str, str]]:
    return [(change.change, str(change.known.identity)) for change in found.changes]


@needs_analyser
def test_lines_that_shift_change_nothing(tmp_path: Path) -> None:
    shifted = BASE.replace("static long total;", "\n\n/* a\n * long\n * comment */\n\nstatic long total;")
    shifted = shifted.replace("  count();", "\n\n  count();")
    found = compared(BASE, shifted, tmp_path)
    assert found.changes == []
    assert found.pairs == []


@needs_analyser
def test_a_new_shared_variable_is_a_new_conflict(tmp_path: Path) -> None:
    edited = BASE.replace("c->seen++;", "c->seen++; total++;")
    found = compared(BASE, edited, tmp_path)
    assert ("added", "on_clock x on_write on total (global, server.c)") in told(found)
    assert {change.change for change in found.changes} == {"added"}
    changed = {(frozenset((pair.first, pair.second)), pair.old, pair.new) for pair in found.pairs}
    assert changed == {
        (frozenset(("on_clock", "on_write")), "never", "always"),
        (frozenset(("on_write",)), "session", "always"),
    }


@needs_analyser
def test_a_counter_made_atomic_is_gone(tmp_path: Path) -> None:
    edited = BASE.replace("static unsigned long hits", "static _Atomic unsigned long hits")
    found = compared(BASE, edited, tmp_path)
    assert {change for change, _ in told(found)} == {"removed"}
    assert all("hits" in name for _, name in told(found))
    assert found.worse == []


@needs_analyser
def test_a_renamed_handler_is_the_same_conflict_moved(tmp_path: Path) -> None:
    found = compared(BASE, BASE.replace("on_clock", "on_tick"), tmp_path)
    moved = found.of("moved")
    assert ("moved", "on_read x on_tick on hits (global, server.c)") in told(found)
    assert {change.old.identity.first for change in moved if change.old} >= {"on_clock"}
    assert found.worse == []
    assert (found.handlers_added, found.handlers_removed) == (["on_tick"], ["on_clock"])


@needs_analyser
def test_the_same_access_by_another_call_is_moved(tmp_path: Path) -> None:
    edited = BASE.replace("static void on_read", "static void note(void) { count(); }\nstatic void on_read")
    edited = edited.replace("  count();\n}\nstatic void on_write", "  note();\n}\nstatic void on_write")
    found = compared(BASE, edited, tmp_path)
    assert {change for change, _ in told(found)} == {"moved"}
    assert found.worse == []


@needs_analyser
def test_a_session_that_leaks_makes_its_conflicts_stronger(tmp_path: Path) -> None:
    edited = BASE.replace("c->seen++;", "c = last; c->seen++;").replace(
        "static long total;", "static long total; static struct client *last;"
    )
    edited = edited.replace("struct event *write", "last = c;\n  struct event *write")
    found = compared(BASE, edited, tmp_path)
    assert ("stronger", "on_read x on_write on client->seen (field)") in told(found)
    assert found.of("stronger")[0] in found.worse
    back = compared(edited, BASE, tmp_path)
    assert ("weaker", "on_read x on_write on client->seen (field)") in told(back)
    assert back.worse == []


@needs_analyser
def test_fingerprints_are_of_names_alone(tmp_path: Path) -> None:
    first = identity.conflicts(Constraints(analyse(BASE, tmp_path)))
    second = identity.conflicts(Constraints(analyse("\n\n\n" + BASE, tmp_path)))
    prints = [known.identity.fingerprint for known in first]
    assert prints == [known.identity.fingerprint for known in second]
    assert len(set(prints)) == len(prints)


def test_objects_that_look_alike_keep_their_order(golden: Document) -> None:
    twin = golden["objects"][1] | {"id": 4, "line": 90}
    golden["objects"].append(twin)
    golden["pairs"][1]["conflicts"].append(golden["pairs"][1]["conflicts"][0] | {"object": 4})
    names = {str(known.identity) for known in identity.conflicts(Constraints(golden))}
    assert "on_accept x on_lookup on stats.requests (global, server.c) #1" in names
    assert "on_accept x on_lookup on stats.requests (global, server.c) #2" in names


def test_blocks_named_by_their_line_are_known_without_it(golden: Document) -> None:
    moved = json.loads(json.dumps(golden))
    golden["objects"][1] |= {"name": "block from strdup at src/server.c:6", "kind": "heap"}
    moved["objects"][1] |= {"name": "block from strdup at src/server.c:8", "kind": "heap", "line": 8}
    assert difference.compare(Constraints(golden), Constraints(moved)).changes == []


def test_a_pair_of_which_nothing_is_said_counts(golden: Document) -> None:
    silent = json.loads(json.dumps(golden))
    silent["pairs"] = [pair for pair in golden["pairs"] if (pair["a"], pair["b"]) != (0, 2)]
    found = difference.compare(Constraints(golden), Constraints(silent))
    assert told(found) == [("added", "on_accept x on_render on what is not known")]
    assert [(pair.old, pair.new) for pair in found.pairs] == [("never", "always")]


@pytest.fixture
def documents(golden: Document, tmp_path: Path) -> tuple[Path, Path]:
    """An old document, and a new one in which on_render reads the counter too."""
    old, new = tmp_path / "old.json", tmp_path / "new.json"
    old.write_text(json.dumps(golden))
    golden["accesses"].append(golden["accesses"][1] | {"id": 6, "handler": 2})
    golden["pairs"][4]["verdict"] = "always"
    golden["pairs"][4]["conflicts"].append({"object": 1, "verdict": "always", "a_access": 2, "b_access": 6})
    new.write_text(json.dumps(golden))
    return old, new


def test_the_command_says_what_is_new_and_fails_on_it(heddle: Heddle, documents: tuple[Path, Path]) -> None:
    old, new = documents
    done = heddle("diff", old, new, "--fail-on", "new")
    assert (done.code, done.err) == (1, "")
    assert done.out.splitlines()[0] == "server -> server: 1 new conflict, 0 gone, 0 moved"
    assert "  stats.requests (global, server.c): on_lookup x on_render\n    write  on_lookup server.c:36" in done.out
    assert "  on_lookup x on_render  session -> always" in done.out
    assert max(map(len, done.out.splitlines())) <= 100


def test_without_fail_on_new_conflicts_are_only_told(heddle: Heddle, documents: tuple[Path, Path]) -> None:
    assert heddle("diff", *documents).code == 0


def test_what_goes_fails_nothing(heddle: Heddle, documents: tuple[Path, Path]) -> None:
    old, new = documents
    done = heddle("diff", new, old, "--fail-on", "new")
    assert done.code == 0
    assert done.out.splitlines()[0] == "server -> server: 0 new conflicts, 1 gone, 0 moved"


def test_equal_documents_differ_in_nothing(heddle: Heddle, documents: tuple[Path, Path]) -> None:
    assert heddle("diff", documents[0], documents[0]).out == "server -> server: no conflict came, went or moved\n"


def test_differences_as_data(heddle: Heddle, documents: tuple[Path, Path]) -> None:
    found = json.loads(heddle("diff", *documents, "--json").out)
    (change,) = found["changes"]
    assert change["change"] == "added"
    assert change["new"]["handlers"] == ["on_lookup", "on_render"]
    assert len(change["fingerprint"]) == 32
    assert found["pairs"] == [{"handlers": ["on_lookup", "on_render"], "old": "session", "new": "always"}]


def test_what_may_start_beside_another_counts_too(heddle: Heddle, golden: Document) -> None:
    """on_lookup x on_render, session: behind late points, then for one of the two only."""
    point = {
        "id": "0123456789abcdef",
        "function": "miss",
        "file": "server.c",
        "line": 40,
        "handlers": [1, 2],
        "objects": [1],
    }
    (heddle.folder / "plain.json").write_text(json.dumps(golden))
    golden["late_points"] = [point]
    golden["pairs"][4]["starts"] = {"a": "never", "b": "never"}
    (heddle.folder / "both.json").write_text(json.dumps(golden))
    golden["pairs"][4]["starts"] = {"a": "never", "b": "session"}
    (heddle.folder / "one.json").write_text(json.dumps(golden))
    title = "What keeps a handler from starting while another one runs, where that changed"
    done = heddle("diff", "both.json", "one.json", "--fail-on", "new")
    assert (done.code, done.err) == (0, "")
    assert done.out.splitlines()[2:] == [title, "  on_render beside on_lookup  never -> session"]
    found = json.loads(heddle("diff", "plain.json", "both.json", "--json").out)
    assert (found["changes"], found["pairs"]) == ([], [])
    assert found["starts"] == [
        {"handler": "on_lookup", "beside": "on_render", "old": "session", "new": "never"},
        {"handler": "on_render", "beside": "on_lookup", "old": "session", "new": "never"},
    ]


def test_a_verdict_that_changes_with_what_may_start_is_told_once(golden: Document) -> None:
    stronger = json.loads(json.dumps(golden))
    stronger["pairs"][4]["verdict"] = "always"
    found = difference.compare(Constraints(golden), Constraints(stronger))
    assert [(pair.old, pair.new) for pair in found.pairs] == [("session", "always")]
    assert found.starts == []


def test_what_is_suppressed_does_not_fail(heddle: Heddle, documents: tuple[Path, Path]) -> None:
    rules = heddle.folder / "known.toml"
    rules.write_text('[[suppress]]\nobject = "stats.*"\nreason = "only a figure"\n')
    done = heddle("diff", *documents, "--fail-on", "new", "--suppressions", rules)
    assert done.code == 0
    assert "stats.requests" not in done.out
    assert "session -> always" in done.out  # the verdict is what it is


def test_an_unknown_fail_on_is_refused(heddle: Heddle, documents: tuple[Path, Path]) -> None:
    done = heddle("diff", *documents, "--fail-on", "old")
    assert (done.code, done.line) == (2, "heddle: --fail-on old is not known: the one choice is --fail-on new")
