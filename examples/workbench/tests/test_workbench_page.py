"""The page in a browser: sections are shown, edited, hidden, locked; links are followed; rules are seen at work."""

from __future__ import annotations

import json
import shutil
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from workbench import EXAMPLE, TRANSPORTS, Bench, Page, done, imported, started

from testing import browser

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(browser.find() is None, reason="no Chromium: apt-get install chromium-headless-shell"),
]

HOSTILE = "<img src=x onerror=alert(1)></textarea><script>window.hit = 1</script>"
SOURCES: dict[str, str | bytes] = {
    "count.c": "int count(const char *text)\n{\n  return text[0];\n}\n\nint twice(const char *text)\n{\n"
    "  return 2 * count(text);\n}\n",
    "main.c": "int main(void)\n{\n  return count(0);\n}\n",
    "odd.c": f"/* {HOSTILE} */\nint odd(void)\n{{\n  return 0; // {HOSTILE}\n}}\n",
    f"{HOSTILE.replace('/', '_')}.c": "int named(void) { return 0; }\n",
}


class Shown:
    """A page in a browser."""

    def __init__(self, page: browser.Page) -> None:
        self.page = page

    def value(self, expression: str) -> Any:  # noqa: ANN401 - whatever the script gives
        return self.page.value(expression)

    def until(self, expression: str, wanted: object = True) -> None:
        deadline = time.monotonic() + 60
        while (found := self.value(expression)) != wanted:
            assert time.monotonic() < deadline, (expression, found)
            time.sleep(0.02)

    def section(self, name: str) -> str:
        """As an expression of the page's script."""
        return f"[...document.querySelectorAll('section')].find(s => s.ariaLabel.endsWith({json.dumps(' ' + name)}))"

    def click(self, name: str, button: str) -> None:
        buttons = f"[...({self.section(name)}).querySelectorAll('button')]"
        self.value(f"{buttons}.find(b => b.textContent === {json.dumps(button)}).click()")

    def write(self, name: str, text: str, field: str = "textarea") -> None:
        self.value(f"(e => {{ e.focus(); e.select(); }})(({self.section(name)}).querySelector('{field}'))")
        self.page.type(text)

    def text(self, name: str, part: str) -> str:
        return f"({self.section(name)})?.querySelector('{part}')?.innerText ?? ''"

    def show_file(self, path: str) -> None:
        self.value(f"[...document.querySelectorAll('nav a')].find(a => a.textContent === {json.dumps(path)}).click()")
        self.until("document.querySelector('nav a[aria-current]')?.textContent", path)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return imported(tmp_path, SOURCES)[1]


def showing(tmp_path: Path, store: Path, *options: str | Path) -> Callable[[], Iterator[tuple[Bench, Shown]]]:
    def show() -> Iterator[tuple[Bench, Shown]]:
        profile = tmp_path / "profile"
        profile.mkdir()
        with started(store, *options) as bench, browser.browser(profile) as page:
            page.go(bench.address, bench.address.partition("?")[0])
            shown = Shown(page)
            shown.until("document.querySelectorAll('section').length > 0")
            yield bench, shown
            # Refusals are answers, which the browser logs.
            assert [error for error in page.errors if "409" not in error and "400" not in error] == []

    return show


@pytest.fixture
def at(tmp_path: Path, store: Path) -> Iterator[tuple[Bench, Shown]]:
    shutil.copytree(EXAMPLE / "rules", tmp_path / "rules")
    yield from showing(tmp_path, store, "V4", "--rules", tmp_path / "rules")()


@pytest.fixture
def shown(at: tuple[Bench, Shown]) -> Shown:
    return at[1]


LONG = "int count(const char *text)\n{\n" + "  text++;\n" * 70 + "}\n"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_an_edit_is_saved_and_its_note_appears(tmp_path: Path, store: Path, transport: str) -> None:
    for _, shown in showing(tmp_path, store, transport)():
        shown.show_file("count.c")
        shown.write("count", LONG)
        assert shown.value(f"({shown.section('count')}).querySelector('button').hidden") is False
        shown.click("count", "Save")
        shown.until(shown.text("count", ".notes"), "long: count has 73 lines; at most 60 can be read at once")
        assert shown.value(f"({shown.section('count')}).classList.contains('marked')")
    done("export", store, tmp_path / "out")
    text = str(SOURCES["count.c"])
    assert (tmp_path / "out/count.c").read_text() == LONG + text[text.index("\nint twice") :]


def test_links_are_followed_by_click(shown: Shown) -> None:
    shown.show_file("main.c")
    shown.value(f"({shown.section('main')}).querySelector('.refers-to a').click()")
    shown.until("document.querySelector('nav a[aria-current]')?.textContent", "count.c")
    shown.until("document.querySelector('section.aim')?.ariaLabel", "Function count")
    shown.value(f"[...({shown.section('count')}).querySelectorAll('.used-by a')].find(a => a.text === 'main').click()")
    shown.until("document.querySelector('section.aim')?.ariaLabel", "Function main")


def test_callers_of_a_renamed_function_are_marked_at_once(shown: Shown) -> None:
    shown.show_file("count.c")
    shown.value(f"({shown.section('count')}).querySelector('.name').focus()")
    shown.write("count", "number", ".name")
    shown.page.key("Enter", "\r")
    shown.until(shown.text("number", ".place"), "count.c, 4 lines")
    shown.until(shown.text("twice", ".notes"), "renamed: refers to count, which is now number")
    assert shown.value(f"({shown.section('number')}).querySelector('textarea').value").startswith("int number(")


def test_a_removed_function_leaves_links_that_show_it(shown: Shown) -> None:
    shown.show_file("count.c")
    shown.click("count", "Remove")
    shown.until(f"({shown.section('count')}) === undefined")
    shown.until(shown.text("twice", ".gone"), "count")
    assert shown.value(shown.text("twice", ".notes")) == "dangling: refers to count, which is not there any more"


def test_sections_are_hidden_and_shown(shown: Shown) -> None:
    shown.show_file("count.c")
    shown.click("twice", "Hide")
    shown.until(f"({shown.section('twice')}) === undefined")
    shown.value("document.getElementById('hidden').click()")
    shown.click("twice", "Unhide")
    shown.value("document.getElementById('hidden').click()")
    shown.until(f"({shown.section('twice')}) !== undefined")


def test_a_locked_section_is_not_written_in(shown: Shown) -> None:
    shown.show_file("count.c")
    shown.click("count", "Lock")
    shown.until(f"({shown.section('count')}).querySelector('textarea').readOnly")
    before = shown.value(f"({shown.section('count')}).querySelector('textarea').value")
    shown.write("count", "x")
    assert shown.value(f"({shown.section('count')}).querySelector('textarea').value") == before
    shown.click("count", "Unlock")
    shown.until(f"({shown.section('count')}).querySelector('textarea').readOnly", False)


def test_a_refused_edit_says_why_and_keeps_what_was_written(shown: Shown) -> None:
    shown.show_file("count.c")
    shown.write("count", "/* nothing */\n")
    shown.click("count", "Save")
    shown.until(shown.text("count", ".said"), "Refused: a function or a class has a name: its source defines none")
    assert shown.value(f"({shown.section('count')}).querySelector('textarea').value") == "/* nothing */\n"
    shown.click("count", "Revert")
    shown.until(f"({shown.section('count')}).querySelector('textarea').value.startsWith('int count(')")


def test_what_another_page_does_is_seen_while_one_writes(at: tuple[Bench, Shown]) -> None:
    bench, shown = at
    other = Page(bench.address)
    shown.show_file("count.c")
    shown.write("count", "int count(void) { return 5; }\n")
    twice = other.one("Function", name="twice")
    other.edit({"id": twice["id"], "set": {"source": "int twice(void) { return 4; }\n"}})
    shown.until(f"({shown.section('twice')}).querySelector('textarea').value", "int twice(void) { return 4; }\n")
    count = other.one("Function", name="count")
    other.edit({"id": count["id"], "set": {"source": "int count(void) { return 9; }\n"}})
    shown.until(shown.text("count", ".meanwhile"), "It has been changed meanwhile.")
    # What was being written is there still, and the caret in it.
    assert shown.value(f"({shown.section('count')}).querySelector('textarea').value").endswith("return 5; }\n")
    assert shown.value("document.activeElement.value").endswith("return 5; }\n")
    shown.click("count", "Save")
    shown.until(shown.text("count", ".said"), f"Refused: object {count['id']} has been changed meanwhile")
    assert other.objects[count["id"]]["source"] == "int count(void) { return 9; }\n"
    other.close()


def test_notes_are_made_and_removed(shown: Shown) -> None:
    shown.show_file("odd.c")
    shown.click("odd", "Note")
    shown.page.type(HOSTILE)
    shown.page.key("Enter", "\r")
    shown.until(shown.text("odd", ".notes span"), HOSTILE)
    shown.click("odd", "Forget")
    shown.until(shown.text("odd", ".notes"), "")


def test_names_and_sources_are_text_whatever_they_hold(shown: Shown) -> None:
    shown.show_file("odd.c")
    assert shown.value(f"({shown.section('odd')}).querySelector('textarea').value") == str(SOURCES["odd.c"])
    shown.show_file(f"{HOSTILE.replace('/', '_')}.c")
    assert shown.value("document.querySelectorAll('img, main script').length") == 0
    assert shown.value("window.hit === undefined")


def test_a_broken_rule_file_is_told_on_the_page(shown: Shown, tmp_path: Path) -> None:
    limits = tmp_path / "rules/limits.clp"
    good = limits.read_text()
    limits.write_text("(defrule wrong\n  (Function (size 3))\n  =>)\n")
    shown.until("document.getElementById('broken').hidden", False)
    said = shown.value("document.getElementById('broken').innerText")
    assert said.startswith(f"{limits}:2: [TMPLTDEF1] Invalid slot size")
    limits.write_text(good.replace("most-lines* = 60", "most-lines* = 2"))
    shown.until("document.getElementById('broken').hidden")
    shown.value("document.getElementById('noted').click()")
    sections = "[...document.querySelectorAll('section')].map(section => section.ariaLabel).sort().join()"
    shown.until(sections, "Function count,Function main,Function odd,Function twice")


def test_a_new_section_below_becomes_a_function(shown: Shown) -> None:
    shown.show_file("main.c")
    shown.click("main", "Add below")
    shown.until(f"({shown.section('(text)')}) !== undefined")
    shown.write("(text)", "int more(void)\n{\n  return main();\n}\n")
    shown.click("(text)", "Save")
    shown.until(shown.text("more", ".refers-to a"), "main")
