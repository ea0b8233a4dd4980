"""What is exported is what was imported, byte for byte, but for what was edited."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest
from workbench import contents, done, imported, opened, run

from testing.servers.matrix import ROOT

ODD: dict[str, str | bytes] = {
    "empty.c": "",
    "dos.c": "int f(void)\r\n{\r\n  return 1;\r\n}\r\n\r\nint g(void)\r\n{\r\n  return f();\r\n}\r\n",
    "no-end.py": "def f():\n    return 1\n\n\ndef g():\n    return f()",
    "mixed.c": "int f(void) { return 1; }\r\nint g(void) { return 2; }\n",
    "latin.c": b"int f(void) { return 1; } /* \xe9 */\n",
    "zero.bin": bytes(range(256)) * 3,
    "deep/er/one line.c": "int a(void) { return 1; } int b(void) { return 2; }",
    "class.hpp": "// A thing.\nclass Thing {\n public:\n  // Says so.\n  int size() const { return size_; }\n\n"
    " private:\n  int size_ = 0;\n};\n\nstruct Plain { int x; };\n",
    "broken.c": "int f( { {{{ \n\n}}}}} } int g(\n",
    "README": "not code\n",
    "umlaut-\u00fc.py": "class \u00dcber:\n    def m(self): return '\u20ac'\n",
}


def test_odd_files_come_back_as_they_were(tmp_path: Path) -> None:
    tree, store = imported(tmp_path, ODD)
    (tree / "deep/er/one line.c").chmod(0o755)
    store = tmp_path / "with-modes"
    done("import", tree, store)
    said = done("export", store, tmp_path / "out")
    assert said.endswith(f", {len(ODD)} files written\n")
    assert contents(tmp_path / "out") == contents(tree)
    assert done("export", store, tmp_path / "out").endswith(", 0 files written\n")


@pytest.mark.parametrize("part", ["objectbase", "python", "examples", "crawler"])
def test_sources_of_this_project_come_back_as_they_were(part: str, tmp_path: Path) -> None:
    listed = subprocess.run(["git", "ls-files", "-z", part], cwd=ROOT, capture_output=True, text=True, check=True)
    for name in filter(None, listed.stdout.split("\0")):
        (tmp_path / "tree" / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / "tree" / name)
    done("import", tmp_path / "tree", tmp_path / "store")
    done("export", tmp_path / "store", tmp_path / "out")
    out = contents(tmp_path / "out")
    assert out == {name: each for name, each in contents(tmp_path / "tree").items() if "/." not in f"/{name}"}
    assert len(out) > 20


def test_functions_and_classes_are_sections(tmp_path: Path) -> None:
    _, store = imported(tmp_path, ODD)
    with opened(store) as (_, page):
        header = page.one("File", path="class.hpp")["id"]
        sections = sorted(
            (each for each in page.objects.values() if each.get("file") == header), key=lambda s: s["place"]
        )
        assert [(each["class"], each["name"]) for each in sections] == [
            ("Class", "Thing"),
            ("Function", "size"),
            ("Text", ""),
            ("Text", ""),
            ("Class", "Plain"),
        ]
        assert sections[0]["source"] == "// A thing.\nclass Thing {\n public:\n"
        assert sections[1]["source"] == "  // Says so.\n  int size() const { return size_; }\n"
        assert sections[1]["parent"] == sections[2]["parent"] == sections[0]["id"]
        assert sections[2]["source"].endswith("};\n")
        assert "parent" not in sections[3]
        assert "parent" not in sections[4]


def test_an_edit_changes_its_section_in_the_file_and_nothing_else(tmp_path: Path) -> None:
    tree, store = imported(tmp_path, ODD)
    with opened(store) as (_, page):
        dos = page.one("File", path="dos.c")["id"]
        function = page.one("Function", file=dos, name="g")
        assert function["source"] == "int g(void)\r\n{\r\n  return f();\r\n}\r\n"
        # A page's text area has other line ends.
        page.edit({"id": function["id"], "set": {"source": "int g(void)\n{\n  return 2 * f();\n}\n"}})
        end = page.one("Function", file=page.one("File", path="no-end.py")["id"], name="g")
        page.edit({"id": end["id"], "set": {"source": "def g():\n    return 7"}})
    assert done("export", store, tree).endswith(", 2 files written\n")
    assert (tree / "dos.c").read_bytes() == str(ODD["dos.c"]).replace("return f()", "return 2 * f()").encode()
    assert (tree / "no-end.py").read_text() == "def f():\n    return 1\n\n\ndef g():\n    return 7"


def test_two_sections_stay_on_lines_of_their_own(tmp_path: Path) -> None:
    tree, store = imported(tmp_path, {"a.c": "int f(void) { return 1; }\nint g(void) { return 2; }"})
    with opened(store) as (_, page):
        page.edit({"id": page.one("Function", name="f")["id"], "set": {"source": "int f(void) { return 3; }"}})
        last = page.one("Function", name="g")
        page.edit({"new": "Text", "set": {"file": last["file"], "place": 9, "name": "", "source": "// end\n"}})
    done("export", store, tree)
    assert (tree / "a.c").read_text() == "int f(void) { return 3; }\nint g(void) { return 2; }\n// end\n"


def test_what_no_page_could_give_back_is_not_edited(tmp_path: Path) -> None:
    _, store = imported(tmp_path, ODD)
    with opened(store) as (_, page):
        for name in ("mixed.c", "zero.bin", "latin.c"):
            file = page.one("File", path=name)["id"]
            for each in [each for each in page.objects.values() if each.get("file") == file and "fixed" in each]:
                assert "would not come back" in page.refused({"id": each["id"], "set": {"source": "x\n"}})
        assert page.one("Text", file=page.one("File", path="zero.bin")["id"])["fixed"] == "768 bytes that are not text"
    done("export", store, tmp_path / "out")
    assert (tmp_path / "out/zero.bin").read_bytes() == ODD["zero.bin"]


def test_bad_input_is_told(tmp_path: Path) -> None:
    tree, store = imported(tmp_path, {"a.c": "int f;\n"})
    for words, why in (
        (("import", tree / "nothing", tmp_path / "new"), "is no folder"),
        (("import", tree, store), "store"),
        (("export", tmp_path / "nothing", tree), "make it by workbench import"),
        (("serve", tmp_path / "nothing"), "make it by workbench import"),
        (("serve", store, "--transport", "V9"), "there is no transport V9"),
        (("workshop", store, "--transport", "V2"), "for threads of one process"),
        (("serve", store, "--rules", tmp_path / "none.clp"), "none.clp: cannot be read"),
        (("serve", store, "--rules", tmp_path / "none.clp", "--transport", "V2"), "none.clp: cannot be read"),
        (("serve", store, "--page", tree), "the folder of the page"),
    ):
        result = run(*words)
        assert (result.returncode, result.stdout) == (1, ""), result
        assert why in result.stderr, result


def test_nothing_is_written_through_a_link(tmp_path: Path) -> None:
    _, store = imported(tmp_path, {"sub/a.c": "int f;\n"})
    (tmp_path / "out").mkdir()
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out/sub").symlink_to(tmp_path / "elsewhere")
    result = run("export", store, tmp_path / "out")
    assert result.returncode == 1
    assert "may lead outside" in result.stderr
    assert list((tmp_path / "elsewhere").iterdir()) == []
