"""The same work over every transport: what can be seen of it is the same."""

from __future__ import annotations

import json
import re
import threading
from pathlib import Path

import pytest
from workbench import TRANSPORTS, Object, Page, contents, done, imported, opened

from testing.servers.matrix import ROOT

PARTS = ("objectbase/transport", "python/heddle/ipc")


def sources() -> dict[str, str | bytes]:
    return {
        f"{part}/{path.name}": path.read_bytes()
        for part in PARTS
        for path in sorted((ROOT / part).iterdir())
        if path.is_file() and path.suffix in {".cpp", ".hpp", ".py"}
    }


def work(page: Page) -> list[tuple[int, Object]]:
    """A morning's work; returns what was answered."""
    said: list[tuple[int, Object]] = []

    def section(name: str, path: str) -> Object:
        return page.one("Function", name=name, file=page.one("File", path=path)["id"])

    def do(*changes: Object) -> None:
        said.append(page.propose(*changes))

    flush = section("flush", "objectbase/transport/channel.cpp")
    do({"id": flush["id"], "set": {"name": "send_kept"}})
    long = section("told", "objectbase/transport/owner.cpp")
    for lines in (90, 50, 91):
        do({"id": long["id"], "set": {"source": "void Owner::told()\n{\n" + "  step();\n" * lines + "}\n"}})
    do({"id": long["id"], "set": {"source": "// nothing\n"}})
    do({"erase": section("kept_bytes", "objectbase/transport/channel.hpp")["id"]})
    wake = section("wake", "objectbase/transport/owner.cpp")
    do({"id": wake["id"], "set": {"hidden": 1, "readonly": 1}})
    do({"id": wake["id"], "set": {"source": "void Owner::wake() {}\n"}})
    do(
        {"new": "Note", "set": {"on": wake["id"], "text": "asleep: \u20ac <b>"}},
        {"id": flush["id"], "set": {"hidden": 1}},
    )
    note = page.one("Note", on=wake["id"])
    do({"id": note["id"], "set": {"text": "awake"}})
    two = long["source"] + "\nint more(void)\n{\n  return send_kept();\n}\n"
    do({"id": long["id"], "set": {"source": two}})
    do({"erase": note["id"]}, {"erase": note["id"]})
    for index in range(40):
        body = "  step();\n" * (40 + index)
        do({"id": long["id"], "set": {"source": f"void Owner::told()\n{{\n{body}}}\n"}})
    return said


def without_numbers(objects: list[Object], known: int) -> list[str]:
    """Objects in words. Of those that were made later the numbers depend on what readers have let go."""

    def number(which: int) -> int | str:
        return which if which <= known else "new"

    described = []
    for each in objects:
        changed = {name: number(each[name]) for name in ("id", "on", "from", "to", "about", "parent") if name in each}
        described.append(json.dumps({**each, **changed}, sort_keys=True))
    return sorted(described)


def in_words(answer: Object, known: int) -> str:
    text = str(answer.get("refused", len(answer.get("created", ()))))
    return re.sub(r"\d+", lambda found: found[0] if int(found[0]) <= known else "new", text)


def test_all_transports_show_the_same(tmp_path: Path) -> None:
    seen: dict[str, dict[str, object]] = {}
    for transport in TRANSPORTS:
        folder = tmp_path / transport
        folder.mkdir()
        _, store = imported(folder, sources())
        with opened(store, transport) as (_, page):
            known = max(page.objects)
            answers = work(page)
            objects = list(page.objects.values())
            changes = list(page.changes)
        done("export", store, folder / "out")
        seen[transport] = {
            "answers": [(status, in_words(said, known)) for status, said in answers],
            "objects": without_numbers(objects, known),
            "changes": [
                (without_numbers(now, known), sorted("new" if each > known else str(each) for each in gone))
                for now, gone in changes
            ],
            "files": contents(folder / "out"),
        }
    assert len(objects) > 500
    assert [status for status, _ in answers[:5]] == [200, 200, 200, 200, 409]
    rules = {note.get("rule") for note in objects if note["class"] == "Note"}
    assert {"long", "renamed", "dangling"} <= rules
    assert len(changes) > 40
    for transport in TRANSPORTS:
        for what, one in seen[transport].items():
            assert one == seen["V1"][what], f"{what} over {transport}"


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_two_pages_that_edit_at_once_lose_nothing(tmp_path: Path, transport: str) -> None:
    _, store = imported(tmp_path, {"a.c": "int f(void)\n{\n  return 0;\n}\n"})
    with opened(store, transport) as (bench, page):
        other = Page(bench.address)
        number = page.one("Function", name="f")["id"]

        def count(own: Page) -> None:
            for _ in range(15):
                while True:
                    seen = own.commit
                    now = int(own.objects[number]["source"].split("return ")[1].split(";")[0])
                    change = {"source": f"int f(void)\n{{\n  return {now + 1};\n}}\n"}
                    if own.propose({"id": number, "set": change}, seen=seen)[0] == 200:
                        break
                    own.until(lambda seen=seen: own.commit > seen)  # type: ignore[misc]

        threads = [threading.Thread(target=count, args=(each,)) for each in (page, other)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        page.until(lambda: "return 30;" in page.objects[number]["source"])
        other.until(lambda: other.objects == page.objects)
        other.close()
