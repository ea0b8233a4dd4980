"""Rules check what is edited and make of it what follows; users change the rules while the Workshop runs."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from workbench import EXAMPLE, Bench, Object, Page, done, imported, opened, run

SOURCES: dict[str, str | bytes] = {
    "count.c": "int count(const char *text)\n{\n  return text[0];\n}\n\nint twice(const char *text)\n{\n"
    "  return 2 * count(text); /* not parse() */\n}\n",
    "main.c": '#include "count.h"\n\nint main(void)\n{\n  return count("parse()") + twice("");\n}\n',
    "tool.py": "class Tool:\n    def use(self):\n        return helper()\n\n\ndef helper():\n    return Tool()\n",
}


@pytest.fixture
def at(tmp_path: Path) -> Iterator[tuple[Bench, Page]]:
    """A workbench with rule files of its own."""
    shutil.copytree(EXAMPLE / "rules", tmp_path / "rules")
    _, store = imported(tmp_path, SOURCES)
    with opened(store, "V4", "--rules", tmp_path / "rules") as both:
        yield both


@pytest.fixture
def page(at: tuple[Bench, Page]) -> Page:
    return at[1]


def links(page: Page, name: str) -> list[tuple[str, str]]:
    """From a function or class: what it refers to, and the link's state, or `rule`."""
    section = next(each for each in page.objects.values() if each.get("name") == name and "source" in each)
    return sorted((link["name"], link.get("state", "")) for link in page.all("Link", **{"from": section["id"]}))


def write(path: Path, text: str) -> None:
    """As most programs that edit do: under another name, which then becomes this one."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.replace(path)


def of_lines(count: int, name: str = "count") -> str:
    return f"int {name}(const char *text)\n{{\n" + "  text++;\n" * (count - 3) + "}\n"


def test_sections_are_linked_to_what_they_name(page: Page) -> None:
    assert links(page, "main") == [("count", ""), ("twice", "")]
    assert links(page, "twice") == [("count", "")]
    assert links(page, "count") == []
    assert links(page, "use") == [("helper", "")]
    assert links(page, "helper") == [("Tool", "")]


def test_links_follow_the_source(page: Page) -> None:
    main = page.one("Function", name="main")
    page.edit({"id": main["id"], "set": {"source": "int main(void)\n{\n  return count(0); // twice(1)\n}\n"}})
    assert links(page, "main") == [("count", "")]


def test_a_long_function_is_noted_as_long_as_it_is_so(page: Page) -> None:
    section = page.one("Function", name="count")
    assert page.notes(section) == []
    for lines, noted in ((61, True), (70, True), (60, False), (200, True), (4, False)):
        page.edit({"id": section["id"], "set": {"source": of_lines(lines)}})
        text = f"count has {lines} lines; at most 60 can be read at once"
        assert page.notes(section) == ([text] if noted else [])
        assert page.objects[section["id"]]["lines"] == lines


def test_an_edit_and_what_rules_make_of_it_are_seen_together(page: Page) -> None:
    section = page.one("Function", name="count")
    before = len(page.changes)
    page.edit({"id": section["id"], "set": {"source": of_lines(99)}})
    (objects, gone) = page.changes[before]
    assert [each["class"] for each in objects] == ["Function", "Note"]
    assert gone == []
    assert len(page.changes) == before + 1


@pytest.mark.parametrize("by", ["name", "source"])
def test_callers_of_a_renamed_function_are_marked_until_they_say_so(page: Page, by: str) -> None:
    section = page.one("Function", name="count")
    value = "number" if by == "name" else section["source"].replace("count", "number")
    page.edit({"id": section["id"], "set": {by: value}})
    now = page.objects[section["id"]]
    assert (now["name"], now["source"]) == ("number", section["source"].replace("count", "number"))
    callers = [page.one("Function", name=name) for name in ("main", "twice")]
    for caller in callers:
        assert page.notes(caller) == ["refers to count, which is now number"]
        assert ("count", "renamed") in links(page, caller["name"])
    page.edit({"id": callers[0]["id"], "set": {"source": callers[0]["source"].replace("count", "number")}})
    assert page.notes(callers[0]) == []
    assert links(page, "main") == [("number", ""), ("twice", "")]
    # Or it is called so again.
    page.edit({"id": section["id"], "set": {"name": "count"}})
    assert page.notes(callers[1]) == []
    assert links(page, "twice") == [("count", "")]


def test_links_to_a_removed_function_dangle_until_there_is_one(page: Page) -> None:
    section = page.one("Function", name="count")
    page.edit({"erase": section["id"]})
    main = page.one("Function", name="main")
    assert links(page, "main") == [("count", "dangling"), ("twice", "")]
    assert "to" not in page.one("Link", **{"from": main["id"]}, name="count")
    assert page.notes(main) == ["refers to count, which is not there any more"]
    # A text in which a function is becomes a function.
    page.edit({"new": "Text", "set": {"file": section["file"], "place": 0.5, "name": "", "source": section["source"]}})
    assert page.one("Function", name="count")["source"] == section["source"]
    assert links(page, "main") == [("count", ""), ("twice", "")]
    assert page.notes(main) == []


def test_what_dangles_does_so_after_a_new_start_too(tmp_path: Path) -> None:
    _, store = imported(tmp_path, SOURCES)
    with opened(store) as (_, page):
        page.edit({"erase": page.one("Function", name="count")["id"]})
        page.edit({"id": page.one("Function", name="twice")["id"], "set": {"name": "double_it"}})
        kept = dict(page.objects)
    with opened(store) as (_, page):
        assert page.objects == kept
        assert len(page.all("Link", state="dangling")) == 2
        assert len(page.all("Link", state="renamed")) == 1


def test_a_section_that_gains_a_function_becomes_two(page: Page, tmp_path: Path) -> None:
    section = page.one("Function", name="count")
    added = section["source"] + "\n// More.\nint more(void)\n{\n  return twice(0);\n}\n"
    page.edit({"id": section["id"], "set": {"source": added}})
    assert page.objects[section["id"]]["source"] == section["source"]
    assert page.one("Function", name="more")["source"] == "// More.\nint more(void)\n{\n  return twice(0);\n}\n"
    assert links(page, "more") == [("twice", "")]
    done("export", tmp_path / "store", tmp_path / "out")
    text = str(SOURCES["count.c"])
    assert (tmp_path / "out/count.c").read_text() == text.replace(section["source"], added)


def test_notes_go_with_their_section(page: Page) -> None:
    section = page.one("Function", name="main")
    page.edit({"new": "Note", "set": {"on": section["id"], "text": "look at this"}})
    assert page.notes(section) == ["look at this"]
    page.edit({"erase": section["id"]})
    assert page.all("Note") == []
    assert page.all("Link", **{"from": section["id"]}) == []


REFUSED: dict[str, tuple[Object, str]] = {
    "no name": ({"set": {"source": "/* nothing */\n"}}, "a function or a class has a name"),
    "not a word": ({"set": {"name": "a b"}}, "a name is one word"),
    "not for editors": ({"set": {"lines": 3}}, "lines is not for editors to write"),
    "moved": ({"set": {"file": 1}}, "file is not for editors to write"),
    "zero byte": ({"set": {"source": "int count(void) { return 0; } // \0\n"}}, "is to be text"),
    "wrong kind": ({"set": {"hidden": "yes"}}, "hidden is not what it is to be"),
    "no slot": ({"set": {"colour": 1}}, "there is no such slot"),
}


@pytest.mark.parametrize("name", REFUSED)
def test_an_edit_that_may_not_be_leaves_nothing_and_says_why(page: Page, name: str) -> None:
    change, why = REFUSED[name]
    section = page.one("Function", name="count")
    before = dict(page.objects)
    first = {"id": page.one("Function", name="main")["id"], "set": {"source": of_lines(99, "main")}}
    assert why in page.refused(first, {"id": section["id"], **change})
    assert page.objects == before
    # The rules have forgotten it, too.
    page.edit({"id": section["id"], "set": {"hidden": 1}})
    assert page.all("Note") == []
    assert links(page, "main") == [("count", ""), ("twice", "")]


def test_what_is_read_only_stays_so_until_it_is_not(page: Page) -> None:
    section = page.one("Function", name="count")
    page.edit({"id": section["id"], "set": {"readonly": 1}})
    for change in ({"set": {"source": of_lines(5)}}, {"set": {"name": "other"}}):
        assert page.refused({"id": section["id"], **change}) == "the section is read-only"
    assert page.refused({"erase": section["id"]}) == "the section is read-only"
    page.edit({"id": section["id"], "set": {"readonly": 0}})
    page.edit({"id": section["id"], "set": {"source": of_lines(5)}})


def test_objects_that_editors_do_not_make_are_refused(page: Page) -> None:
    function = page.one("Function", name="count")["id"]
    file = page.one("File", path="main.c")["id"]
    assert page.refused({"new": "File", "set": {}}) == "an editor makes no File"
    assert page.refused({"erase": file}) == "an editor erases no File"
    assert page.refused({"new": "Note", "set": {"text": "on nothing"}}) == "a new Note has a on"
    assert page.refused({"new": "Note", "set": {"on": 99999, "text": "x"}}).endswith("which is there")
    assert page.refused({"new": "Text", "set": {"file": function, "place": 1}}).endswith("which is there")
    page.edit({"new": "Link", "set": {"from": function, "to": page.one("Function", name="main")["id"], "name": "see"}})
    assert links(page, "count") == [("see", "")]


def test_an_edit_of_what_was_changed_meanwhile_is_refused(page: Page) -> None:
    section = page.one("Function", name="count")
    seen = page.commit
    page.edit({"id": section["id"], "set": {"source": of_lines(7)}})
    change = {"id": section["id"], "set": {"source": of_lines(8)}}
    assert page.refused(change, seen=seen) == f"object {section['id']} has been changed meanwhile"
    other = {"id": page.one("Function", name="main")["id"], "set": {"hidden": 1}}
    assert page.propose(other, seen=seen)[0] == 200


# ---- Rules that change ----


def test_a_rule_file_that_is_saved_is_used_at_once(at: tuple[Bench, Page], tmp_path: Path) -> None:
    _, page = at
    limits = tmp_path / "rules/limits.clp"
    assert page.all("Note") == []
    write(limits, limits.read_text().replace("most-lines* = 60", "most-lines* = 3"))
    page.until(lambda: len(page.all("Note", rule="long")) == 3)
    assert page.notes(page.one("Function", name="main")) == ["main has 4 lines; at most 3 can be read at once"]
    assert page.one("Rules", path=str(limits))["count"] == 4
    write(limits, "(defrule nothing (item (class Nothing)) =>)\n")
    page.until(lambda: page.all("Note") == [])
    page.until(lambda: page.one("Rules", path=str(limits))["count"] == 1)


def test_a_new_rule_file_and_one_that_is_gone_count_too(at: tuple[Bench, Page], tmp_path: Path) -> None:
    _, page = at
    rule = """(defrule no-goto (logical (Function (id ?id))) (test (str-index "goto" (source ?id)))
      => (assert (finding (on ?id) (rule "goto") (text "jumps"))))\n"""
    write(tmp_path / "rules/ours.clp", rule)
    page.until(lambda: len(page.all("Rules")) == 4)
    section = page.one("Function", name="count")
    for jumps in (True, False, True):
        source = "int count(int n)\n{\nagain:\n  %s;\n}\n" % ("goto again" if jumps else "again")
        page.edit({"id": section["id"], "set": {"source": source}})
        assert page.notes(section) == (["jumps"] if jumps else [])
    (tmp_path / "rules/ours.clp").unlink()
    page.until(lambda: len(page.all("Rules")) == 3 and page.all("Note") == [])


BROKEN = {
    "a slot that there is not": (
        "\n(defrule wrong\n  (Function (id ?id)\n    (size ?size))\n  =>)\n",
        4,
        "Invalid slot size",
    ),
    "no such function": (
        "(defrule wrong\n  (Function)\n  =>\n  (shout))\n",
        4,
        "Missing function declaration for shout",
    ),
    "no end": ("; a comment\n(defrule wrong (Function)\n  => (printout t", 3, ""),
    "not CLIPS": ("hello\n", 1, "Expected the beginning of a construct"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_broken_rule_file_is_told_with_its_line_and_the_old_rules_stay(
    at: tuple[Bench, Page], tmp_path: Path, name: str
) -> None:
    bench, page = at
    text, line, why = BROKEN[name]
    limits = tmp_path / "rules/limits.clp"
    good = limits.read_text()
    write(limits, text)
    page.until(
        lambda: "error" in page.one("Rules", path=str(limits)) and page.one("Rules", path=str(limits))["error"] != ""
    )
    error = page.one("Rules", path=str(limits))["error"]
    assert error.startswith(f"{limits}:{line}: "), error
    assert why in error
    bench.says("the rules stay as they were")
    section = page.one("Function", name="count")
    page.edit({"id": section["id"], "set": {"source": of_lines(61)}})
    assert len(page.notes(section)) == 1
    write(limits, good)
    page.until(lambda: page.one("Rules", path=str(limits))["error"] == "")


def test_rules_that_fail_refuse_the_edit_and_say_which(at: tuple[Bench, Page], tmp_path: Path) -> None:
    _, page = at
    section = page.one("Function", name="count")
    write(
        tmp_path / "rules/ours.clp",
        """(defrule bad-slot (changed (id ?id) (slot hidden)) => (put ?id colour 3))
           (defrule bad-type (changed (id ?id) (slot readonly)) => (put ?id source 3))
           (defrule bad-sum (created (class Note)) => (bind ?x (+ 1 (eval "one"))))\n""",
    )
    page.until(lambda: len(page.all("Rules")) == 4)
    assert (
        page.refused({"id": section["id"], "set": {"hidden": 1}}) == "rule bad-slot: class Function has no slot colour"
    )
    assert "rule bad-type: source is to be a text" in page.refused({"id": section["id"], "set": {"readonly": 1}})
    assert "bad-sum" in page.refused({"new": "Note", "set": {"on": section["id"], "text": "x"}})
    page.edit({"id": section["id"], "set": {"source": of_lines(61)}})
    assert len(page.notes(section)) == 1


def test_rules_without_end_are_stopped(at: tuple[Bench, Page], tmp_path: Path) -> None:
    _, page = at
    section = page.one("Function", name="count")
    write(
        tmp_path / "rules/ours.clp",
        """(defrule again (changed (slot hidden)) (Function (id ?id) (place ?p)) => (put ?id place (+ ?p 1)))
           (defrule loop (changed (slot readonly)) => (while TRUE do (+ 1 1)))\n""",
    )
    page.until(lambda: len(page.all("Rules")) == 4)
    before = dict(page.objects)
    for slot, rule in (("hidden", "again"), ("readonly", "loop")):
        why = page.refused({"id": section["id"], "set": {slot: 1}})
        assert why == f"rule {rule}: the rules do not come to an end: stopped after 3 s"
    assert page.objects == before


def test_rules_that_cannot_be_used_for_what_there_is_are_not(at: tuple[Bench, Page], tmp_path: Path) -> None:
    _, page = at
    write(tmp_path / "rules/limits.clp", '(defrule never (Function (name "main")) => (refuse "no main"))\n')
    page.until(lambda: any("no main" in rules.get("error", "") for rules in page.all("Rules")))
    section = page.one("Function", name="count")
    page.edit({"id": section["id"], "set": {"source": of_lines(61)}})
    assert len(page.notes(section)) == 1


def test_a_workshop_does_not_begin_with_a_broken_rule_file(tmp_path: Path) -> None:
    _, store = imported(tmp_path, SOURCES)
    (tmp_path / "bad.clp").write_text("(defrule x\n  (Nothing)\n =>\n (boom))\n")
    result = run("workshop", store, "--rules", tmp_path / "bad.clp")
    assert result.returncode == 1
    assert f"{tmp_path / 'bad.clp'}:4: [EXPRNPSR3] Missing function declaration for boom." in result.stderr


def test_two_workshops_are_one_too_many(at: tuple[Bench, Page]) -> None:
    result = run("workshop", at[0].store)
    assert result.returncode == 1
    assert "has an owner already" in result.stderr
