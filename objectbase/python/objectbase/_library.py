"""libobjectbase.so as Python calls it: what objectbase.h declares, with errors as exceptions."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Callable
from ctypes import POINTER, c_char, c_char_p, c_double, c_int, c_int64, c_size_t, c_uint32, c_uint64, c_void_p
from pathlib import Path
from typing import Any


class Error(Exception):
    """Why something cannot be done, in one line."""


class Value(ctypes.Structure):
    """ob_value."""

    _fields_ = (
        ("type", c_int),
        ("integer", c_int64),
        ("number", c_double),
        ("object", c_uint64),
        ("bytes", c_void_p),
        ("length", c_size_t),
    )

    def copy(self) -> bytes:
        return ctypes.string_at(self.bytes, self.length)

    def view(self, keeps: Handle) -> memoryview:
        array = (c_char * self.length).from_address(self.bytes)
        array.keeps = keeps  # type: ignore[attr-defined]  # the view keeps the array, and the array this
        return memoryview(array).cast("B").toreadonly()


class Handle:
    """Something of the library that is let go when nobody has it any more; keeps what it belongs to."""

    def __init__(self, pointer: int, let_go: Callable[[int], None], owner: Handle | None) -> None:
        self.pointer, self._let_go, self._owner = pointer, let_go, owner

    def __del__(self) -> None:
        self._let_go(self.pointer)


# How the type of a Python value is called in the names of the library's functions; more are added by who defines them.
type_of: dict[type, str] = {int: "integer", bool: "integer", float: "double", str: "string"}


def value_of(value: Any) -> tuple[str, tuple[Any, ...]]:  # noqa: ANN401 - any value may be tried
    """What ob_set_* takes for a value, and which of them; no words for None. Raises TypeError, Error."""
    if value is None:
        return "", ()
    if isinstance(value, bytes | bytearray | memoryview):
        raw = bytes(value)
        return "bytes", (raw, len(raw))
    name = type_of.get(type(value))
    if name is None:
        raise TypeError(f"objectbase: a slot holds None, int, float, str, bytes or Id, not {type(value).__name__}")
    if name == "string":
        text = value.encode("utf-8", "surrogateescape")
        return name, (text, len(text))
    if name == "integer" and not -(1 << 63) <= value < 1 << 63:
        raise Error(f"objectbase: an integer has 64 bits; {value} has more")
    return name, (value,)


_STORE = _TRANSACTION = _SNAPSHOT = _VERSION = _WATCH = c_void_p
_OBJECT, _SLOT, _CLASS = c_uint64, ctypes.c_uint, c_uint32

# Name, result, arguments, and the result by which a failure is known.
_FUNCTIONS: tuple[tuple[str, Any, tuple[Any, ...], Any], ...] = (
    ("ob_create", _STORE, (c_char_p, c_uint64, ctypes.c_uint), None),
    ("ob_open", _STORE, (c_char_p, c_int), None),
    ("ob_newest_commit", c_uint64, (_STORE,), ...),
    ("ob_wait_until_kept", c_int, (_STORE, c_uint64, ctypes.c_uint), ...),
    ("ob_define", _CLASS, (_STORE, c_char_p, POINTER(c_char_p), c_size_t), 0),
    ("ob_find_class", _CLASS, (_STORE, c_char_p), ...),
    ("ob_classes", c_uint32, (_STORE,), ...),
    ("ob_class_name", c_size_t, (_STORE, _CLASS, c_char_p, c_size_t), ...),
    ("ob_slot_name", c_size_t, (_STORE, _CLASS, _SLOT, c_char_p, c_size_t), ...),
    ("ob_begin", _TRANSACTION, (_STORE,), None),
    ("ob_new", _OBJECT, (_TRANSACTION, _CLASS), 0),
    ("ob_clear", c_int, (_TRANSACTION, _OBJECT, _SLOT), -1),
    ("ob_set_integer", c_int, (_TRANSACTION, _OBJECT, _SLOT, c_int64), -1),
    ("ob_set_double", c_int, (_TRANSACTION, _OBJECT, _SLOT, c_double), -1),
    ("ob_set_reference", c_int, (_TRANSACTION, _OBJECT, _SLOT, _OBJECT), -1),
    ("ob_set_string", c_int, (_TRANSACTION, _OBJECT, _SLOT, c_char_p, c_size_t), -1),
    ("ob_set_bytes", c_int, (_TRANSACTION, _OBJECT, _SLOT, c_char_p, c_size_t), -1),
    ("ob_erase", c_int, (_TRANSACTION, _OBJECT), -1),
    ("ob_get_changed", c_int, (_TRANSACTION, _OBJECT, _SLOT, POINTER(Value)), -1),
    ("ob_commit", c_uint64, (_TRANSACTION,), 0),
    ("ob_abort", None, (_TRANSACTION,), ...),
    ("ob_integer", c_int, (_STORE, _OBJECT, _SLOT, POINTER(c_int64)), ...),
    ("ob_double", c_int, (_STORE, _OBJECT, _SLOT, POINTER(c_double)), ...),
    ("ob_reference", c_int, (_STORE, _OBJECT, _SLOT, POINTER(_OBJECT)), ...),
    ("ob_read", _VERSION, (_STORE, _OBJECT), None),
    ("ob_version_object", _OBJECT, (_VERSION,), ...),
    ("ob_version_class", _CLASS, (_VERSION,), ...),
    ("ob_version_commit", c_uint64, (_VERSION,), ...),
    ("ob_get", None, (_VERSION, _SLOT, POINTER(Value)), ...),
    ("ob_take_snapshot", _SNAPSHOT, (_STORE,), None),
    ("ob_snapshot_commit", c_uint64, (_SNAPSHOT,), ...),
    ("ob_snapshot_read", _VERSION, (_SNAPSHOT, _OBJECT), None),
    ("ob_snapshot_next", _VERSION, (_SNAPSHOT, POINTER(c_uint32)), None),
    ("ob_watch_all", _WATCH, (_STORE,), None),
    ("ob_watch_class", _WATCH, (_STORE, _CLASS), None),
    ("ob_watch_object", _WATCH, (_STORE, _OBJECT), None),
    ("ob_watch_descriptor", c_int, (_WATCH,), ...),
    ("ob_take_changes", c_int, (_WATCH, POINTER(POINTER(_OBJECT)), POINTER(c_size_t)), -1),
    # These let something go, at the end of the program too.
    ("ob_close", None, (_STORE,), ...),
    ("ob_release", None, (_VERSION,), ...),
    ("ob_drop_snapshot", None, (_SNAPSHOT,), ...),
    ("ob_unwatch", None, (_WATCH,), ...),
)


def _load() -> ctypes.CDLL:
    # A wheel brings the library; an installation has it where the system finds it.
    named = os.environ.get("OBJECTBASE_LIBRARY")
    beside = Path(__file__).with_name("libobjectbase.so")
    path = named or (str(beside) if beside.exists() else "libobjectbase.so.0")
    try:
        loaded = ctypes.CDLL(path)
        loaded.ob_error.restype = c_char_p
        for name, result, arguments, failed in _FUNCTIONS:
            function = getattr(loaded, name)
            function.restype, function.argtypes = result, arguments
            if failed is not ...:
                function.errcheck = _check(failed)
    except (OSError, AttributeError) as error:
        raise ImportError(f"objectbase: {error}; OBJECTBASE_LIBRARY may name libobjectbase.so") from None
    loaded.names = c_char_p
    return loaded


def _check(failed: int | None) -> Callable[..., Any]:
    def check(result: Any, _function: object, _words: object) -> Any:  # noqa: ANN401
        # A null pointer may also mean that there is no such object: then there is no error.
        if result == failed and (why := library.ob_error()):
            raise Error(why.decode("utf-8", "replace"))
        return result

    return check


library = _load()
