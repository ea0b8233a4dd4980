"""The contracts as schemas/contracts/*.toml describe them."""

from __future__ import annotations

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

SCHEMAS = Path(__file__).resolve().parents[1]
CONTRACTS = SCHEMAS / "contracts"

CPP, PYTHON, TYPESCRIPT = "cpp", "python", "typescript"

# Bytes of each type that a field may have; kinds are stored as u32.
SIZES = {"u8": 1, "u16": 2, "u32": 4, "u64": 8, "magic": 8}

Table = dict[str, Any]


@dataclass(frozen=True)
class Constant:
    name: str
    type: str
    value: int
    about: str


@dataclass(frozen=True)
class Field:
    name: str
    type: str  # one of SIZES, or the name of kinds
    about: str
    offset: int

    @property
    def stored_as(self) -> str:
        return self.type if self.type in SIZES else "u32"

    @property
    def bytes(self) -> int:
        return SIZES[self.stored_as]


@dataclass(frozen=True)
class Record:
    name: str
    about: str
    languages: tuple[str, ...]
    bytes: int
    fields: tuple[Field, ...]
    constants: tuple[Constant, ...]


@dataclass(frozen=True)
class Kinds:
    """Numbers that stand for a choice, in a field of a record."""

    name: str
    about: str
    languages: tuple[str, ...]
    values: dict[str, int]


@dataclass(frozen=True)
class Format:
    """A binary file."""

    name: str
    version: int
    header: str  # file name of the C++ header
    about: str
    magic_name: str
    magic_about: str
    magic: str
    numbers: tuple[Constant, ...]
    kinds: tuple[Kinds, ...]
    records: tuple[Record, ...]


@dataclass(frozen=True)
class Contracts:
    formats: tuple[Format, ...]
    documents: Table
    reasons: Table
    environment: Table
    agreements: Table


def load() -> Contracts:
    """Raises ValueError where a description contradicts itself."""
    documents = _read("documents")
    contracts = Contracts(
        tuple(_format(_read(name)) for name in ("trace", "accesses", "ipc")),
        documents,
        _read("reasons"),
        _read("environment"),
        _read("agreements"),
    )
    versions = {document["name"]: document["version"] for document in documents["document"]}
    for each in contracts.formats:
        if versions.get(each.name, each.version) != each.version:
            raise ValueError(f"{each.name}: documents.toml and {each.name}.toml name different versions")
    return contracts


def _read(name: str) -> Table:
    return tomllib.loads((CONTRACTS / f"{name}.toml").read_text())


def _format(table: Table) -> Format:
    version = table["version"]
    return Format(
        name=table["format"],
        version=version,
        header=table["header"],
        about=table["about"].strip(),
        magic_name=table["magic"]["name"],
        magic_about=table["magic"]["about"],
        magic=f"{table['magic']['start']}{version:02}",
        numbers=tuple(Constant(n["name"], n["type"], n["value"], n["about"]) for n in table.get("number", ())),
        kinds=tuple(
            Kinds(k["name"], k["about"].strip(), tuple(k["in"]), dict(k["values"])) for k in table.get("kinds", ())
        ),
        records=tuple(_record(record) for record in table["record"]),
    )


def _record(table: Table) -> Record:
    fields: list[Field] = []
    offset = 0
    for entry in table["fields"]:
        field = Field(entry["name"], entry["type"], entry["about"], offset)
        if field.offset % min(field.bytes, 8) and field.type != "magic":
            raise ValueError(f"{table['name']}.{field.name} at byte {offset} is not aligned: compilers would pad")
        fields.append(field)
        offset += field.bytes
    if offset != table["bytes"]:
        raise ValueError(f"the fields of {table['name']} take {offset} bytes, not {table['bytes']}")
    return Record(
        table["name"],
        table["about"],
        tuple(table["in"]),
        offset,
        tuple(fields),
        tuple(Constant(c["name"], c["type"], c["value"], c["about"]) for c in table.get("constants", ())),
    )
