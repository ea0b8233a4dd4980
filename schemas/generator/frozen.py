"""Fingerprints of the layouts that have been given out under a version.

A document or binary file is read by programs that know its version and nothing else of who wrote it. So a layout that
was given out is never changed under its version: schemas/frozen.json has a fingerprint of each, and entries are only
added.
"""

from __future__ import annotations

import hashlib
import json
from typing import Any

from generator.description import SCHEMAS, Contracts, Format

FILE = SCHEMAS / "frozen.json"

# Of a JSON Schema, what people read. The rest is layout.
_PROSE = {"title", "description", "$id", "$schema"}


def fingerprints(contracts: Contracts) -> dict[str, str]:
    """By name and version, such as `trace 1`, of everything that a reader relies on."""
    layouts: dict[str, list[Any]] = {}
    for document in contracts.documents["document"]:
        schema = json.loads((SCHEMAS / f"{document['name']}.schema.json").read_text())
        layouts[f"{document['name']} {document['version']}"] = [_without_prose(schema)]
    for each in contracts.formats:
        layouts.setdefault(f"{each.name} {each.version}", []).append(_binary(each))
    return {
        name: hashlib.sha256(json.dumps(layout, sort_keys=True).encode()).hexdigest()
        for name, layout in layouts.items()
    }


def problems(contracts: Contracts) -> list[str]:
    """Layouts that have changed under their version, or whose version is not frozen yet."""
    frozen = read()
    found = []
    for name, fingerprint in fingerprints(contracts).items():
        kind, version = name.split()
        if name not in frozen:
            found.append(f"version {version} of {kind} is new: freeze it with schemas/generate.py --freeze")
        elif frozen[name] != fingerprint:
            found.append(
                f"the layout of {kind} is not that of its version {version} any more: raise the version in "
                f"schemas/contracts/ and {kind}.schema.json, run schemas/generate.py --freeze, and write the golden "
                "files anew (schemas/golden/README.md)"
            )
    return found


def read() -> dict[str, str]:
    frozen: dict[str, str] = json.loads(FILE.read_text()) if FILE.exists() else {}
    return frozen


def freeze(contracts: Contracts) -> None:
    """Adds versions that are new; what is frozen stays as it is."""
    FILE.write_text(json.dumps(fingerprints(contracts) | read(), indent=2, sort_keys=True) + "\n")


def _without_prose(part: Any) -> Any:  # noqa: ANN401 - whatever JSON can hold
    """A schema without its prose. A property that is called `title` has an object there, and stays."""
    if isinstance(part, dict):
        return {
            key: _without_prose(value) for key, value in part.items() if not (key in _PROSE and isinstance(value, str))
        }
    if isinstance(part, list):
        return [_without_prose(value) for value in part]
    return part


def _binary(each: Format) -> dict[str, Any]:
    return {
        "magic": each.magic,
        "numbers": {number.name: number.value for number in each.numbers},
        "kinds": {kinds.name: kinds.values for kinds in each.kinds},
        "records": {
            record.name: {
                "fields": [[field.name, field.stored_as, field.offset] for field in record.fields],
                "constants": {constant.name: constant.value for constant in record.constants},
            }
            for record in each.records
        },
    }
