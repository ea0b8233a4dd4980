"""The HTML page: complete by itself, readable without scripts, safe with any name, and usable by keyboard alone."""

from __future__ import annotations

import html.parser
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import analysed
import pytest
from analysed import needs_analyser
from cli_support import Heddle

from heddle.documents.constraints import Constraints
from heddle.explain import review
from heddle.explain.sources import Sources
from heddle.report import page
from testing import browser
from testing.browser import Page

Document = dict[str, Any]


class Structure(html.parser.HTMLParser):
    """Elements with their attributes, and that all that is opened is closed."""

    VOID = frozenset("meta input br hr img link option".split())  # an option closes itself

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.open: list[str] = []
        self.text: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if not self.open or self.open[-1] not in ("script", "style"):
            self.text.append(data)

    def all(self, tag: str, **attributes: str) -> list[dict[str, str | None]]:
        return [found for name, found in self.elements if name == tag and attributes.items() <= found.items()]


def written(document: Document, *folders: Path) -> str:
    return page.page(Constraints(document), Sources(folders), review.EVERYTHING)


def embedded(text: str) -> Document:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', text, re.DOTALL)
    assert found
    data: Document = json.loads(found[1])
    return data


def test_the_page_needs_nothing_but_itself(golden: Document) -> None:
    text = written(golden)
    structure = Structure(text)
    assert structure.open == []
    for _, attributes in structure.elements:
        assert not {"src", "srcset", "background", "action"} & attributes.keys()
        assert (attributes.get("href") or "#").startswith("#")
    assert "default-src 'none'" in text
    assert not re.search(r"url\(|@import|https?://|fetch\(|XMLHttpRequest", text)


def test_matrix_causes_and_handlers_are_there_without_scripts(golden: Document) -> None:
    structure = Structure(written(golden))
    cells = structure.all("td", role="gridcell")
    assert [cell["class"] for cell in cells[:4]] == ["never", "always", "never", "always"]
    assert len(cells) == 16
    words = " ".join(" ".join(structure.text).split())
    assert "4 handlers. Of their pairs 2 never conflict, 2 only within one session, 6 always." in words
    assert "Remedy: stats.requests only counts" in words
    assert "unknown external vendor_expire" in words
    assert "`client->next` reaches other sessions" in words


def test_every_control_has_a_name_and_every_header_a_scope(golden: Document) -> None:
    text = written(golden)
    structure = Structure(text)
    assert all(th.get("scope") in ("row", "col") for th in structure.all("th"))
    assert structure.all("html", lang="en")
    assert structure.all("main")
    ids = [attributes["id"] for _, attributes in structure.elements if "id" in attributes]
    assert len(set(ids)) == len(ids)
    for _, attributes in structure.elements:
        for reference in ("aria-labelledby", "aria-describedby"):
            if attributes.get(reference):
                assert attributes[reference] in ids
    # Inputs stand inside their labels.
    for match in re.finditer(r"<(input|select)\b", text.split("<script")[0]):
        before = text[: match.start()]
        assert before.rfind("<label>") > before.rfind("</label>")


def test_names_cannot_break_out_of_the_page(golden: Document) -> None:
    evil = "</script><script>alert(1)</script><!--&amp;\u2028"
    golden["handlers"][0]["name"] = evil
    golden["objects"][1]["name"] = evil
    golden["assumptions"][0]["name"] = evil
    text = written(golden)
    assert text.count("<script") == 2
    assert "alert(1)</script>" not in text
    assert embedded(text)["handlers"][0] == evil


def test_sources_are_embedded_around_each_step(golden: Document, tmp_path: Path) -> None:
    (tmp_path / "cache.c").write_text("".join(f"line {n} of <cache>\n" for n in range(1, 60)))
    data = embedded(written(golden, tmp_path))
    assert set(data["lines"]) == {"cache.c"}
    assert sorted(map(int, data["lines"]["cache.c"])) == [*range(20, 25), *range(38, 43)]
    assert data["lines"]["cache.c"]["40"] == "line 40 of <cache>"


def test_a_program_without_handlers_has_a_page(golden: Document) -> None:
    empty = golden | {"handlers": [], "objects": [], "accesses": [], "pairs": [], "assumptions": []}
    assert Structure(written(empty)).open == []


@needs_analyser
def test_the_page_of_a_real_program_has_every_conflict_with_its_sources(heddle: Heddle) -> None:
    program = analysed.PROGRAMS / "linked_sessions.c"
    document = analysed.document(program)
    (heddle.folder / "c.json").write_text(json.dumps(document))
    done = heddle("analyze", "c.json", "--html", "out.html", "--sources", program.parent)
    assert done.code == 0, done.err
    assert done.out.endswith("\nWritten to out.html\n")
    assert done.err == ""
    data = embedded((heddle.folder / "out.html").read_text())
    assert sum(map(len, data["pairs"].values())) == sum(len(pair["conflicts"]) for pair in document["pairs"])
    lines = program.read_text().splitlines()
    for access in data["accesses"]:
        for _, file, line in access["path"]:
            assert data["lines"][file][str(line)] == lines[line - 1]


# ---- in a browser ----

in_browser = [
    pytest.mark.slow,
    pytest.mark.skipif(browser.find() is None, reason="no Chromium: apt-get install chromium-headless-shell"),
]


@pytest.fixture
def shown(golden: Document, tmp_path: Path) -> Iterator[Page]:
    """The page of the golden document in a browser, with sources for one of its files."""
    (tmp_path / "cache.c").write_text("".join(f"line {n} of <cache>\n" for n in range(1, 60)))
    file = tmp_path / "page.html"
    file.write_text(written(golden, tmp_path))
    profile = tmp_path / "profile"
    profile.mkdir()
    with browser.browser(profile) as opened:
        opened.open(file)
        yield opened
        assert opened.errors == []


def named(shown: Page, role: str) -> list[str]:
    return [node["name"]["value"] for node in shown.tree() if node["role"]["value"] == role]


class TestInABrowser:
    pytestmark = in_browser

    def focused(self, shown: Page) -> str:
        return str(shown.value("document.activeElement.getAttribute('aria-label') || document.activeElement.id"))

    def to_the_matrix(self, shown: Page) -> None:
        for _ in range(30):
            shown.key("Tab")
            if shown.value("document.activeElement.getAttribute('role')") == "gridcell":
                return
        raise AssertionError("Tab does not lead to the matrix")

    def test_a_pair_is_found_opened_and_left_by_keyboard_alone(self, shown: Page) -> None:
        self.to_the_matrix(shown)
        assert self.focused(shown) == "on_accept and on_accept: never, 0 objects"
        shown.key("ArrowRight")
        shown.key("ArrowDown")
        assert self.focused(shown) == "on_lookup and on_lookup: always, 3 objects"
        shown.key("Enter", "\r")
        assert shown.value("document.activeElement.id") == "pair"
        assert shown.value("document.getElementById('pair-title').textContent") == "on_lookup and on_lookup: always"
        said = shown.value("document.getElementById('pair').innerText")
        assert "on_lookup: write by strtok()" in said
        assert "through cache.lru, taken in cache_get()" in said
        assert shown.value("document.querySelector('pre .here').textContent").split() == "40 line 40 of <cache>".split()
        shown.key("Escape")
        assert self.focused(shown) == "on_lookup and on_lookup: always, 3 objects"

    def test_arrow_keys_stop_at_the_edges(self, shown: Page) -> None:
        self.to_the_matrix(shown)
        for key in ("ArrowLeft", "ArrowUp"):
            shown.key(key)
        assert self.focused(shown).startswith("on_accept and on_accept")
        shown.key("End")
        for _ in range(6):
            shown.key("ArrowDown")
        shown.key("ArrowRight")
        assert self.focused(shown).startswith("on_sweep and on_sweep")
        assert shown.value("document.querySelectorAll('[role=gridcell][tabindex=\"0\"]').length") == 1

    def test_filters_dim_what_does_not_match_and_say_how_many_do(self, shown: Page) -> None:
        assert shown.value("document.getElementById('shown').textContent") == "10 of 10 pairs"
        shown.value("document.getElementById('by-object').focus()")
        shown.type("strtok")
        assert shown.value("document.getElementById('shown').textContent") == "1 of 10 pairs"
        assert shown.value("document.querySelectorAll('td:not(.off)[role=gridcell]').length") == 1
        shown.value("document.querySelector('#filters [type=reset]').click()")
        shown.value("document.getElementById('by-handler').focus()")
        shown.type("SWEEP")
        assert shown.value("document.getElementById('shown').textContent") == "4 of 10 pairs"
        shown.value("document.querySelector('#filters [type=reset]').click()")
        shown.value("document.querySelector('[value=always]').click()")
        assert shown.value("document.getElementById('shown').textContent") == "4 of 10 pairs"

    def test_a_cause_leads_to_its_pairs(self, shown: Page) -> None:
        shown.value("document.querySelector('.show-cause').click()")
        assert shown.value("document.getElementById('shown').textContent") == "2 of 10 pairs"
        assert self.focused(shown) == "on_accept and on_lookup: always, 1 object"

    def test_a_screen_reader_finds_its_way(self, shown: Page) -> None:
        assert named(shown, "grid") == ["Which handlers conflict"]
        assert len(named(shown, "gridcell")) == 16
        assert set(named(shown, "columnheader")) >= {"on_accept", "on_sweep"}
        assert named(shown, "searchbox") == ["Handler", "Object"]
        assert named(shown, "combobox") == ["Cause"]
        assert all(name.strip() for role in ("button", "checkbox", "link") for name in named(shown, role))
        assert "main" in [node["role"]["value"] for node in shown.tree()]

    def test_colours_follow_the_reader_and_can_be_read(self, shown: Page, tmp_path: Path) -> None:
        def colours() -> list[float]:
            return [
                contrast(shown, selector) for selector in ("body", "td.never", "td.session", "td.always", ".how, #keys")
            ]

        light = shown.value("getComputedStyle(document.body).backgroundColor")
        assert all(ratio >= 4.5 for ratio in colours()), colours()
        shown.value("document.getElementById('theme').click()")
        assert shown.value("getComputedStyle(document.body).backgroundColor") != light
        assert shown.value("document.getElementById('theme').getAttribute('aria-pressed')") == "true"
        assert all(ratio >= 4.5 for ratio in colours()), colours()
        shown.open(tmp_path / "page.html", dark=True)
        assert shown.value("document.getElementById('theme').getAttribute('aria-pressed')") == "true"
        assert shown.value("getComputedStyle(document.body).backgroundColor") != light

    def test_the_page_fits_a_narrow_window(self, shown: Page, tmp_path: Path) -> None:
        shown.open(tmp_path / "page.html", width=380)
        assert shown.value("document.documentElement.scrollWidth <= window.innerWidth")


def contrast(shown: Page, selector: str) -> float:
    """As WCAG 2.1 defines it, between a text and what is behind it."""
    found = shown.value(
        f"(() => {{ const e = document.querySelector('{selector}'); const s = getComputedStyle(e); let b = e;"
        " while (getComputedStyle(b).backgroundColor === 'rgba(0, 0, 0, 0)') b = b.parentElement;"
        " return [s.color, getComputedStyle(b).backgroundColor]; })()"
    )
    levels = sorted(luminance([int(part) for part in re.findall(r"\d+", colour)[:3]]) for colour in found)
    return (levels[1] + 0.05) / (levels[0] + 0.05)


def luminance(colour: list[int]) -> float:
    parts = [c / 255 for c in colour]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
