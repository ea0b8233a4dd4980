"""The documents that the parts of heddle hand each other: read, recognised, and checked against `schemas/`.

Three depths, for three prices. `load` reads a document and checks its name and version, which is what makes its fields
mean what this program thinks they mean; it needs nothing but the standard library. `check` holds a document against
the whole schema. `problems` does the same and returns what is wrong instead of raising.
"""

import json
from pathlib import Path
from typing import Any

from heddle.documents.contracts import VERSIONS
from heddle.errors import BadInputError
from heddle.system import places

Document = dict[str, Any]


def parse(text: str | bytes, kind: str, source: str) -> Document:
    """The document in `text`, if it is of this kind and of the version that this program knows."""
    try:
        document = json.loads(text)
    except (ValueError, RecursionError) as error:
        line = f" (line {error.lineno})" if isinstance(error, json.JSONDecodeError) else ""
        raise BadInputError(f"{source} is not valid JSON{line}", _remedy(kind)) from None
    found = document.get("schema") if isinstance(document, dict) else None
    if found != f"heddle/{kind}":
        raise BadInputError(f"{source} is not a heddle {kind} document", _remedy(kind))
    version = document.get("version")
    if type(version) is not int or version != VERSIONS[kind]:
        raise BadInputError(
            f"{source} has version {version} of the {kind} schema, this heddle knows version {VERSIONS[kind]}",
            f"{_remedy(kind)} with this heddle",
        )
    return dict(document)


def load(path: Path, kind: str) -> Document:
    try:
        text = path.read_bytes()
    except OSError as error:
        raise BadInputError(f"{path} cannot be read ({error.strerror})", _remedy(kind)) from None
    return parse(text, kind, str(path))


def problems(document: Document, kind: str) -> list[str]:
    import jsonschema

    schema = json.loads(places.schema(kind).read_bytes())
    validator = jsonschema.Draft7Validator(schema)
    return [f"{error.json_path}: {error.message}" for error in validator.iter_errors(document)]


def holds(document: Document, kind: str) -> bool:
    """The same answer as `problems`, without the reason, in a fraction of the time."""
    import jsonschema_rs

    return jsonschema_rs.Draft7Validator(json.loads(places.schema(kind).read_bytes())).is_valid(document)


def check(document: Document, kind: str, source: str) -> None:
    found = [] if holds(document, kind) else problems(document, kind)
    if found:
        more = f" and {len(found) - 1} more" if len(found) > 1 else ""
        raise BadInputError(f"{source} breaks the {kind} schema ({found[0][:200]}{more})", _remedy(kind))


def _remedy(kind: str) -> str:
    return {
        "constraints": "make it again: heddle analyze PROGRAM",
        "lab": "make it again: heddle lab run SCENARIO",
        "lab_trial": "make it again: heddle lab compare SCENARIO --json FILE",
        "ipc_report": "make it again: heddle ipc record --json FILE -- COMMAND",
        "run": "make it again: heddle run --run-file FILE PROGRAM",
        "trace": "record it again: heddle run --trace FILE PROGRAM",
    }[kind]
