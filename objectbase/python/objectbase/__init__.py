"""Objects that processes share: one changes them, the others see them, without a message.

    import objectbase

    with objectbase.create("/dev/shm/board") as store:
        note = store.define("Note", "text", "stars")
        with store.transaction() as change:  # all of it or, after an exception, nothing
            first = change.create(note, text="buy milk", stars=3)
        print(store.read(first)["text"])  # in any process that has it open

Values are None, int (64 bits), float, str, bytes, and Id for a reference to another object. Bytes are not copied when
they are read: a memoryview of the shared memory keeps its version of the object as long as it is there. A process has
at most 64 versions and snapshots at once.

What cannot be done raises objectbase.Error, which says why. Any thread may use a store; a transaction, a version, a
snapshot or a watch is used by one at a time. After os.fork() open the store again.
"""

from __future__ import annotations

import asyncio
import os
import select
from collections.abc import AsyncIterator, Iterator
from ctypes import POINTER, byref, c_char, c_double, c_int64, c_size_t, c_uint32, c_uint64
from types import TracebackType
from typing import NamedTuple, Self

from objectbase._library import Error, Handle, Value, library, type_of, value_of

__all__ = ["Changes", "Class", "Error", "Id", "Snapshot", "Store", "Transaction", "Version", "Watch", "create", "open"]


class Id(int):
    """The number of an object, for good: that of an object that was erased is not used again."""

    def __repr__(self) -> str:
        return f"Id({int(self)})"

    __str__ = int.__repr__


type_of[Id] = "reference"
Kept = None | int | float | str | Id | memoryview
Given = None | int | float | str | bytes | bytearray | Id | memoryview


class Changes(NamedTuple):
    """What has changed since it was last asked for. False if nothing has."""

    all: bool  # more than could be noted, or a writer died: any object may have changed
    objects: list[Id]  # made, changed or erased, each once

    def __bool__(self) -> bool:
        return self.all or bool(self.objects)


class Class:
    """A class of one store: its name, its number, and the names of its slots, as far as they are known here."""

    def __init__(self, store: Handle, number: int) -> None:
        self._store = store
        self.number = number
        self.name = _name(lambda *room: library.ob_class_name(store.pointer, number, *room))
        self.slots: list[str] = []
        self._look()

    def __repr__(self) -> str:
        return f"<objectbase.Class {self.name}: {', '.join(self.slots)}>"

    def _look(self) -> None:
        # Slots are only added.
        while name := self._slot_name(len(self.slots)):
            self.slots.append(name)

    def _slot_name(self, slot: int) -> str:
        return _name(lambda *room: library.ob_slot_name(self._store.pointer, self.number, slot, *room))

    def slot(self, name: str | int) -> int:
        """The place of a slot. Raises Error, with the names that there are."""
        if isinstance(name, int):
            return name
        if name not in self.slots:
            self._look()
        if name not in self.slots:
            raise Error(f"objectbase: class {self.name} has no slot {name}; it has: {', '.join(self.slots)}")
        return self.slots.index(name)


class _Closable:
    """What holds something of the library: `with`, close() or forgetting it lets that go."""

    _what = ""

    def __init__(self, handle: Handle) -> None:
        self._handle: Handle | None = handle

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_error: object) -> None:
        self.close()

    def close(self) -> None:
        self._handle = None

    def _held(self) -> Handle:
        if self._handle is None:
            raise Error(f"objectbase: this {self._what} was closed already")
        return self._handle


class Version(_Closable):
    """One object as one commit left it. It stays so."""

    _what = "version"

    def __init__(self, handle: Handle, store: Store) -> None:
        super().__init__(handle)
        self.id = Id(library.ob_version_object(handle.pointer))
        self.type = store._class(library.ob_version_class(handle.pointer))

    @property
    def commit(self) -> int:
        return int(library.ob_version_commit(self._held().pointer))

    def __getitem__(self, slot: str | int) -> Kept:
        handle = self._held()
        found = Value()
        library.ob_get(handle.pointer, self.type.slot(slot), byref(found))
        return _given_out(found, handle)

    def values(self) -> dict[str, Kept]:
        """All slots that hold something, by name."""
        named = {name: self[place] for place, name in enumerate(self.type.slots)}
        return {name: value for name, value in named.items() if value is not None}


class Snapshot(_Closable):
    """All objects as one commit left them."""

    _what = "snapshot"

    def __init__(self, store: Store) -> None:
        pointer = library.ob_take_snapshot(store._held().pointer)
        super().__init__(Handle(pointer, library.ob_drop_snapshot, store._held()))
        self._store = store
        self.commit = int(library.ob_snapshot_commit(pointer))

    def read(self, object_id: Id) -> Version | None:
        """None if there was no such object."""
        handle = self._held()
        return self._version(library.ob_snapshot_read(handle.pointer, object_id), handle)

    def __iter__(self) -> Iterator[Version]:
        handle = self._held()
        place = c_uint32()
        while version := self._version(library.ob_snapshot_next(handle.pointer, byref(place)), handle):
            yield version

    def _version(self, pointer: int | None, handle: Handle) -> Version | None:
        return Version(Handle(pointer, library.ob_release, handle), self._store) if pointer else None


class Transaction:
    """Changes that are made together or not at all. Other writers, of all processes, wait until it has ended.

    It belongs to the thread that began it, which ends it before it begins another.
    """

    _pointer: int | None = None  # None: it has not begun, or has ended

    def __init__(self, store: Store) -> None:
        self._store = store
        self._pointer = library.ob_begin(store._held().pointer)
        self._types: dict[int, Class] = {}  # of objects that it has named
        self.number = 0  # of its commit; 0: it has not been

    def __enter__(self) -> Transaction:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, _: TracebackType | None) -> None:
        if self._pointer is None:
            return
        if error is None:
            self.commit()
        else:
            self.abort()

    def __del__(self) -> None:
        if self._pointer is not None:
            self.abort()

    def _here(self) -> int:
        if self._pointer is None:
            raise Error("objectbase: this transaction has ended already")
        return self._pointer

    def create(self, type: Class, /, **values: Given) -> Id:
        made = Id(library.ob_new(self._here(), type.number))
        self._types[made] = type
        for slot, value in values.items():
            self.set(made, slot, value)
        return made

    def set(self, object_id: Id, slot: str | int, value: Given) -> None:
        """Raises Error if there is no such object or slot, TypeError if it cannot hold such a value."""
        here = self._here()
        library_type, words = value_of(value)
        call = getattr(library, f"ob_set_{library_type}" if words else "ob_clear")
        call(here, object_id, self._slot(object_id, slot), *words)

    def get(self, object_id: Id, slot: str | int) -> Kept:
        """With the changes made so far. Bytes are copied."""
        found = Value()
        library.ob_get_changed(self._here(), object_id, self._slot(object_id, slot), byref(found))
        return _given_out(found, None)

    def erase(self, object_id: Id) -> None:
        library.ob_erase(self._here(), object_id)

    def commit(self) -> int:
        """The number of the commit: 1 more than the one before."""
        pointer, self._pointer = self._here(), None
        self.number = int(library.ob_commit(pointer))
        return self.number

    def abort(self) -> None:
        pointer, self._pointer = self._here(), None
        library.ob_abort(pointer)

    def _slot(self, object_id: Id, slot: str | int) -> int:
        if isinstance(slot, int):
            return slot
        if object_id not in self._types:
            version = self._store.read(object_id)
            if version is None:
                raise Error(f"objectbase: there is no object {int(object_id)}")
            self._types[object_id] = version.type
        return self._types[object_id].slot(slot)


class Watch(_Closable):
    """Tells of changes that anybody makes: fileno() is readable when there are some, until take() is called."""

    _what = "watch"

    def __init__(self, pointer: int, store: Handle) -> None:
        super().__init__(Handle(pointer, library.ob_unwatch, store))
        self.take()

    def fileno(self) -> int:
        """For select, selectors, asyncio's add_reader. Once for any number of transactions."""
        return int(library.ob_watch_descriptor(self._held().pointer))

    def take(self) -> Changes:
        objects = POINTER(c_uint64)()
        count = c_size_t()
        anything = library.ob_take_changes(self._held().pointer, byref(objects), byref(count))
        return Changes(bool(anything), [Id(objects[i]) for i in range(count.value)])

    def wait(self, seconds: float | None = None) -> Changes:
        """The next changes; none if the time has passed."""
        poll = select.poll()
        poll.register(self.fileno(), select.POLLIN)
        poll.poll(None if seconds is None else seconds * 1000)
        return self.take()

    async def __aiter__(self) -> AsyncIterator[Changes]:
        loop = asyncio.get_running_loop()
        readable = asyncio.Event()
        descriptor = self.fileno()
        loop.add_reader(descriptor, readable.set)
        try:
            while True:
                if changes := self.take():
                    yield changes
                await readable.wait()
                readable.clear()
        finally:
            loop.remove_reader(descriptor)


class Store(_Closable):
    """What create() and open() return. What was read of it may be used after close(): the last of that closes it."""

    _what = "store"

    def __init__(self, pointer: int) -> None:
        super().__init__(Handle(pointer, library.ob_close, None))
        self._classes: dict[int, Class] = {}

    def _class(self, number: int) -> Class:
        if number not in self._classes:
            self._classes[number] = Class(self._held(), number)
        return self._classes[number]

    @property
    def commit(self) -> int:
        """The number of the newest commit."""
        return int(library.ob_newest_commit(self._held().pointer))

    def wait_until_kept(self, commit: int, seconds: float) -> bool:
        """Until a commit is on the disk, as a keeper says (heddle objectbase keep). False: it is not in so long."""
        return bool(library.ob_wait_until_kept(self._held().pointer, commit, round(seconds * 1000)))

    def define(self, name: str, *slots: str) -> Class:
        """The class of that name with at least these slots; makes it, or adds what is missing."""
        encoded = [_encoded(slot) for slot in slots]
        names = (library.names * len(encoded))(*encoded)
        number = library.ob_define(self._held().pointer, _encoded(name), names, len(encoded))
        self._class(number)._look()
        return self._class(number)

    def find(self, name: str) -> Class | None:
        number = library.ob_find_class(self._held().pointer, _encoded(name))
        return self._class(number) if number else None

    def classes(self) -> list[Class]:
        return [self._class(number + 1) for number in range(library.ob_classes(self._held().pointer))]

    def transaction(self) -> Transaction:
        return Transaction(self)

    def read(self, object_id: Id) -> Version | None:
        """The newest version; None if there is no such object."""
        store = self._held()
        pointer = library.ob_read(store.pointer, object_id)
        return Version(Handle(pointer, library.ob_release, store), self) if pointer else None

    def snapshot(self) -> Snapshot:
        return Snapshot(self)

    def integer(self, object_id: Id, slot: int) -> int | None:
        """One slot as it is now, by its place (Class.slot), without a pin; None if it holds no integer."""
        found = c_int64()
        return found.value if library.ob_integer(self._held().pointer, object_id, slot, byref(found)) else None

    def number(self, object_id: Id, slot: int) -> float | None:
        found = c_double()
        return found.value if library.ob_double(self._held().pointer, object_id, slot, byref(found)) else None

    def reference(self, object_id: Id, slot: int) -> Id | None:
        found = c_uint64()
        return Id(found.value) if library.ob_reference(self._held().pointer, object_id, slot, byref(found)) else None

    def watch(self, what: Class | Id | None = None) -> Watch:
        """Of changes of a class, of an object, or of everything."""
        store = self._held()
        if what is None:
            pointer = library.ob_watch_all(store.pointer)
        elif isinstance(what, Class):
            pointer = library.ob_watch_class(store.pointer, what.number)
        else:
            pointer = library.ob_watch_object(store.pointer, what)
        return Watch(pointer, store)


def create(path: str | os.PathLike[str], limit: int = 1 << 30, mode: int = 0o600) -> Store:
    """A new store. `limit`: of the file, in bytes; what is not used takes no room. `mode`: who may open it."""
    return Store(library.ob_create(os.fsencode(path), limit, mode))


def open(path: str | os.PathLike[str], write: bool = False) -> Store:
    return Store(library.ob_open(os.fsencode(path), write))


def _encoded(text: str) -> bytes:
    if "\0" in text:
        raise Error("objectbase: a name holds no zero byte")
    return text.encode("utf-8", "surrogateescape")


def _name(call: object) -> str:
    """What a function writes that works as snprintf does."""
    assert callable(call)
    length = call(None, 0)
    room = (c_char * (length + 1))()
    call(room, length + 1)
    return room.raw[:length].decode("utf-8", "surrogateescape")


def _given_out(found: Value, handle: Handle | None) -> Kept:
    """The value; bytes as a view that keeps the handle, or copied where there is none."""
    match found.type:
        case 1:
            return int(found.integer)
        case 2:
            return float(found.number)
        case 3:
            return Id(found.object)
        case 4:
            return found.copy().decode("utf-8", "surrogateescape")
        case 5:
            return memoryview(found.copy()) if handle is None else found.view(handle)
        case _:
            return None
