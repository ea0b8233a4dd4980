"""The package for Python: what is written is read, by this process and others; what cannot be done is told."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import random
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

objectbase = pytest.importorskip("objectbase")

VALUES: list[Any] = [
    *(
        0,
        -1,
        2**63 - 1,
        -(2**63),
        1.5,
        -0.0,
        float("inf"),
        "",
        "short",
        "z\0ero",
        "günstig 世界 and longer than a word",
    ),
    *(b"", b"\0\xff", bytes(range(256)) * 40, True),
]


def python(code: str, *words: str | Path) -> str:
    """What another process prints that has the package."""
    where = str(Path(objectbase.__file__).parents[1])
    environment = {**os.environ, "PYTHONPATH": where}
    command = [sys.executable, "-c", "import sys, objectbase\n" + code, *map(str, words)]
    return subprocess.run(command, env=environment, capture_output=True, text=True, check=True, timeout=60).stdout


def test_every_kind_of_value_comes_back(folder: Path) -> None:
    with objectbase.create(folder / "store") as store:
        any_class = store.define("Any", "value", "other")
        with store.transaction() as change:
            ids = [change.create(any_class, value=value) for value in VALUES]
            link = change.create(any_class, value=ids[3])
            assert [change.get(each, "value") for each in ids] == VALUES
            assert change.get(link, "other") is None
        for number, value in zip(ids, VALUES, strict=True):
            found = store.read(number)["value"]
            assert found == value
            assert isinstance(
                found, memoryview if isinstance(value, bytes) else type(value) if value is not True else int
            )
        assert store.read(link).values() == {"value": ids[3]}
        assert isinstance(store.read(link)["value"], objectbase.Id)
        assert store.reference(link, 0) == ids[3]
        assert store.integer(ids[2], 0) == 2**63 - 1
        assert store.number(ids[4], 0) == 1.5
        assert (store.integer(ids[4], 0), store.number(ids[0], 0), store.reference(ids[0], 1)) == (None, None, None)


def test_bytes_are_not_copied_and_stay(folder: Path) -> None:
    store = objectbase.create(folder / "store")
    note = store.define("Note", "data")
    with store.transaction() as change:
        made = change.create(note, data=b"first" * 100)
    version = store.read(made)
    view = version["data"]
    assert view.readonly
    with store.transaction() as change:
        change.set(made, "data", b"other" * 100)
    version.close()
    assert bytes(view) == b"first" * 100
    assert bytes(store.read(made)["data"]) == b"other" * 100
    store.close()
    with objectbase.open(folder / "store", write=True) as other, other.transaction() as change:
        change.erase(made)
    gc.collect()
    assert bytes(view) == b"first" * 100
    with pytest.raises(objectbase.Error, match="version was closed already"):
        version["data"]
    with pytest.raises(objectbase.Error, match="closed already"):
        store.read(made)


def test_a_transaction_is_all_or_nothing(folder: Path) -> None:
    store = objectbase.create(folder / "store")
    note = store.define("Note", "text")
    with store.transaction() as change:
        made = change.create(note, text="before")
    assert change.number == store.commit == 1
    with contextlib.suppress(ZeroDivisionError), store.transaction() as change:
        change.set(made, "text", "after")
        change.create(note)
        raise ZeroDivisionError
    assert store.read(made)["text"] == "before"
    assert store.commit == 1
    with pytest.raises(objectbase.Error, match="has ended already"):
        change.set(made, "text", "too late")
    with store.transaction() as change:
        change.erase(made)
        assert store.read(made) is not None
    assert store.read(made) is None
    with store.transaction() as change:
        assert change.create(note) != made


def test_what_cannot_be_done_is_told(folder: Path) -> None:
    with pytest.raises(objectbase.Error, match="missing: cannot be opened: No such file"):
        objectbase.open(folder / "missing")
    store = objectbase.create(folder / "store", limit=1 << 20)
    with pytest.raises(objectbase.Error, match="exists already"):
        objectbase.create(folder / "store")
    note = store.define("Note", "text")
    with store.transaction() as change:
        made = change.create(note)
        with pytest.raises(objectbase.Error, match="class Note has no slot size; it has: text"):
            change.set(made, "size", 1)
        with pytest.raises(objectbase.Error, match="64 bits"):
            change.set(made, "text", 2**63)
        with pytest.raises(TypeError, match="not list"):
            change.set(made, "text", [1])
        with pytest.raises(objectbase.Error, match="there is no object 99"):
            change.set(objectbase.Id(99), 0, 1)
        with pytest.raises(objectbase.Error, match="there is no object 99"):
            change.get(objectbase.Id(99), "text")
        with pytest.raises(objectbase.Error, match="is full"):
            change.set(made, "text", "x" * (2 << 20))
        with pytest.raises(objectbase.Error, match="has a transaction already"):
            store.transaction()
    assert store.read(made).values() == {}
    with pytest.raises(objectbase.Error, match="zero byte"):
        store.define("A\0B")
    reader = objectbase.open(folder / "store")
    with pytest.raises(objectbase.Error, match="opened to read"):
        reader.transaction()
    with pytest.raises(objectbase.Error, match="opened to read"):
        reader.define("Other")
    assert reader.find("Other") is None
    versions = [reader.read(made) for _ in range(64)]
    with pytest.raises(objectbase.Error, match="64 pins and snapshots already"):
        reader.read(made)
    versions.pop()
    assert reader.read(made) is not None


def test_classes_grow(folder: Path) -> None:
    store = objectbase.create(folder / "store")
    other = objectbase.open(folder / "store")
    note = store.define("Note", "text")
    seen = other.find("Note")
    assert seen.slots == ["text"]
    assert store.define("Note", "stars", "text").slots == ["text", "stars"]
    assert seen.slot("stars") == 1
    assert [each.name for each in other.classes()] == ["Note"]
    with store.transaction() as change:
        made = change.create(note, stars=5)
    assert other.read(made).values() == {"stars": 5}


def test_a_snapshot_stays(folder: Path) -> None:
    store = objectbase.create(folder / "store")
    note = store.define("Note", "number")
    with store.transaction() as change:
        ids = [change.create(note, number=number) for number in range(100)]
    with store.snapshot() as before:
        with store.transaction() as change:
            for each in ids[::2]:
                change.erase(each)
            for each in ids[1::2]:
                change.set(each, "number", -1)
            change.create(note, number=1000)
        assert [version["number"] for version in before] == list(range(100))
        assert before.read(ids[0])["number"] == 0
        assert before.commit == 1
    assert sorted(version["number"] for version in store.snapshot()) == [-1] * 50 + [1000]


def test_other_processes_see_changes_and_tell_of_theirs(folder: Path) -> None:
    store = objectbase.create(folder / "store")
    note = store.define("Note", "text")
    with store.transaction() as change:
        made = change.create(note, text="from here")
    watch = store.watch()
    assert not watch.wait(0)
    code = """
with objectbase.open(sys.argv[1], write=True) as store, store.transaction() as change:
    print(change.get(objectbase.Id(sys.argv[2]), 0))
    change.set(objectbase.Id(sys.argv[2]), "text", "from there")
"""
    assert python(code, folder / "store", str(made)) == "from here\n"
    assert watch.wait(10).objects == [made]
    assert store.read(made)["text"] == "from there"
    assert not watch.wait(0)


def test_watches_of_classes_and_objects(folder: Path) -> None:
    store = objectbase.create(folder / "store")
    one, two = store.define("One", "a"), store.define("Two", "a")
    with store.transaction() as change:
        first, second = change.create(one), change.create(two)
    of_class, of_object = store.watch(two), store.watch(first)
    with store.transaction() as change:
        change.set(second, "a", 1)
    assert (of_class.wait(10).objects, bool(of_object.wait(0))) == ([second], False)
    with store.transaction() as change:
        change.erase(first)
    assert (bool(of_class.wait(0)), of_object.wait(10).objects) == (False, [first])
    of_class.close()
    with pytest.raises(objectbase.Error, match="closed already"):
        of_class.take()


def test_asyncio_is_told(folder: Path) -> None:
    store = objectbase.create(folder / "store")
    note = store.define("Note", "number")

    async def write() -> None:
        for number in range(20):
            await asyncio.sleep(0.001)
            with store.transaction() as change:
                change.create(note, number=number)

    async def read() -> set[int]:
        seen: set[int] = set()
        async for changes in store.watch():
            seen |= {store.read(each)["number"] for each in changes.objects}
            if len(seen) == 20:
                return seen
        return seen

    async def both() -> set[int]:
        seen, _ = await asyncio.gather(asyncio.wait_for(read(), 30), write())
        return seen

    assert asyncio.run(both()) == set(range(20))


def test_threads_read_while_one_writes(folder: Path) -> None:
    store = objectbase.create(folder / "store")
    pair = store.define("Pair", "a", "b")
    with store.transaction() as change:
        ids = [change.create(pair, a=0, b="0" * 20) for _ in range(2)]
    wrong: list[object] = []
    ended = threading.Event()

    def read() -> None:
        while not ended.is_set():
            with store.snapshot() as snapshot:
                seen = {(snapshot.read(each)["a"], snapshot.read(each)["b"]) for each in ids}
            number = next(iter(seen))[0]
            if seen != {(number, str(number) * 20)}:
                wrong.append(seen)

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(300):
        with store.transaction() as change:
            for each in ids:
                change.set(each, "a", number)
                change.set(each, "b", str(number) * 20)
    ended.set()
    for thread in threads:
        thread.join()
    assert wrong == []


@pytest.mark.parametrize("seed", range(3))
def test_random_changes_are_as_in_a_dictionary(folder: Path, seed: int) -> None:
    chance = random.Random(seed)
    store = objectbase.create(folder / "store")
    note = store.define("Note", "a", "b")
    model: dict[Any, dict[str, Any]] = {}
    for _ in range(200):
        before = {key: dict(values) for key, values in model.items()}
        try:
            with store.transaction() as change:
                for _ in range(chance.randrange(6)):
                    if not model or chance.random() < 0.4:
                        model[change.create(note)] = {}
                    key = chance.choice(list(model))
                    if chance.random() < 0.2:
                        change.erase(key)
                        del model[key]
                    else:
                        slot, value = chance.choice("ab"), chance.choice([*VALUES, None])
                        change.set(key, slot, value)
                        model[key] = {
                            name: kept for name, kept in {**model[key], slot: value}.items() if kept is not None
                        }
                if chance.random() < 0.2:
                    raise KeyboardInterrupt
        except KeyboardInterrupt:
            model = before
        assert {version.id: version.values() for version in store.snapshot()} == model
