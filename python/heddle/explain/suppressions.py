"""Conflicts that the owners of a program have judged: left out of reports and exit codes, never out of verdicts.

The file is TOML:

    [[suppress]]
    object = "stats.*"                 # * stands for any text; without it, any object
    handlers = ["on_log", "*"]         # in either order; without it, any two
    reason = "counters that only feed /stats"

Each entry says why. What an entry hides is still a conflict: the runtime keeps the handlers apart as before, and the
matrix of a report shows the true verdict.
"""

import re
import tomllib
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from heddle.documents.constraints import Constraints
from heddle.errors import BadInputError
from heddle.explain.identity import Identity, Known, without_lines

_ADVICE = 'each [[suppress]] has reason = "...", and object = "..." or handlers = ["...", "..."]'
_KEYS = {"object", "handlers", "reason"}


@dataclass(frozen=True)
class Suppression:
    object: str
    handlers: tuple[str, str]
    reason: str

    def __str__(self) -> str:
        return f"{self.object} between {self.handlers[0]} and {self.handlers[1]}"


@dataclass(frozen=True)
class Suppressed:
    """What a file hides of one document."""

    hidden: dict[Identity, Suppression]
    unused: list[Suppression]


def load(path: Path) -> list[Suppression]:
    try:
        content = tomllib.loads(path.read_text())
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror})", "name a suppression file") from None
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise BadInputError(f"{path} is not valid TOML ({error})", _ADVICE) from None
    unknown = content.keys() - {"suppress"}
    if unknown:
        raise BadInputError(f"{path}: unknown entry '{sorted(unknown)[0]}'", _ADVICE)
    entries = content.get("suppress", [])
    if not isinstance(entries, list):
        raise BadInputError(f"{path}: suppress is one entry, not a list", "write [[suppress]] with two brackets")
    return [_entry(path, number, entry) for number, entry in enumerate(entries, 1)]


def _entry(path: Path, number: int, entry: object) -> Suppression:
    def wrong(what: str) -> BadInputError:
        return BadInputError(f"{path}: entry {number} {what}", _ADVICE)

    if not isinstance(entry, dict):
        raise wrong("is not a table")
    fields: dict[str, Any] = entry
    unknown = fields.keys() - _KEYS
    if unknown:
        raise wrong(f"has an unknown key '{sorted(unknown)[0]}'")
    reason, item, handlers = fields.get("reason"), fields.get("object", "*"), fields.get("handlers", ["*", "*"])
    if not isinstance(reason, str) or not reason.strip():
        raise wrong("has no reason")
    if not isinstance(item, str):
        raise wrong("has an object that is not a text")
    if not isinstance(handlers, list) or len(handlers) != 2 or not all(isinstance(name, str) for name in handlers):
        raise wrong("has handlers that are not two names")
    if "object" not in fields and "handlers" not in fields:
        raise wrong("names neither an object nor handlers")
    return Suppression(item, (handlers[0], handlers[1]), reason.strip())


def apply(entries: Iterable[Suppression], constraints: Constraints, known: Iterable[Known]) -> Suppressed:
    matchers = [(entry, _matcher(entry)) for entry in entries]
    hidden: dict[Identity, Suppression] = {}
    used: set[int] = set()
    for conflict in known:
        name = "" if conflict.conflict is None else constraints.objects[conflict.conflict.object].name
        for number, (entry, matches) in enumerate(matchers):
            if matches(name, conflict.identity.first, conflict.identity.second):
                used.add(number)
                hidden.setdefault(conflict.identity, entry)
    return Suppressed(hidden, [entry for number, (entry, _) in enumerate(matchers) if number not in used])


def _matcher(entry: Suppression) -> Callable[[str, str, str], bool]:
    item = _pattern(entry.object)
    one, other = (_pattern(name) for name in entry.handlers)

    def matches(name: str, first: str, second: str) -> bool:
        straight = one.fullmatch(first) and other.fullmatch(second)
        crossed = one.fullmatch(second) and other.fullmatch(first)
        named = item.fullmatch(name) or item.fullmatch(without_lines(name))
        return bool(named and (straight or crossed))

    return matches


def _pattern(text: str) -> re.Pattern[str]:
    return re.compile(".*".join(map(re.escape, text.split("*"))))
