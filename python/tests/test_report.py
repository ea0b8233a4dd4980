"""Reports on a hand-made document: what a reader finds there, at every width."""

from __future__ import annotations

import copy
from typing import Any

import pytest
from cli_support import GOLDEN

from heddle.documents import schemas
from heddle.documents.constraints import Constraints, check_references
from heddle.errors import BadInputError
from heddle.explain import causes
from heddle.output import layout
from heddle.output.terminal import PLAIN, Palette
from heddle.report import pair, text
from heddle.report.matrix import matrix

Document = dict[str, Any]


def test_the_golden_document_is_valid(golden: Document) -> None:
    assert schemas.problems(golden, "constraints") == []


@pytest.mark.parametrize("width", [80, 100, 120])
def test_the_report_is_as_printed_before(golden: Document, width: int) -> None:
    expected = (GOLDEN / f"server.report.{width}.txt").read_text()
    assert "\n".join(text.report(Constraints(golden), width)) + "\n" == expected


@pytest.mark.parametrize("width", [80, 100, 120])
def test_no_line_is_wider_than_asked(golden: Document, width: int) -> None:
    constraints = Constraints(golden)
    lines = text.report(constraints, width)
    names = [handler.name for handler in constraints.handlers]
    for a in names:
        for b in names:
            lines += pair.why(constraints, a, b, width)
    assert max(map(len, lines)) <= width


def test_the_matrix_is_the_upper_triangle_with_one_mark_per_pair(golden: Document) -> None:
    assert matrix(Constraints(golden), 80, PLAIN) == [
        "               1 2 3 4",
        "  1 on_accept  - A - A",
        "  2 on_lookup    A s A",
        "  3 on_render      s A",
        "  4 on_sweep         A",
    ]


def test_a_pair_that_is_not_listed_counts_as_always(golden: Document) -> None:
    assert Constraints(golden).pair(3, 0).verdict == "always"


def test_colour_adds_nothing_but_colour(golden: Document) -> None:
    constraints = Constraints(golden)
    plain = text.report(constraints, 80)
    coloured = text.report(constraints, 80, Palette(enabled=True))
    stripped = [
        "".join(part.partition("m")[2] if i else part for i, part in enumerate(line.split("\x1b[")))
        for line in coloured
    ]
    assert coloured != plain
    assert stripped == plain


def test_a_matrix_of_many_handlers_is_shown_in_blocks(golden: Document) -> None:
    many = copy.deepcopy(golden)
    many["handlers"] = [many["handlers"][0] | {"id": i, "name": f"handler_number_{i}"} for i in range(60)]
    lines = matrix(Constraints(many), 80, PLAIN)
    assert max(map(len, lines)) <= 80
    marks = sum(line[24:].count(mark) for line in lines for mark in "-sA")
    assert marks == 60 * 61 // 2


def test_causes_come_in_the_order_of_what_their_removal_frees(golden: Document) -> None:
    found = causes.causes(Constraints(golden))
    assert [(cause.name, len(cause.pairs), cause.only, cause.so_far) for cause in found] == [
        ("stats", 2, 1, 1),
        ("strtok", 1, 0, 1),
        ("cache", 1, 0, 2),
    ]


def test_why_names_objects_paths_and_how_they_are_reached(golden: Document) -> None:
    lines = "\n".join(pair.why(Constraints(golden), "on_lookup", "on_lookup"))
    assert "on_lookup x on_lookup: always" in lines
    assert "on_lookup server.c:38 > cache_get cache.c:40 > move_to_front cache.c:22" in lines
    assert "through cache.lru, taken in cache_get()" in lines
    assert "registered by on_accept server.c:28 > client_new server.c:12" in lines


def test_why_says_when_a_pair_is_apart_for_what_is_not_known(golden: Document) -> None:
    lines = pair.why(Constraints(golden), "on_accept", "on_sweep")
    assert lines[-1] == "    unknown external vendor_expire: reads and writes everything"


def test_handlers_of_one_name_are_told_apart_by_file(golden: Document) -> None:
    golden["handlers"][3]["name"] = "on_accept"
    golden["handlers"][3]["file"] = "src/sweep.c"
    constraints = Constraints(golden)
    with pytest.raises(BadInputError, match=r"use one of server\.c:on_accept, src/sweep\.c:on_accept"):
        pair.find(constraints, "on_accept")
    assert pair.find(constraints, "sweep.c:on_accept").id == 3


def test_a_program_without_handlers_is_reported_as_such(golden: Document) -> None:
    empty = golden | {"handlers": [], "objects": [], "accesses": [], "pairs": [], "assumptions": []}
    assert text.report(Constraints(empty))[0] == "server: no event handlers were found."
    empty["assumptions"] = [{"kind": "unknown_external", "name": "gss_wrap", "count": 2}]
    said = " ".join(text.report(Constraints(empty)))
    assert "gss_wrap" not in said
    assert "--all shows what is not known" in said
    assert "gss_wrap" in " ".join(text.report(Constraints(empty), all_of_it=True))


def test_calls_of_one_line_that_look_alike_are_said_once(golden: Document) -> None:
    call = {"kind": "indirect_call", "name": "step", "count": 7, "handlers": [0], "file": "server.c", "line": 3}
    golden["assumptions"] = [call, call | {"count": 5}]
    said = "\n".join(text.report(Constraints(golden)))
    assert said.count("indirect call in step (server.c:3), 7 possible targets") == said.count("server.c:3), ") == 1


def test_calls_that_the_same_handlers_reach_are_one_line(golden: Document) -> None:
    call = {"kind": "indirect_call", "name": "step", "count": 7, "handlers": [0], "file": "server.c", "line": 3}
    golden["assumptions"] = [call, call | {"line": 4, "count": 5}, call | {"line": 9, "handlers": [1]}]
    said = "\n".join(text.report(Constraints(golden)))
    assert "2 indirect calls with up to 7 possible targets each, in step (server.c:3), step (server.c:4);" in said
    assert "indirect call in step (server.c:9), 7 possible targets" in said
    said = "\n".join(text.report(Constraints(golden), all_of_it=True))
    assert "indirect call in step (server.c:4), 5 possible targets" in said
    external = {"kind": "unknown_external", "name": "gss_wrap", "count": 2, "handlers": [0]}
    golden["assumptions"] = [external, external | {"name": "gss_unwrap"}]
    said = "\n".join(text.report(Constraints(golden)))
    assert "2 unknown externals, called in 4 places: gss_unwrap, gss_wrap" in said


def test_each_kind_of_what_is_not_known_is_a_sentence(golden: Document) -> None:
    where = {"file": "server.c", "line": 3}
    golden["assumptions"] = [
        {"kind": "limit", "name": "walk", "count": 57} | where,
        {"kind": "at_any_time", "name": "on_term", "count": 2, "handlers": [0, 1]} | where,
        {"kind": "unknown_external", "name": "function that unknown code gave", "count": 2} | where,
    ]
    said = "\n".join(text.report(Constraints(golden)))
    assert "57 functions around walk (server.c:3)" in said
    assert "on_term at any time (server.c:3); reached by" in said
    assert "call of a function that unknown code gave (server.c:3), 2 places" in said


def test_long_lists_say_how_much_they_leave_out() -> None:
    assert layout.some(["a", "b", "c"], 2) == "a, b and 1 more"
    assert layout.some(["a", "b"], 2) == "a, b"


def test_what_is_waited_for_only_at_late_points_is_named_with_its_places(golden: Document) -> None:
    point = {"id": "0" * 16, "function": "count", "file": "stats.c", "line": 9, "handlers": [0, 1], "objects": [1]}
    golden["late_points"] = [point]
    golden["pairs"][1]["starts"] = {"a": "never", "b": "never"}
    golden["pairs"][4]["starts"] = {"a": "never", "b": "session"}
    assert schemas.problems(golden, "constraints") == []
    lines = text.report(Constraints(golden), 80)
    first = lines.index("What handlers wait for only when they get to it (built with --late)")
    assert lines[first + 1 : first + 4] == [
        "  stats.requests, behind count stats.c:9",
        "  run together until then: on_accept x on_lookup",
        "  start while the other one runs, and not the other way round: on_lookup beside",
    ]
    assert "late" not in "\n".join(text.report(Constraints({**golden, "late_points": []}), 80))


@pytest.mark.parametrize(
    ("starts", "points", "said"),
    [
        ({"a": "never", "b": "never"}, [], "no late points"),
        ({"a": "always", "b": "always"}, [{"handlers": [], "objects": [9]}], "objects"),
    ],
)
def test_late_points_that_do_not_fit_the_document_are_refused(
    golden: Document, starts: Document, points: list[Document], said: str
) -> None:
    golden["pairs"][1]["starts"] = starts
    golden["late_points"] = points
    with pytest.raises(BadInputError, match=said):
        check_references(golden, "x")
    golden["pairs"][4]["starts"] = {"a": "always", "b": "never"}
    with pytest.raises(BadInputError, match=r"stronger|no late points|objects"):
        check_references(golden, "x")
