"""The C++ headers: one for each file in schemas/contracts/."""

from __future__ import annotations

from generator.description import CPP, Constant, Contracts, Format, Kinds, Record, Table
from generator.text import COLUMNS, SOURCE, camel, checked, comment, drawing, parameters, pieces

_TYPES = {"u8": "std::uint8_t", "u16": "std::uint16_t", "u32": "std::uint32_t", "u64": "std::uint64_t"}


def headers(contracts: Contracts) -> dict[str, str]:
    """By file name in schemas/."""
    made = {each.header: _format(each) for each in contracts.formats}
    made[contracts.documents["header"]] = _documents(contracts.documents)
    made[contracts.reasons["header"]] = _reasons(contracts.reasons)
    made[contracts.environment["header"]] = _environment(contracts.environment)
    made[contracts.agreements["header"]] = _agreements(contracts.agreements)
    return made


def _file(source: str, about: str, includes: list[str], body: list[str], inner: str = "") -> str:
    namespace = "heddle::schemas" + (f"::{inner}" if inner else "")
    return checked(
        [
            *comment("//", about),
            "//",
            f"// {SOURCE.format(name=source)}",
            "#pragma once",
            "",
            *(f"#include <{name}>" for name in includes),
            *([""] if includes else []),
            f"namespace {namespace} {{",
            "",
            *body,
            f"}}  // namespace {namespace}",
        ]
    )


def _format(each: Format) -> str:
    body = [
        *comment("//", each.magic_about),
        f"inline constexpr char k{camel(each.magic_name)}[{len(each.magic)}] = "
        f"{{{', '.join(repr(letter) for letter in each.magic)}}};",
    ]
    for number in each.numbers:
        body += [
            *comment("//", number.about),
            f"inline constexpr {_TYPES[number.type]} k{camel(number.name)} = {number.value};",
        ]
    body.append("")
    for kinds in each.kinds:
        body += _kinds(kinds)
    for record in each.records:
        if CPP in record.languages:
            body += _record(record)
    return _file(each.name, each.about, ["cstddef", "cstdint"], body)


def _kinds(kinds: Kinds) -> list[str]:
    values = [f"k{camel(name)} = {value}" for name, value in kinds.values.items()]
    start = f"enum class {camel(kinds.name)} : std::uint32_t {{"
    whole = f"{start} {', '.join(values)} }};"
    return [
        *comment("//", kinds.about),
        "// NOLINTNEXTLINE(performance-enum-size): four bytes in the file",
        # As clang-format has it.
        *(
            [whole]
            if len(whole) <= COLUMNS
            else [start, *",\n".join(f"  {value}" for value in values).split("\n"), "};"]
        ),
        "",
    ]


def _record(record: Record) -> list[str]:
    name = camel(record.name)
    body = [*comment("//", record.about), "//", *drawing("//", record), f"struct {name} {{"]
    for constant in record.constants:
        body += [f"  // {constant.about}", f"  static constexpr {_constant(constant)};"]
    if record.constants:
        body.append("")
    for field in record.fields:
        kind = "char" if field.type == "magic" else _TYPES.get(field.type, camel(field.type))
        body.append(f"  {kind} {field.name}{'[8]' if field.type == 'magic' else ''};")
    body += ["};", f"static_assert(sizeof({name}) == {record.bytes});"]
    last = record.fields[-1]
    if len(record.fields) > 1:
        body.append(f"static_assert(offsetof({name}, {last.name}) == {last.offset});")
    return [*body, ""]


def _constant(constant: Constant) -> str:
    value = f"{constant.value:#x}" if constant.value > 0xFFFF else str(constant.value)
    return f"{_TYPES[constant.type]} k{camel(constant.name)} = {value}"


def _documents(table: Table) -> str:
    body = [
        "struct Document {",
        "  std::string_view name;",
        "  int version;",
        "};",
        "",
    ]
    for document in table["document"]:
        if CPP in document["in"]:
            constant = f"k{camel(document['name'])}Document"
            body += [
                *comment("//", _sentence(document["about"])),
                f'inline constexpr Document {constant}{{"heddle/{document["name"]}", {document["version"]}}};',
            ]
    body.append("")
    for words in table["words"]:
        if CPP not in words["in"]:
            continue
        body += [*comment("//", words["about"]), f"namespace {words['name']} {{"]
        body += [_text(word, word) for word in words["words"]]
        if words.get("ordered") or words.get("indexed"):
            body += _array([f"k{camel(word)}" for word in words["words"]])
        body += [f"}}  // namespace {words['name']}", ""]
    return _file("documents", table["about"], ["array", "string_view"], body)


def _array(names: list[str]) -> list[str]:
    line = f"inline constexpr std::array kAll = {{{', '.join(names)}}};"
    if len(line) <= COLUMNS:
        return [line]
    rows = [f"    {name}," for name in names]
    return ["// clang-format off", "inline constexpr std::array kAll = {", *rows, "};", "// clang-format on"]


def _reasons(table: Table) -> str:
    body = [
        "inline std::string joined(std::initializer_list<std::string_view> parts) {",
        "  std::string text;",
        "  for (const std::string_view part : parts) text += part;",
        "  return text;",
        "}",
        "",
    ]
    for reason in table["reason"]:
        if CPP not in reason["in"]:
            continue
        body += comment("//", reason["about"])
        names = parameters(reason["text"])
        if names:
            given = ", ".join(f"std::string_view {name}" for name in names)
            parts = ", ".join(part if named else f'"{part}"' for part, named in pieces(reason["text"]))
            head, inside = f"inline std::string {reason['name']}({given}) {{", f"return joined({{{parts}}});"
            short = f"{head} {inside} }}"
            body += [short, ""] if len(short) <= COLUMNS else [head, f"  {inside}", "}", ""]
        else:
            body += [_text(reason["name"], reason["text"]), ""]
    return _file("reasons", table["about"], ["initializer_list", "string", "string_view"], body, "reasons")


def _environment(table: Table) -> str:
    body = []
    for variable in table["variable"]:
        if CPP in variable["in"]:
            constant = camel(variable["name"].removeprefix("HEDDLE_").lower())
            body += [
                *comment("//", _sentence(variable["about"])),
                f'inline constexpr const char* k{constant} = "{variable["name"]}";',
            ]
    return _file("environment", table["about"], [], [*body, ""], "environment")


def _agreements(table: Table) -> str:
    body = []
    for group in table["group"]:
        chosen = [entry for entry in group["agreements"] if CPP in entry["in"]]
        if not chosen:
            continue
        body += [*comment("//", group["about"]), f"namespace {group['name']} {{"]
        for entry in chosen:
            body += comment("//", _sentence(entry["about"]))
            if isinstance(entry["value"], str):
                body.append(f'inline constexpr const char* k{camel(entry["name"])} = "{entry["value"]}";')
            else:
                body.append(f"inline constexpr unsigned k{camel(entry['name'])} = {entry['value']};")
        body += [f"}}  // namespace {group['name']}", ""]
    return _file("agreements", table["about"], [], body)


def _text(name: str, value: str) -> str:
    return f'inline constexpr std::string_view k{camel(name)} = "{value}";'


def _sentence(about: str) -> str:
    return f"{about[:1].upper()}{about[1:]}{'' if about.endswith('.') else '.'}"
