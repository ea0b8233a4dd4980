"""A function of the user's as a command: what it yields and returns, in the words of the native half."""

import traceback
from collections.abc import Callable, Generator
from types import GeneratorType
from typing import Any

Words = tuple[str, object]


class FunctionSteps:
    """One run of a function. Called for each part; never raises."""

    def __init__(self, function: Callable[..., object], *, to_bytes: bool) -> None:
        self._function = function
        self._to_bytes = to_bytes
        self._generator: Generator[Any, None, Any] | None = None
        self._last: bytes | None = None  # was returned, and is told to the native half first

    def __call__(self, inputs: list[bytes]) -> Words:
        if self._last is not None:
            return "done", None
        try:
            if self._generator is None:
                returned = self._function(*inputs)
                if not isinstance(returned, GeneratorType):
                    return self._result(returned)
                self._generator = returned
            return self._yielded(next(self._generator))
        except StopIteration as end:
            return self._result(end.value)
        except Exception as error:
            at = traceback.extract_tb(error.__traceback__)[-1]
            return "error", f"exception: {type(error).__name__}: {error} ({at.filename}:{at.lineno})"

    def _yielded(self, value: object) -> Words:
        match value:
            case None:
                return "ready", None
            case bytes() if self._to_bytes:
                return "append", value
            case int() | float() if 0 <= value <= 86400:
                return "wait", float(value)
        if hasattr(value, "fileno"):
            return "socket", value.fileno()
        return "error", f"bad_value: a command cannot yield {value!r:.100}"

    def _result(self, value: object) -> Words:
        match value:
            case None:
                return "done", None
            case bytes() if self._to_bytes:
                self._last = value
                return "append", value
            case int() | float() if not self._to_bytes and -1e300 < value < 1e300:
                return "done", repr(+value)
        return "error", f"bad_value: a command cannot return {value!r:.100}"
