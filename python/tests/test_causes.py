"""Causes: what they are for small programs, that they cover every conflict, and that their figures add up."""

from __future__ import annotations

import json
import re
from pathlib import Path

import analysed
import pytest
from analysed import needs_analyser

from heddle.documents.constraints import Constraints
from heddle.explain import causes, prose, remedies
from heddle.report import pair, text

EXPECTED = re.compile(r"^// CAUSE (.+): ([\w-]+)$", re.MULTILINE)
LINKS = re.compile(r"^// REACHES (.+): (\w+)$", re.MULTILINE)


def programs() -> list[Path]:
    return sorted(analysed.PROGRAMS.glob("*.c"))


@needs_analyser
@pytest.mark.parametrize("program", programs(), ids=lambda path: path.stem)
def test_each_cause_is_named_with_the_remedy_that_fits(program: Path) -> None:
    expected = EXPECTED.findall(program.read_text())
    assert expected
    constraints = analysed.constraints(program)
    found = {str(cause.key): remedies.remedy(constraints, cause).code for cause in causes.causes(constraints)}
    assert {name: found.get(name) for name, _ in expected} == dict(expected)


@needs_analyser
def test_links_to_other_sessions_are_named() -> None:
    program = analysed.PROGRAMS / "linked_sessions.c"
    constraints = analysed.constraints(program)
    (handler,) = constraints.named("on_client")
    expected = {(field, name) for fields, name in LINKS.findall(program.read_text()) for field in fields.split(", ")}
    assert {(link.field, link.type) for link in handler.links} == expected
    assert prose.links(handler) == [
        "`client->next`, `client->previous`, `client->peer` reach other sessions (struct client)"
    ]
    why = "\n".join(pair.why(constraints, "on_client", "on_client", all_of_it=True))
    assert "arg -> client->peer: client->peer reaches another session (struct client)" in why


def check_figures(constraints: Constraints) -> None:
    found = causes.causes(constraints)
    always = [(p.a, p.b, c.object) for p, c in constraints.conflicts("always")]
    given = [(p.a, p.b, c.object) for cause in found for p, c in cause.conflicts]
    assert sorted(given) == sorted(always)
    apart: dict[tuple[int, int], set[int]] = {}
    for number, cause in enumerate(found):
        assert len({(p.a, p.b) for p in cause.pairs}) == len(cause.pairs)
        for p in cause.pairs:
            apart.setdefault((p.a, p.b), set()).add(number)
    for number, cause in enumerate(found):
        assert cause.only == sum(numbers == {number} for numbers in apart.values())
        assert cause.so_far == sum(numbers <= set(range(number + 1)) for numbers in apart.values())
    if found:
        assert found[-1].so_far == len(apart)
        assert found[0].only == max(cause.only for cause in found)


@needs_analyser
@pytest.mark.parametrize("program", sorted(analysed.ELYZE_PROGRAMS.glob("*.c"))[::6], ids=lambda path: path.stem)
def test_every_program_of_the_analyser_can_be_explained(program: Path) -> None:
    constraints = analysed.constraints(program)
    check_figures(constraints)
    names = [handler.name for handler in constraints.handlers]
    said = text.report(constraints, 80, all_of_it=True)
    for name in names:
        said += pair.about_handler(constraints, name, 80)
        for other in names:
            said += pair.why(constraints, name, other, 80, all_of_it=True)
    for item in constraints.objects:
        said += pair.about_object(constraints, item.name, 80, all_of_it=True)
    assert [line for line in said if len(line) > 80] == []
    assert not [line for line in said if re.search(r"\bat byte \d|\bargument \d+\b(?!:)", line)]


@needs_analyser
@pytest.mark.skipif(not analysed.has_libjpeg(), reason="no libjpeg headers")
def test_a_real_server_has_few_causes_and_they_free_everything() -> None:
    constraints = Constraints(analysed.imgserve())
    check_figures(constraints)
    found = {str(cause.key): cause for cause in causes.causes(constraints)}
    conflicts = sum(1 for _ in constraints.conflicts("always"))
    assert len(found) <= 13 < conflicts
    # The sweep and the signal touch every client: that is two functions, not two hundred fields.
    idle = found["function clients_close_idle"]
    assert {"client->state", "client->write", "*client->body"} <= {item.name for item in idle.objects}
    assert {constraints.label(p.a) for p in idle.pairs} | {constraints.label(p.b) for p in idle.pairs} >= {
        "on_sweep",
        "on_read",
        "on_render",
    }
    stats = found["variable stats"]
    assert remedies.remedy(constraints, stats).code == "atomic-counter"
    assert "client->next" in remedies.remedy(constraints, found["links client"]).text


@needs_analyser
def test_handlers_under_one_mutex_may_run_at_once_and_the_report_says_so() -> None:
    constraints = analysed.constraints(analysed.PROGRAMS / "locks.c")
    said = " ".join(" ".join(text.report(constraints, 200)).split())
    assert "Locks: handlers that take one may run at once; what it protects still counts" in said
    assert re.search(r"\block \(\S*locks\.c:\d+\): on_client, on_total", said)
    (client,), (total,) = constraints.named("on_client"), constraints.named("on_total")
    assert constraints.pair(client.id, total.id).verdict == "never"
    lock = next(cause for cause in causes.causes(constraints) if cause.name == "pthread_mutex_t")
    advice = remedies.remedy(constraints, lock).text
    assert "stays where it is" in advice
    assert "may do more than compute while it has it" in advice
    assert "session" not in advice


@needs_analyser
def test_a_variable_of_main_that_handlers_share_has_its_name(tmp_path: Path) -> None:
    source = """
    #include <event2/event.h>
    #include <stddef.h>
    static void on_low(evutil_socket_t fd, short what, void *arg) { *(int *)arg += fd + what; }
    static void on_high(evutil_socket_t fd, short what, void *arg) { ((int *)arg)[-1] += fd + what; }
    int main(void) {
      struct event_base *base = event_base_new();
      int limits[2] = {1, 1};
      event_add(event_new(base, 0, EV_READ | EV_PERSIST, on_low, &limits[0]), NULL);
      event_add(event_new(base, 1, EV_READ | EV_PERSIST, on_high, &limits[1]), NULL);
      return event_base_dispatch(base);
    }
    """
    constraints = Constraints(analysed.of_text(source, tmp_path))
    assert [item.name for item in constraints.session_objects()] == ["local limits"]


@needs_analyser
def test_a_cause_shows_an_access_that_is_its_own() -> None:
    constraints = analysed.constraints(analysed.PROGRAMS / "linked_sessions.c")
    for cause in causes.causes(constraints):
        shown_pair, conflict = causes.witness(constraints, cause)
        assert (shown_pair, conflict) in cause.conflicts
        if cause.key.kind == "function":
            sides = constraints.sides(conflict)
            assert any(cause.name in (a.taken_in, constraints.handlers[a.handler].name) for a in sides)


def test_a_pair_with_conflicts_that_are_not_listed_never_counts_as_freed() -> None:
    document = json.loads((Path(__file__).parent / "golden" / "server.constraints.json").read_text())
    assert any(cause.so_far for cause in causes.causes(Constraints(document)))
    for entry in document["pairs"]:
        entry["unlisted"] = 3
    assert not any(cause.only or cause.so_far for cause in causes.causes(Constraints(document)))


def test_what_belongs_to_the_process_is_named_so_once() -> None:
    constraints = Constraints(json.loads((Path(__file__).with_name("golden") / "server.constraints.json").read_text()))

    def named(kind: causes.Kind, name: str) -> tuple[str, str]:
        cause = causes.Cause(causes.Key(kind, name))
        return prose.title(constraints, cause), remedies.remedy(constraints, cause).text

    assert named("process", "listeners of libevent") == (
        "listeners of libevent of the process",
        "the process has it only once: leave it to one handler",
    )
    assert named("process", "contents of passwd")[0] == "contents of files that are named passwd"
    assert named("process", "contents of some file")[0] == "contents of files whose names are not known"
    title, advice = named("process", "end of the process")
    assert title == "end of the process"
    assert advice.startswith("let one handler end the process")
    title, advice = named("process", "process whose copy goes on")
    assert title == "process whose copy goes on"
    assert advice.startswith("what the child does counts as done by the handler")
    title, advice = named("unknown", "unknown external function that unknown code gave")
    assert title == "function that unknown code gave"
    assert "which function that is cannot be seen" in advice


def test_what_is_done_to_a_stream_and_by_that_to_its_descriptor_is_one_cause() -> None:
    document = json.loads((Path(__file__).with_name("golden") / "server.constraints.json").read_text())
    document["objects"][0] |= {"name": "stream stdout", "kind": "libc"}
    document["objects"][1] |= {"name": "descriptor 1", "kind": "os"}
    for item in document["objects"]:
        item.pop("variable", None)
    for item in document["accesses"]:
        item["by"] = "printf" if item["object"] in (0, 1) else ""
    names = {cause.name for cause in causes.causes(Constraints(document))}
    assert "stream stdout" in names
    assert "descriptor 1" not in names
    for item in document["accesses"]:
        item["by"] = "write" if item["object"] == 1 else item["by"]
    assert "descriptor 1" in {cause.name for cause in causes.causes(Constraints(document))}


def test_the_advice_on_hidden_state_fits_who_uses_it() -> None:
    document = json.loads((Path(__file__).with_name("golden") / "server.constraints.json").read_text())

    def advice(name: str, *by: str) -> str:
        for number, item in enumerate(document["accesses"]):
            item["by"] = by[number % len(by)]
        constraints = Constraints(document)
        found = next(pair for pair in constraints.pairs if pair.conflicts)
        cause = causes.Cause(causes.Key("hidden state", name))
        cause.conflicts = [(found, conflict) for conflict in found.conflicts]
        return remedies.remedy(constraints, cause).text

    assert advice("getpwnam", "glob").startswith("glob() uses what getpwnam() keeps for all")
    assert advice("getpwnam", "getpwnam") == "instead of getpwnam() use getpwnam_r()"
    assert advice("the time zone", "localtime_r").startswith("localtime_r() may read the time zone anew")
    assert advice("syslog", "closelog").startswith("call openlog() once")
    assert advice("lgamma", "lgamma").startswith("lgamma() keeps state of its own")
