"""A constraints document of a program whose source lines have moved, and nothing else.

A line number stands beside its file in objects with a `file` and a `line`, and at the end of the names of blocks of
memory and of open files: `malloc at server.c:12`. The compiler also numbers some variables; their names stand inside
the names of objects: `buffer.17`, `buffer.17[0]`.
"""

import re
from collections.abc import Callable
from typing import Any

from heddle.documents.schemas import Document

Lines = dict[str, dict[int, int]]  # per source file, as elyze names it: line before -> line now


def move(document: Document, lines: Lines, names: dict[str, str]) -> None:
    """Puts the new lines and the new names in; raises KeyError if the new place of a line is not known."""
    moved = _moved_texts(lines, names)
    pending: list[Any] = [document]
    while pending:
        item = pending.pop()
        if isinstance(item, dict):
            file = item.get("file")
            # Line 0 stands for no line.
            if file in lines and item.get("line"):
                item["line"] = lines[file][item["line"]]
            for key, value in item.items():
                if isinstance(value, str):
                    item[key] = moved(value)
                elif isinstance(value, dict | list):
                    pending.append(value)
        else:
            for index, value in enumerate(item):
                if isinstance(value, str):
                    item[index] = moved(value)
                elif isinstance(value, dict | list):
                    pending.append(value)
    called = document.get("names")
    if called is not None:
        document["names"] = {moved(name): said for name, said in called.items()}


def _moved_texts(lines: Lines, names: dict[str, str]) -> Callable[[str], str]:
    """Returns a function that puts the new lines and names into a text of the document. Equal texts are moved once."""
    known: dict[str, str] = {}
    word = re.compile("|".join(map(re.escape, sorted(names, key=len, reverse=True)))) if names else None

    def renamed(found: re.Match[str]) -> str:
        before, after = found.string[: found.start()][-1:], found.string[found.end() : found.end() + 1]
        part_of_another = _continues_a_name(after) or _continues_a_name(before) or before == "."
        return found[0] if part_of_another else names[found[0]]

    def moved(text: str) -> str:
        if text not in known:
            place, colon, line = text.rpartition(":")
            now = text
            if colon and line.isdecimal():
                for file, where in lines.items():
                    if place.endswith(f" at {file}"):
                        now = f"{place}:{where[int(line)] if int(line) else 0}"
            known[text] = word.sub(renamed, now) if word is not None else now
        return known[text]

    return moved


def _continues_a_name(character: str) -> bool:
    return character.isalnum() or character == "_"
