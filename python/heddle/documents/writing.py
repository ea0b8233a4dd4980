"""A document as text, laid out as the analyser lays it out: one member or element a line, indented by one blank.

`json.dumps` with an indentation writes the same, in more than twice the time; constraints of a large program are
millions of characters.
"""

import json
from json.encoder import encode_basestring
from typing import Any

from heddle.documents.schemas import Document


def text(document: Document) -> str:
    parts: list[str] = []
    _Writer(parts).write(document, "\n")
    parts.append("\n")
    return "".join(parts)


class _Writer:
    def __init__(self, parts: list[str]) -> None:
        self._put = parts.append
        self._known: dict[str, str] = {}  # most texts occur many times

    def write(self, value: Any, line: str) -> None:  # noqa: ANN401 - whatever JSON can hold
        """`line`: a line break and the indentation of what `value` stands in."""
        put = self._put
        inner = line + " "
        if isinstance(value, str):
            put(self._quoted(value))
        elif isinstance(value, dict) and value:
            before = "{" + inner
            for key, item in value.items():
                # The two kinds of which there are most are written at once.
                if type(item) is str:
                    put(f"{before}{self._quoted(key)}: {self._quoted(item)}")
                elif type(item) is int:
                    put(f"{before}{self._quoted(key)}: {item}")
                else:
                    put(f"{before}{self._quoted(key)}: ")
                    self.write(item, inner)
                before = "," + inner
            put(line + "}")
        elif isinstance(value, list) and value:
            before = "[" + inner
            for item in value:
                put(before)
                self.write(item, inner)
                before = "," + inner
            put(line + "]")
        else:
            put(json.dumps(value))

    def _quoted(self, word: str) -> str:
        if word not in self._known:
            self._known[word] = encode_basestring(word)
        return self._known[word]
