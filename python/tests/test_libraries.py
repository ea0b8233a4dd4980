"""Programs that their build splits: into shared libraries, static ones, several programs, and libtool's scripts."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from cli_support import Done, Heddle

from heddle.documents import schemas
from heddle.program import libraries
from heddle.program.elf import Elf
from heddle.system import places

pytestmark = [
    pytest.mark.skipif(not places.elyze().is_file(), reason="the analyser is not built"),
    pytest.mark.timeout(300),
]

# Two handlers of the program and one of the library; the library's functions touch its own variables.
SERVER = r"""
#include <event2/event.h>
int tally(int by);
int quiet(int by);
void start_library(struct event_base *base);
static int helper(void) { return 1; }
static void on_count(evutil_socket_t fd, short what, void *arg) { (void)fd, (void)what, (void)arg; tally(helper()); }
static void on_quiet(evutil_socket_t fd, short what, void *arg) { (void)fd, (void)what, (void)arg; quiet(1); }
int main(void) {
  struct event_base *base = event_base_new();
  struct timeval soon = {0, 1000};
  start_library(base);
  event_add(event_new(base, -1, EV_PERSIST, on_count, NULL), &soon);
  event_add(event_new(base, -1, EV_PERSIST, on_quiet, NULL), &soon);
  event_base_dispatch(base);
  return 3;
}
"""
LIBRARY = r"""
#include <event2/event.h>
static int total;
__attribute__((visibility("hidden"))) int helper(void) { return 2; }
int tally(int by) { total += by * helper(); return total; }
int quiet(int by) { return by + 1; }
static void on_library(evutil_socket_t fd, short what, void *base) {
  (void)fd, (void)what;
  if (tally(1) > 20) event_base_loopbreak(base);
}
void start_library(struct event_base *base) {
  struct timeval soon = {0, 1000};
  event_add(event_new(base, -1, EV_PERSIST, on_library, base), &soon);
}
"""
LINK_LIBRARY = "cc -g -fPIC -shared count.c -o lib/libcount.so.1 -Wl,-soname,libcount.so.1 -levent"
LINK_SERVER = "cc -g server.c -o server lib/libcount.so.1 -levent"
BY_ORIGIN = "-Wl,-rpath,'$ORIGIN/lib'"


@pytest.fixture
def real(tmp_path: Path) -> Heddle:
    (tmp_path / "lib").mkdir()
    (tmp_path / "server.c").write_text(SERVER)
    (tmp_path / "count.c").write_text(LIBRARY)
    return Heddle(tmp_path, places.build())


def build(real: Heddle, *lines: str) -> None:
    done = real("build", "--", "sh", "-ec", "\n".join(lines))
    assert done.code == 0, done.err


def analysed(real: Heddle, **environment: str) -> tuple[dict[str, Any], Done]:
    done = real("analyze", "--json", "./server", **environment)
    assert done.code == 0, done.err
    return json.loads(done.out), done


def unknown(document: dict[str, Any]) -> set[str]:
    return {item["name"] for item in document["assumptions"] if item["kind"] == "unknown_external"}


def verdict(document: dict[str, Any], *names: str) -> str:
    known = {handler["id"]: handler["name"] for handler in document["handlers"]}
    found = [p["verdict"] for p in document["pairs"] if sorted((known[p["a"]], known[p["b"]])) == sorted(names)]
    assert len(found) == 1
    return str(found[0])


def holds_all_of_it(document: dict[str, Any]) -> None:
    """The analysis saw into the library: its handler, its variable, and that quiet() touches nothing."""
    assert {handler["name"] for handler in document["handlers"]} == {"on_count", "on_library", "on_quiet"}
    assert unknown(document) == set()
    assert verdict(document, "on_count", "on_library") == "always"
    assert verdict(document, "on_count", "on_quiet") == "never"
    assert "total" in {item["name"] for item in document["objects"]}


def test_a_library_of_the_same_build_is_analysed_with_the_program(real: Heddle) -> None:
    build(real, LINK_LIBRARY, f"{LINK_SERVER} {BY_ORIGIN}")
    document, done = analysed(real)
    holds_all_of_it(document)
    assert done.line == "heddle: with the bitcode of libcount.so.1 (1 source file)"
    written = schemas.load(real.folder / "server.constraints.json", "constraints")
    schemas.check(written, "constraints", "the document")
    build_id = Elf(real.folder / "lib/libcount.so.1").build_id()
    assert written["program"]["libraries"] == [{"name": "libcount.so.1", "build_id": build_id}]


def test_a_library_that_another_library_needs_is_taken_too(real: Heddle) -> None:
    (real.folder / "more.c").write_text("static int seen;\nint more(void) { return ++seen; }\n")
    text = LIBRARY.replace("int quiet(int by) {", "int more(void);\nint quiet(int by) { by += more();")
    (real.folder / "count.c").write_text(text)
    more = "cc -g -fPIC -shared more.c -o lib/libmore.so"
    build(real, more, f"{LINK_LIBRARY} lib/libmore.so -Wl,-rpath,'$ORIGIN/..'", f"{LINK_SERVER} {BY_ORIGIN}")
    document, done = analysed(real)
    assert done.line == "heddle: with the bitcode of libcount.so.1 (1 source file), libmore.so (1 source file)"
    assert unknown(document) == set()
    assert verdict(document, "on_quiet", "on_quiet") == "always"


@pytest.mark.parametrize("where", ["LD_LIBRARY_PATH", "beside", ".libs"])
def test_a_library_that_only_the_build_knows_is_found(real: Heddle, where: str) -> None:
    build(real, LINK_LIBRARY, "cc -g server.c -o server -Llib -l:libcount.so.1 -levent")
    if where == "LD_LIBRARY_PATH":
        document, _ = analysed(real, LD_LIBRARY_PATH="lib")
    else:
        target = real.folder / (where if where != "beside" else ".")
        target.mkdir(exist_ok=True)
        shutil.move(real.folder / "lib/libcount.so.1", target)
        document, _ = analysed(real)
    holds_all_of_it(document)


def test_a_library_that_is_not_found_is_unknown_and_named(real: Heddle) -> None:
    build(real, LINK_LIBRARY, "cc -g server.c -o server -Llib -l:libcount.so.1 -levent")
    document, done = analysed(real)
    assert {"tally", "quiet"} <= unknown(document)
    assert done.line == (
        "heddle: libcount.so.1 is taken for a library without bitcode: it was not found: set LD_LIBRARY_PATH"
    )
    assert "libraries" not in document["program"]


def test_a_library_without_bitcode_stays_unknown(real: Heddle) -> None:
    build(real, f"/usr/bin/g{LINK_LIBRARY}", f"{LINK_SERVER} {BY_ORIGIN}")
    document, done = analysed(real)
    assert done.err == ""
    assert {"tally", "quiet"} <= unknown(document)
    assert verdict(document, "on_count", "on_quiet") == "always"


def test_a_library_that_exports_what_the_program_defines_is_left_out(real: Heddle) -> None:
    """Which of the two runs is decided when the program is loaded, and inside the library when that is built."""
    (real.folder / "server.c").write_text(SERVER + "int quiet(int by) { return by - 1; }\n")
    build(real, LINK_LIBRARY, f"{LINK_SERVER} {BY_ORIGIN}")
    document, done = analysed(real)
    assert done.line == (
        "heddle: libcount.so.1 is taken for a library without bitcode: "
        "it exports quiet, which is defined before it already"
    )
    assert "tally" in unknown(document)


def test_a_variable_of_the_library_that_the_program_uses_is_one_object(real: Heddle) -> None:
    """The program may hold its copy (a copy relocation), which is not a second definition."""
    (real.folder / "count.c").write_text(LIBRARY.replace("static int total", "int total"))
    (real.folder / "server.c").write_text(
        SERVER.replace("quiet(1)", "total++").replace("int quiet", "extern int total")
    )
    text = (real.folder / "server.c").read_text().replace("extern int total(int by)", "extern int total")
    (real.folder / "server.c").write_text(text)
    build(real, LINK_LIBRARY, f"{LINK_SERVER} {BY_ORIGIN}")
    document, _ = analysed(real)
    assert verdict(document, "on_quiet", "on_library") == "always"
    assert [item["name"] for item in document["objects"]].count("total") == 1


def test_a_function_of_the_library_without_bitcode_is_named(real: Heddle) -> None:
    (real.folder / "vendor.c").write_text("int vendor(void) { return 1; }\n")
    (real.folder / "count.c").write_text(
        "int vendor(void);\n" + LIBRARY.replace("return by + 1", "return by + vendor()")
    )
    build(real, "/usr/bin/gcc -fPIC -c vendor.c", f"{LINK_LIBRARY} vendor.o", f"{LINK_SERVER} {BY_ORIGIN}")
    document, done = analysed(real)
    assert "vendor" in unknown(document)
    assert "1 function without bitcode (vendor)" in done.err


def test_a_run_is_refused_with_another_build_of_the_library(real: Heddle) -> None:
    build(real, LINK_LIBRARY, f"{LINK_SERVER} {BY_ORIGIN}")
    analysed(real)
    (real.folder / "count.c").write_text(LIBRARY.replace("return by + 1", "return tally(by)"))
    build(real, LINK_LIBRARY)
    done = real("run", "--threads", "2", "./server")
    assert (done.code, done.line) == (
        2,
        "heddle: server.constraints.json was made for another build of libcount.so.1: "
        "run heddle analyze ./server again",
    )


def test_a_run_that_would_not_load_the_library_is_refused(real: Heddle) -> None:
    build(real, LINK_LIBRARY, f"{LINK_SERVER} {BY_ORIGIN}")
    analysed(real)
    (real.folder / "lib/libcount.so.1").unlink()
    done = real("run", "--threads", "2", "./server")
    assert done.code == 2
    assert "libcount.so.1, which server.constraints.json covers, would not be loaded by ./server" in done.line


@pytest.mark.skipif(not places.multivent().is_file(), reason="the runtime is not built")
def test_handlers_in_the_library_run_under_their_verdicts(real: Heddle) -> None:
    build(real, LINK_LIBRARY, f"{LINK_SERVER} {BY_ORIGIN}")
    analysed(real)
    done = real("run", "--threads", "2", "--run-file", "run.json", "./server")
    assert done.code == 3, done.err
    run = schemas.load(real.folder / "run.json", "run")
    assert run["mode"] == "parallel"
    assert {(h["name"], h["known"]) for h in run["handlers"] if h["invocations"]} == {
        ("on_count", True),
        ("on_quiet", True),
        ("on_library", True),
    }


@pytest.mark.skipif(not places.multivent().is_file(), reason="the runtime is not built")
def test_the_runtime_itself_refuses_another_build_of_the_library(real: Heddle) -> None:
    """Started without the command line's checks, as a wrapper script may do."""
    build(real, LINK_LIBRARY, f"{LINK_SERVER} {BY_ORIGIN}")
    analysed(real)
    document = json.loads((real.folder / "server.constraints.json").read_text())
    document["program"]["libraries"][0]["build_id"] = "0123"
    (real.folder / "wrong.json").write_text(json.dumps(document))
    shell = "LD_PRELOAD=$RUNTIME HEDDLE_THREADS=2 HEDDLE_CONSTRAINTS=wrong.json ./server 2>&1"
    environment = real.environment | {"RUNTIME": str(places.multivent())}
    done = subprocess.run(
        ["sh", "-c", shell], cwd=real.folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode != 3
    assert "made for another build of libcount.so.1" in done.stdout


def test_a_static_library_of_the_same_build_is_part_of_the_program(real: Heddle) -> None:
    build(real, "cc -g -c count.c", "ar rcs lib/libcount.a count.o", "cc -g server.c -o server -Llib -lcount -levent")
    document, done = analysed(real)
    holds_all_of_it(document)
    assert done.err == ""


def test_each_program_of_a_build_has_its_own_bitcode(real: Heddle) -> None:
    (real.folder / "other.c").write_text(SERVER.replace("on_quiet", "on_other"))
    other = "cc -g other.c -o other count.o -levent"
    build(real, "cc -g -c count.c", "cc -g server.c -o server count.o -levent", other)
    first, _ = analysed(real)
    done = real("analyze", "--json", "./other")
    names = [{handler["name"] for handler in d["handlers"]} for d in (first, json.loads(done.out))]
    assert names == [{"on_count", "on_library", "on_quiet"}, {"on_count", "on_library", "on_other"}]


def test_a_script_of_libtool_stands_for_the_program_behind_it(real: Heddle) -> None:
    (real.folder / ".libs").mkdir()
    build(real, LINK_LIBRARY, "cc -g server.c -o .libs/server -Llib -l:libcount.so.1 -levent")
    script = f"""#! /bin/sh
# server - temporary wrapper script for .libs/server
# Generated by libtool (GNU libtool) 2.4.7
  program='server'
    LD_LIBRARY_PATH="{real.folder}/lib:$LD_LIBRARY_PATH"
"""
    (real.folder / "server").write_text(script)
    document, _ = analysed(real)
    holds_all_of_it(document)
    assert (real.folder / ".libs/server.constraints.json").is_file()
    if places.multivent().is_file():
        done = real("run", "--threads", "2", "./server")
        assert done.code == 3, done.err


def test_a_script_of_libtool_without_its_program_is_refused(real: Heddle) -> None:
    (real.folder / "server").write_text("#!/bin/sh\n# Generated by libtool (GNU libtool) 2.4.7\n  program='server'\n")
    done = real("analyze", "./server")
    assert (done.code, done.line) == (
        2,
        "heddle: ./server is a script of libtool without its program: start it once, or build it again",
    )


@pytest.mark.slow
@pytest.mark.skipif(not shutil.which("libtoolize") or not shutil.which("autoreconf"), reason="libtool is not installed")
def test_a_build_by_libtool_itself(real: Heddle) -> None:
    (real.folder / "configure.ac").write_text(
        "AC_INIT([server], [1])\nAM_INIT_AUTOMAKE([foreign])\nAC_PROG_CC\nAM_PROG_AR\nLT_INIT\n"
        "AC_CONFIG_FILES([Makefile])\nAC_OUTPUT\n"
    )
    (real.folder / "Makefile.am").write_text(
        "lib_LTLIBRARIES = libcount.la\nlibcount_la_SOURCES = count.c\nlibcount_la_LIBADD = -levent\n"
        "bin_PROGRAMS = server\nserver_SOURCES = server.c\nserver_LDADD = libcount.la -levent\n"
    )
    build(real, "autoreconf -i", "./configure", "make")
    assert libraries.behind_script(real.folder / "server") is not None
    document, _ = analysed(real)
    holds_all_of_it(document)
    if places.multivent().is_file():
        assert real("run", "--threads", "2", "./server").code == 3
