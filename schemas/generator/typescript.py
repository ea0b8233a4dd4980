"""The TypeScript module: what node writes, and what it must know of the other parts."""

from __future__ import annotations

from generator.description import TYPESCRIPT, Contracts, Field, Format, Record
from generator.text import SOURCE, camel, checked, comment, drawing, lower_camel, parameters

# With `write` or `read` before it, the method of Buffer.
_METHODS = {"u8": "UInt8", "u16": "UInt16LE", "u32": "UInt32LE", "u64": "BigUInt64LE"}


def module(contracts: Contracts) -> str:
    lines = [
        "/**",
        " * What node has agreed on with the other parts of Heddle: the layout of a trace, names and versions of",
        " * documents, words, reasons.",
        " *",
        f" * {SOURCE.format(name='*')}",
        " */",
        "",
    ]
    for each in contracts.formats:
        if any(TYPESCRIPT in record.languages for record in each.records):
            lines += _format(each)
    lines += _documents(contracts)
    lines += _environment(contracts)
    lines += _agreements(contracts)
    lines += _reasons(contracts)
    return checked(lines[:-1])


def _doc(about: str) -> list[str]:
    rows = comment(" *", about)
    return [f"/**{rows[0][2:]} */"] if len(rows) == 1 else ["/**", *rows, " */"]


def _format(each: Format) -> list[str]:
    lines = [*_doc(each.magic_about), f'export const {lower_camel(each.magic_name)} = "{each.magic}";']
    for number in each.numbers:
        lines += [*_doc(number.about), f"export const {lower_camel(number.name)} = {number.value};"]
    lines.append("")
    for record in each.records:
        if TYPESCRIPT in record.languages:
            lines += _record(record, lower_camel(each.magic_name))
    return lines


def _record(record: Record, magic: str) -> list[str]:
    name = camel(record.name)
    given = [field for field in record.fields if field.type != "magic"]
    lines = ["/**", *comment(" *", record.about), " *", *drawing(" *", record), " */", f"export interface {name} {{"]
    lines += [f"  readonly {field.name}: {'bigint' if field.type == 'u64' else 'number'};" for field in given]
    lines += ["}", "", f"export const {lower_camel(record.name)} = {{", f"  bytes: {record.bytes},"]
    for constant in record.constants:
        value = f"{constant.value:#x}" if constant.value > 0xFFFF else constant.value
        lines += [f"  /** {constant.about} */", f"  {lower_camel(constant.name)}: {value},"]
    lines += ["} as const;", ""]
    lines += [f"export function write{name}(to: Buffer, at: number, record: {name}): void {{"]
    lines += [f"  {_write(field, magic)}" for field in record.fields]
    lines += ["}", "", f"export function read{name}(from: Buffer, at: number): {name} {{", "  return {"]
    lines += [f"    {field.name}: from.read{_METHODS[field.stored_as]}({_at(field)})," for field in given]
    return [*lines, "  };", "}", ""]


def _write(field: Field, magic: str) -> str:
    if field.type == "magic":
        return f'to.write({magic}, {_at(field)}, "latin1");'
    return f"to.write{_METHODS[field.stored_as]}(record.{field.name}, {_at(field)});"


def _at(field: Field) -> str:
    return f"at + {field.offset}" if field.offset else "at"


def _documents(contracts: Contracts) -> list[str]:
    lines = ["/** How the JSON documents begin. */", "export const documents = {"]
    for document in contracts.documents["document"]:
        if TYPESCRIPT in document["in"]:
            name, version = document["name"], document["version"]
            lines.append(f'  {name}: {{ schema: "heddle/{name}", version: {version} }},')
    lines += ["} as const;", ""]
    for words in contracts.documents["words"]:
        if TYPESCRIPT in words["in"]:
            lines += [*_doc(words["about"]), f"export const {lower_camel(words['name'])} = {{"]
            lines += [f'  {lower_camel(word)}: "{word}",' for word in words["words"]]
            lines += ["} as const;", ""]
    return lines


def _environment(contracts: Contracts) -> list[str]:
    lines = ["/** Environment variables. */", "export const variables = {"]
    for variable in contracts.environment["variable"]:
        if TYPESCRIPT in variable["in"]:
            name = lower_camel(variable["name"].removeprefix("HEDDLE_").lower())
            lines += [f"  /** {variable['about']} */", f'  {name}: "{variable["name"]}",']
    return [*lines, "} as const;", ""]


def _agreements(contracts: Contracts) -> list[str]:
    lines = []
    for group in contracts.agreements["group"]:
        chosen = [entry for entry in group["agreements"] if TYPESCRIPT in entry["in"]]
        if not chosen:
            continue
        lines += [*_doc(group["about"]), f"export const {lower_camel(group['name'])} = {{"]
        for entry in chosen:
            value = f'"{entry["value"]}"' if isinstance(entry["value"], str) else entry["value"]
            lines += [f"  /** {entry['about']} */", f"  {lower_camel(entry['name'])}: {value},"]
        lines += ["} as const;", ""]
    return lines


def _reasons(contracts: Contracts) -> list[str]:
    lines = ['/** Why a run is serial, in words that follow "because". */', "export const reasons = {"]
    for reason in contracts.reasons["reason"]:
        if TYPESCRIPT not in reason["in"]:
            continue
        if parameters(reason["text"]):
            raise ValueError(f"{reason['name']}: reasons with parameters are not made for TypeScript")
        lines += [f"  /** {reason['about']} */", f'  {lower_camel(reason["name"])}: "{reason["text"]}",']
    return [*lines, "} as const;", ""]
