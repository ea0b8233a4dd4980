"""A file that is edited elsewhere is read in again: as one edit, through the same rules."""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from workbench import TRANSPORTS, Object, Page, contents, done, imported, opened

A = """#include "a.h"

int one(void)
{
  return 1;
}

int two(void)
{
  return one() + one();
}

int three(void)
{
  return two() + one();
}
"""
# One changes, two gets another name, a new one comes before three, whose source stays.
A_NOW = """#include "a.h"

int one(void)
{
  // The first.
  return 1;
}

int second(void)
{
  return one() + one();
}

int between(void)
{
  return 0;
}

int three(void)
{
  return two() + one();
}
"""
B = "def helper():\n    return 1\n\n\nclass Tool:\n    def use(self):\n        return helper()\n"


def sections(page: Page, path: str) -> list[Object]:
    file = page.one("File", path=path)["id"]
    own = [each for each in page.objects.values() if each.get("file") == file]
    return sorted(own, key=lambda each: each["place"])


def functions(page: Page, path: str) -> list[tuple[str, int]]:
    return [(each["name"], each["id"]) for each in sections(page, path) if each["class"] == "Function"]


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_file_is_read_in_again_as_one_edit(tmp_path: Path, transport: str) -> None:
    tree, store = imported(tmp_path, {"a.c": A, "sub/b.py": B})
    with opened(store, transport, "--tree", tree) as (_, page):
        one, two, three = (number for _, number in functions(page, "a.c"))
        page.edit({"new": "Note", "set": {"on": two, "text": "mine"}})
        before = len(page.changes)
        (tree / "a.c").write_text(A_NOW)
        page.until(lambda: len(page.changes) > before)
        assert [name for name, _ in functions(page, "a.c")] == ["one", "second", "between", "three"]
        numbers = dict(functions(page, "a.c"))
        assert (numbers["one"], numbers["second"], numbers["three"]) == (one, two, three)
        assert len(page.changes) == before + 1
        assert page.notes(page.objects[two]) == ["mine"]
        assert page.notes(page.objects[three]) == ["refers to two, which is now second"]
        # By another name first, as most programs do it; in a folder below.
        (tree / "sub/b.new").write_text(B.replace("helper", "tool"))
        (tree / "sub/b.new").replace(tree / "sub/b.py")
        page.until(lambda: len(page.changes) > before + 1)
        assert [name for name, _ in functions(page, "sub/b.py")] == ["tool", "use"]
    done("export", store, tmp_path / "out")
    assert {name: text for name, (text, _) in contents(tmp_path / "out").items()} == {
        name: text for name, (text, _) in contents(tree).items()
    }


def test_what_a_rule_refuses_is_not_read_in(tmp_path: Path) -> None:
    tree, store = imported(tmp_path, {"a.c": A})
    with opened(store, "V4", "--tree", tree) as (bench, page):
        page.edit({"id": dict(functions(page, "a.c"))["two"], "set": {"readonly": 1}})
        before = sections(page, "a.c")
        (tree / "a.c").write_text(A_NOW)
        bench.says(r"a\.c: is not read in again: the section is read-only")
        assert sections(page, "a.c") == before
        (tree / "a.c").write_bytes(A.replace("return 1", "return '\xe4'").encode("latin-1"))
        bench.says(r"a\.c: is not read in again: .*text")
        assert sections(page, "a.c") == before
        # It is still watched.
        (tree / "a.c").write_text(A.replace("return 1", "return 11"))
        page.until(lambda: "return 11" in sections(page, "a.c")[1]["source"])


def test_what_is_not_of_the_tree_is_left_alone(tmp_path: Path) -> None:
    tree, store = imported(tmp_path, {"a.c": A, "b.c": "int b;\n"})
    with opened(store, "V4", "--tree", tree) as (_, page):
        before = dict(page.objects)
        (tree / "new.c").write_text("int n(void) { return 0; }\n")
        (tree / "b.c").unlink()
        (tree / "b.c").symlink_to(tmp_path / "elsewhere.c")
        (tmp_path / "elsewhere.c").write_text("int elsewhere;\n")
        (tree / "a.c").write_text(A)  # as it was
        changes = len(page.changes)
        (tree / "a.c").write_text(A_NOW)
        page.until(lambda: len(page.changes) > changes)
        assert len(page.changes) == changes + 1
        assert {each["id"]: each for each in sections(page, "b.c")} == {
            each["id"]: before[each["id"]] for each in sections(page, "b.c")
        }
        assert not page.all("File", path="new.c")


def test_whatever_becomes_of_a_file_it_comes_back_byte_for_byte(tmp_path: Path) -> None:
    chance = random.Random(7)
    parts = [f"int f{number}(int x)\n{{\n  return f{number - 1}(x);\n}}\n\n" for number in range(12)]
    parts += [f"static int v{number};\n\n" for number in range(6)] + ["struct S {\n  int a;\n};\n\n"]
    tree, store = imported(tmp_path, {"a.c": "".join(parts)})
    with opened(store, "V4", "--tree", tree) as (bench, page):
        for _ in range(40):
            chosen = chance.sample(parts, chance.randrange(len(parts) + 1))
            chosen = [each.replace("return", "return 1 +") if chance.random() < 0.3 else each for each in chosen]
            text = "".join(chosen)
            if chance.random() < 0.3:
                text = text.rstrip("\n")
            (tree / "a.c").write_text(text)
            page.until(lambda text=text: "".join(each.get("source", "") for each in sections(page, "a.c")) == text)  # type: ignore[misc]
        assert "not read in" not in "".join(bench.said)
