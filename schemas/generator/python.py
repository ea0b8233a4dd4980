"""The Python module: everything that a reader or the command line needs, and no import that takes time."""

from __future__ import annotations

from generator.description import PYTHON, Contracts, Format, Record
from generator.text import SOURCE, checked, comment, drawing, parameters

_NUMPY = {"u8": "u1", "u16": "<u2", "u32": "<u4", "u64": "<u8", "magic": "S8"}
_STRUCT = {"u8": "B", "u16": "H", "u32": "I", "u64": "Q", "magic": "8s"}
# Read one at a time, not as an array.
_SINGLE = {"trace_start", "block_header", "end_record"}


def module(contracts: Contracts) -> str:
    lines = [
        '"""What the parts of Heddle have agreed on: layouts of records, names and versions of documents, words.',
        "",
        SOURCE.format(name="*"),
        '"""',
        "",
        "from typing import Final, Literal",
        "",
    ]
    for each in contracts.formats:
        lines += _format(each)
    lines += _documents(contracts)
    lines += _environment(contracts)
    lines += _agreements(contracts)
    lines += _reasons(contracts)
    return checked(lines)


def _format(each: Format) -> list[str]:
    lines = [f"# --- schemas/contracts/{each.name}.toml", ""]
    lines += [*comment("#", each.magic_about), f'{each.magic_name.upper()}: Final = b"{each.magic}"']
    for number in each.numbers:
        lines += [*comment("#", number.about), f"{number.name.upper()}: Final = {number.value}"]
    for kinds in each.kinds:
        if PYTHON in kinds.languages:
            lines += ["", *comment("#", kinds.about)]
            lines += [f"{kinds.name.upper()}_{name.upper()}: Final = {value}" for name, value in kinds.values.items()]
    for record in each.records:
        if PYTHON in record.languages:
            lines += ["", *_record(record)]
    return [*lines, ""]


def _record(record: Record) -> list[str]:
    name = record.name.upper()
    lines = [*comment("#", record.about), "#", *drawing("#", record)]
    if record.name in _SINGLE:
        lines.append(f'{name}: Final = "<{"".join(_STRUCT[field.stored_as] for field in record.fields)}"')
    else:
        fields = (f'    ("{field.name}", "{_NUMPY[field.stored_as]}"),' for field in record.fields)
        lines += [f"{name}: Final = (", *fields, ")"]
    for constant in record.constants:
        value = f"0x{constant.value:X}" if constant.value > 0xFFFF else str(constant.value)
        lines += [f"# {constant.about}", f"{name.removesuffix('_RECORD')}_{constant.name.upper()}: Final = {value}"]
    return lines


def _documents(contracts: Contracts) -> list[str]:
    documents = [document for document in contracts.documents["document"] if PYTHON in document["in"]]
    lines = ["# --- schemas/contracts/documents.toml", ""]
    lines += [
        "# By kind, the version of the document that this program knows; its name is `heddle/KIND`.",
        "VERSIONS: Final = {",
    ]
    lines += [*(f'    "{document["name"]}": {document["version"]},' for document in documents), "}"]
    for words in contracts.documents["words"]:
        if PYTHON not in words["in"]:
            continue
        name = "".join(part.capitalize() for part in words["name"].split("_"))
        quoted = ", ".join(f'"{word}"' for word in words["words"])
        one_line = f"{name} = Literal[{quoted}]"
        lines += ["", *comment("#", words["about"])]
        if len(one_line) <= 120:
            lines.append(one_line)
        else:
            lines += [f"{name} = Literal[", *(f'    "{word}",' for word in words["words"]), "]"]
        if words.get("ordered"):
            lines.append(f"{words['name'].upper()}S: Final[tuple[{name}, ...]] = ({quoted})")
        if words.get("spoken"):
            lines += [f'{words["name"].upper()}_{word.upper()}: Final = "{word}"' for word in words["words"]]
    return [*lines, ""]


def _environment(contracts: Contracts) -> list[str]:
    variables = contracts.environment["variable"]
    lines = ["# --- schemas/contracts/environment.toml", ""]
    for variable in variables:
        if PYTHON in variable["in"]:
            lines += [*comment("#", variable["about"]), f'{variable["name"]}: Final = "{variable["name"]}"']
    lines += ["", "# They belong to one run: a program that is started gets none of those that the starter was given."]
    lines += ["NOT_INHERITED: Final = frozenset(", "    {"]
    lines += [f'        "{variable["name"]}",' for variable in variables if not variable.get("inherited", True)]
    return [*lines, "    }", ")", ""]


def _agreements(contracts: Contracts) -> list[str]:
    lines = ["# --- schemas/contracts/agreements.toml", ""]
    for group in contracts.agreements["group"]:
        chosen = [entry for entry in group["agreements"] if PYTHON in entry["in"]]
        for number, entry in enumerate(chosen):
            if number == 0:
                lines += comment("#", group["about"])
            value = f'"{entry["value"]}"' if isinstance(entry["value"], str) else entry["value"]
            lines.append(f"{group['name'].upper()}_{entry['name'].upper()}: Final = {value}  # {entry['about']}")
        if chosen:
            lines.append("")
    return lines


def _reasons(contracts: Contracts) -> list[str]:
    lines = ["# --- schemas/contracts/reasons.toml"]
    chosen = [reason for reason in contracts.reasons["reason"] if PYTHON in reason["in"]]
    constants = [reason for reason in chosen if not parameters(reason["text"])]
    if constants:
        lines.append("")
    for reason in constants:
        lines += [*comment("#", reason["about"]), f'REASON_{reason["name"].upper()}: Final = "{reason["text"]}"']
    for reason in chosen:
        names = parameters(reason["text"])
        if names:
            given = ", ".join(f"{name}: str" for name in names)
            lines += ["", "", f"def reason_{reason['name']}({given}) -> str:", f'    """{reason["about"]}"""']
            lines.append(f'    return f"{reason["text"]}"')
    return lines
