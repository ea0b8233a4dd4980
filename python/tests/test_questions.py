"""The questions that `heddle analyze` answers beside its report, as text and as data."""

from __future__ import annotations

import json
import os
import re
import time
from pathlib import Path
from typing import Any

import analysed
import pytest
from analysed import needs_analyser
from cli_support import Heddle

Document = dict[str, Any]


@pytest.fixture
def document(golden: Document, tmp_path: Path) -> Path:
    file = tmp_path / "server.constraints.json"
    file.write_text(json.dumps(golden))
    return file


def asked(heddle: Heddle, document: Path, *words: str) -> str:
    done = heddle("analyze", document, *words)
    assert (done.code, done.err) == (0, "")
    return done.out


def data(heddle: Heddle, document: Path, *words: str) -> Any:  # noqa: ANN401
    return json.loads(asked(heddle, document, *words, "--json"))


def write_source(file: Path, age: int = 3600) -> None:
    """Older than the document, as sources are."""
    file.write_text("".join(f"  line_{n}();\n" for n in range(1, 60)))
    os.utime(file, (time.time() - age, time.time() - age))


def test_a_document_is_reported_on_without_the_program(heddle: Heddle, document: Path) -> None:
    out = asked(heddle, document)
    assert out.startswith("server: 4 handlers, 10 pairs")
    assert "next:" not in out  # nothing was written


def test_a_handler_is_shown_with_what_it_goes_on_to(heddle: Heddle, golden: Document, tmp_path: Path) -> None:
    dispatch = [{"function": "serve", "argument": "client->arg"}, {"function": "refuse", "argument": ""}]
    golden["handlers"][0]["dispatch"] = dispatch
    file = tmp_path / "server.constraints.json"
    file.write_text(json.dumps(golden))
    name = golden["handlers"][0]["name"]
    assert "goes on to serve (client->arg), refuse" in asked(heddle, file, "--handler", name)
    assert f"{name} goes on to serve (client->arg), refuse" in asked(heddle, file)
    assert data(heddle, file, "--handler", name)["dispatch"] == dispatch
    page = tmp_path / "page.html"
    asked(heddle, file, "--html", str(page))
    assert "<td>serve (client-&gt;arg), refuse</td>" in page.read_text()


def test_handlers_that_go_on_to_the_same_are_one_line(heddle: Heddle, golden: Document, tmp_path: Path) -> None:
    dispatch = [{"function": "serve", "argument": "client->arg"}, {"function": "refuse", "argument": "client->arg"}]
    golden["handlers"][0]["dispatch"] = golden["handlers"][1]["dispatch"] = dispatch
    file = tmp_path / "server.constraints.json"
    file.write_text(json.dumps(golden))
    first, second = (golden["handlers"][number]["name"] for number in (0, 1))
    assert f"{first}, {second} go on to serve, refuse, with client->arg" in asked(heddle, file)


_SERVER = """
#include <event2/event.h>
#include <stdlib.h>
#include <time.h>
struct client { int fd; void (*run)(struct client *); struct tm *(*convert)(const time_t *, struct tm *); };
void begin(struct client *client);
static void read_on(struct client *client) { client->fd++; }
static void on_event(evutil_socket_t fd, short what, void *arg) {
  struct client *client = arg;
  time_t now = what;
  struct tm parts;
  client->run(client);
  client->convert(&now, &parts);
}
int main(int argc, char **argv) {
  struct event_base *base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  client->run = read_on;
  client->convert = argc > 1 ? gmtime_r : localtime_r;
  if (argc > 2) begin(client);
  event_add(event_new(base, 3, EV_READ, on_event, client), NULL);
  return event_base_dispatch(base);
}
"""
_OTHER = """
struct client { int fd; void (*run)(struct client *); };
static void read_on(struct client *client) { client->fd--; }
void begin(struct client *client) { client->run = read_on; }
"""


@needs_analyser
def test_a_handler_goes_on_to_functions_of_the_program_which_are_told_apart(tmp_path: Path) -> None:
    (tmp_path / "server.c").write_text(_SERVER)
    (tmp_path / "other.c").write_text(_OTHER)
    found = analysed.document(tmp_path / "server.c", tmp_path / "other.c")
    names = [next_one["function"] for next_one in found["handlers"][0]["dispatch"]]
    assert sorted(names) == ["other.c:read_on", "server.c:read_on"]


SYMBOL, SHOWN = "_ZN6Server9on_acceptEis", "Server::on_accept(int, short)"


@pytest.fixture
def cxx_document(golden: Document, tmp_path: Path) -> Path:
    """The golden document of a C++ program: its first handler is a static member function."""
    name = golden["handlers"][0]["name"]
    text = json.dumps(golden | {"names": {}}).replace(json.dumps(name), json.dumps(SYMBOL))
    file = tmp_path / "server.constraints.json"
    file.write_text(json.dumps(json.loads(text) | {"names": {SYMBOL: SHOWN}}))
    return file


def test_people_read_the_names_of_the_source(heddle: Heddle, cxx_document: Path, tmp_path: Path) -> None:
    page, log = tmp_path / "page.html", tmp_path / "server.sarif"
    text = asked(heddle, cxx_document, "--all", "--html", str(page), "--sarif", str(log))
    messages = re.findall(r'"text": ("(?:[^"\\\\]|\\\\.)*")', log.read_text())
    for shown in (text, page.read_text(), "".join(messages)):
        assert SHOWN in shown
        assert SYMBOL not in shown


@pytest.mark.parametrize("name", [SYMBOL, SHOWN, "Server::on_accept"])
def test_a_cxx_handler_is_found_by_any_of_its_names(heddle: Heddle, cxx_document: Path, name: str) -> None:
    text = asked(heddle, cxx_document, "--handler", name)
    assert text.startswith(SHOWN)
    found = data(heddle, cxx_document, "--handler", name)
    assert (found["name"], found["display"]) == (SYMBOL, SHOWN)


def test_a_fingerprint_is_that_of_the_symbol(heddle: Heddle, cxx_document: Path, tmp_path: Path) -> None:
    def prints(file: Path) -> list[str]:
        log = tmp_path / "server.sarif"
        asked(heddle, file, "--sarif", str(log))
        results = json.loads(log.read_text())["runs"][0]["results"]
        return sorted(result["partialFingerprints"]["heddleCause/v1"] for result in results)

    with_names = prints(cxx_document)
    document = json.loads(cxx_document.read_text())
    del document["names"]
    cxx_document.write_text(json.dumps(document))
    assert prints(cxx_document) == with_names


TRAMPOLINE = """
#include <event2/event.h>
#include <stdlib.h>
struct peer { int fd; void (*dispatchcb)(int fd, void *arg); void *arg; };
static int served, refused;
static void serve(int fd, void *arg) { (void)fd; served += *(int *)arg; }
static void refuse(int fd, void *arg) { (void)fd, (void)arg; refused++; }
static void forward(struct peer *peer) { peer->dispatchcb(peer->fd, peer->arg); }
static void on_peer(evutil_socket_t fd, short what, void *arg) { (void)fd, (void)what; forward(arg); }
int main(int argc, char **argv) {
  struct event_base *base = event_base_new();
  (void)argv;
  for (int i = 3; i < 9; i++) {
    struct peer *peer = calloc(1, sizeof *peer);
    peer->fd = i;
    peer->dispatchcb = i > argc ? serve : refuse;
    peer->arg = &peer->fd;
    event_add(event_new(base, i, EV_READ | EV_PERSIST, on_peer, peer), NULL);
  }
  return event_base_dispatch(base);
}
"""


@needs_analyser
def test_functions_that_the_session_keeps_are_listed_with_their_argument(tmp_path: Path) -> None:
    (handler,) = analysed.of_text(TRAMPOLINE, tmp_path)["handlers"]
    assert handler["dispatch"] == [
        {"function": "refuse", "argument": "peer->arg"},
        {"function": "serve", "argument": "peer->arg"},
    ]


@needs_analyser
def test_cxx_functions_have_the_names_of_the_source_beside_their_symbols(tmp_path: Path) -> None:
    file = tmp_path / "server.cpp"
    file.write_text(
        """#include <event2/event.h>
namespace app {
static int hits;
struct Server {
  static void on_read(evutil_socket_t, short, void *) { hits++; }
};
}
int main() {
  event_base *base = event_base_new();
  event_add(event_new(base, 3, EV_READ | EV_PERSIST, app::Server::on_read, nullptr), nullptr);
  return event_base_dispatch(base);
}
"""
    )
    found = analysed.document(file)
    (handler,) = found["handlers"]
    assert handler["name"].startswith("_Z")
    assert found["names"][handler["name"]] == "app::Server::on_read(int, short, void*)"


def test_an_object_is_shown_with_who_touches_it(heddle: Heddle, document: Path) -> None:
    out = asked(heddle, document, "--object", "stats.requests")
    assert out.splitlines()[0] == "stats.requests (global unsigned long, server.c:6)"
    assert "keeps 2 pairs apart whatever their session: on_accept x on_lookup, on_lookup x on_lookup" in out
    assert out.index("on_lookup: write") < out.index("on_accept: read")


def test_the_parts_of_a_variable_are_found_by_its_name(heddle: Heddle, document: Path) -> None:
    assert asked(heddle, document, "--object", "stats").startswith("stats.requests (")
    (found,) = data(heddle, document, "--object", "stats")
    assert found["pairs"][0] == {"handlers": ["on_accept", "on_lookup"], "verdict": "always"}
    assert {access["handler"] for access in found["accesses"]} == {"on_accept", "on_lookup"}


def test_an_object_that_is_not_there_is_refused_with_those_like_it(heddle: Heddle, document: Path) -> None:
    done = heddle("analyze", document, "--object", "stat.request")
    assert (done.code, done.out) == (2, "")
    assert done.line == "heddle: no handlers of server share an object stat.request: use one of stats.requests"


def test_a_handler_is_shown_with_whom_it_waits_for(heddle: Heddle, document: Path) -> None:
    out = asked(heddle, document, "--handler", "on_lookup")
    assert "    `client->next` reaches other sessions (struct client)" in out
    assert "  Waits for:\n    on_accept  on stats.requests\n" in out
    assert "    on_sweep   on what is not known" in out
    assert "  Waits within one session for:\n    on_render  on client->body" in out
    found = data(heddle, document, "--handler", "on_lookup")
    assert found["reaches"] == [{"field": "client->next", "type": "client"}]
    assert found["pairs"][0] == {"with": "on_accept", "verdict": "always", "objects": ["stats.requests"]}


def test_why_shows_the_source_of_every_step(heddle: Heddle, document: Path) -> None:
    write_source(heddle.folder / "cache.c")
    out = asked(heddle, document, "--why", "on_lookup", "on_lookup")
    assert re.search(r"^ +on_lookup +server\.c:38$\n^ +cache_get +cache\.c:40 +line_40\(\);$", out, re.MULTILINE)
    found = data(heddle, document, "--why", "on_lookup", "on_lookup")
    assert found["conflicts"][0]["accesses"][0]["path"][1] == {
        "function": "cache_get",
        "file": "cache.c",
        "line": 40,
        "source": "line_40();",
    }
    assert found["conflicts"][0]["accesses"][0]["how"] == "through cache.lru, taken in cache_get()"


def test_sources_are_looked_for_where_the_user_says(heddle: Heddle, document: Path) -> None:
    (heddle.folder / "src").mkdir()
    write_source(heddle.folder / "src" / "cache.c")
    assert "line_40" not in asked(heddle, document, "--why", "on_lookup", "on_lookup")
    assert "line_40" in asked(heddle, document, "--why", "on_lookup", "on_lookup", "--sources", "src")


def test_sources_that_changed_since_are_not_shown(heddle: Heddle, document: Path) -> None:
    write_source(heddle.folder / "cache.c", age=-60)
    done = heddle("analyze", document, "--why", "on_lookup", "on_lookup")
    assert done.code == 0
    assert "line_40" not in done.out
    assert done.line == "heddle: newer than what was analysed, so that no lines are shown: cache.c"


def test_causes_come_alone_with_their_remedies(heddle: Heddle, document: Path) -> None:
    out = asked(heddle, document, "--causes")
    assert "Handlers\n" not in out
    assert "remedy: instead of strtok() use strtok_r()" in out
    found = data(heddle, document, "--causes")
    assert [cause["remedy"]["code"] for cause in found] == ["atomic-counter", "reentrant", "split-handler"]
    assert found[0]["pairs"] == [["on_accept", "on_lookup"], ["on_lookup", "on_lookup"]]
    assert [cause["free_so_far"] for cause in found] == [1, 1, 2]


def test_what_is_not_known_comes_with_its_cost(heddle: Heddle, document: Path) -> None:
    out = asked(heddle, document, "--unknown")
    assert "2 places; 4 conflicts, keeps 4 pairs apart, 4 of them alone" in out
    assert "elyze/specs/README.md" in out
    (found,) = data(heddle, document, "--unknown")
    assert (found["name"], found["conflicts"], found["pairs"], found["only"]) == ("vendor_expire", 4, 4, 4)


@needs_analyser
def test_an_unknown_function_of_a_real_program_is_priced(heddle: Heddle, document: Path) -> None:
    document.write_text(json.dumps(analysed.document(analysed.PROGRAMS / "outside.c")))
    found = data(heddle, document, "--unknown")
    (vendor,) = [entry for entry in found if entry["name"] == "vendor_log"]
    assert vendor["handlers"] == ["on_vendor"]
    # It conflicts with all four handlers, itself included, and nothing else keeps on_vendor apart from them.
    assert (vendor["conflicts"], vendor["pairs"], vendor["only"]) == (4, 4, 4)


def test_a_program_whose_calls_are_all_known_says_so(heddle: Heddle, golden: Document, document: Path) -> None:
    document.write_text(json.dumps(golden | {"assumptions": []}))
    assert asked(heddle, document, "--unknown") == "server: everything that its handlers call is known.\n"


@pytest.mark.parametrize(
    ("words", "line"),
    [
        (("--unknown", "--causes"), "several questions at once: "),
        (("--fail-on", "all"), "--fail-on all is not known: the one choice is --fail-on new"),
        (("-o", "x.json"), "server.constraints.json is a document already: leave -o out"),
        (("other.c",), "several files, one of them a document: name one constraints document, or a program"),
        (("--handler", "on_acept"), "there is no handler on_acept in server: use one of on_accept"),
    ],
)
def test_what_makes_no_sense_is_refused_with_one_line(
    heddle: Heddle, document: Path, words: tuple[str, ...], line: str
) -> None:
    done = heddle("analyze", document.name, *words)
    assert (done.code, done.out) == (2, "")
    assert done.line.startswith(f"heddle: {line}")


def test_questions_about_a_program_write_its_constraints_too(heddle: Heddle, toy: Path) -> None:
    out = heddle("analyze", "./toy", "--causes").out
    assert "remedy:" in out
    assert (heddle.folder / "toy.constraints.json").is_file()
    assert toy.exists()
