"""Files take what the languages have agreed on from schemas/contracts/; a layout changes by a new version only."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path
from typing import Any

import pytest
from project_files import CPP, ROOT, TYPESCRIPT, C, files_with

SCHEMAS = ROOT / "schemas"
PRODUCT = frozenset({"elyze", "multivent", "telemetry", "python", "node"})
KINDS = ("constraints", "ipc_report", "lab", "lab_trial", "run", "trace")

# Written by schemas/generate.py; all else must not spell what is in them.
GENERATED = re.compile(r"^schemas/\w+\.hpp$|/contracts\.(py|ts)$")


def contract(name: str) -> dict[str, Any]:
    return tomllib.loads((SCHEMAS / "contracts" / f"{name}.toml").read_text())


def schema(kind: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((SCHEMAS / f"{kind}.schema.json").read_text())
    return found


def generate(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, folder / "generate.py", *words], capture_output=True, text=True, check=False)


def product_files() -> Iterator[tuple[Path, str]]:
    """Code that runs at users', with its text: no tests, no generated files."""
    for path in files_with(*CPP, *C, ".py", *TYPESCRIPT):
        tested = "test" in path.name or "tests" in path.parts or "fixture" in path.name
        if path.parts[0] in PRODUCT and not tested and not GENERATED.search(str(path)):
            yield path, (ROOT / path).read_text()


def test_generated_files_are_what_the_descriptions_say() -> None:
    done = generate(SCHEMAS, "--check")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return shutil.copytree(SCHEMAS, tmp_path / "schemas", ignore=shutil.ignore_patterns("__pycache__"))


def changed(file: Path, old: str, new: str) -> None:
    text = file.read_text()
    assert old in text
    file.write_text(text.replace(old, new, 1))


@pytest.mark.parametrize(
    ("file", "old", "new", "kind"),
    [
        ("contracts/trace.toml", '{ name = "late_us", type = "u32"', '{ name = "late_ms", type = "u32"', "trace"),
        ("contracts/trace.toml", "when its handler was entered", "when it began", None),
        ("contracts/trace.toml", "value = 64", "value = 128", "trace"),
        ("contracts/accesses.toml", "heap = 1, hidden = 2", "heap = 2, hidden = 1", "accesses"),
        ("trace.schema.json", '"record_bytes": {"const": 64}', '"record_bytes": {"const": 32}', "trace"),
        ("run.schema.json", '"polls": {"type": "integer"', '"polls": {"type": "number"', "run"),
        ("run.schema.json", "calls that waited for the kernel", "waits", None),
        ("constraints.schema.json", '"required": ["function", "argument"]', '"required": ["function"]', "constraints"),
    ],
)
def test_a_layout_does_not_change_under_its_version(
    copy: Path, file: str, old: str, new: str, kind: str | None
) -> None:
    changed(copy / file, old, new)
    said = [line for line in generate(copy, "--check").stdout.splitlines() if line.startswith("the layout of ")]
    assert [line.split()[3] for line in said] == ([kind] if kind else [])
    assert all("raise the version" in line for line in said)


def test_a_new_version_is_frozen_once(copy: Path) -> None:
    changed(copy / "contracts/accesses.toml", "version = 1", "version = 2")
    changed(copy / "contracts/accesses.toml", "bytes = 24", "bytes = 32")
    changed(
        copy / "contracts/accesses.toml",
        'about = "AccessRecords" },',
        'about = "x" },\n{ name = "x", type = "u64", about = "x" },',
    )
    assert "version 2 of accesses is new" in generate(copy, "--check").stdout
    for folder in ("python/heddle/documents", "node/src/shared"):
        (copy.parent / folder).mkdir(parents=True)
    assert generate(copy, "--freeze").returncode == 0
    assert generate(copy, "--check").stdout == ""
    assert "'H', 'E', 'D', 'A', 'C', 'C', '0', '2'" in (copy / "access_record.hpp").read_text()
    changed(copy / "contracts/accesses.toml", 'name = "x"', 'name = "y"')
    generate(copy, "--freeze")
    assert "the layout of accesses is not that of its version 2 any more" in generate(copy, "--check").stdout
    assert (
        json.loads((SCHEMAS / "frozen.json").read_text()).items()
        <= json.loads((copy / "frozen.json").read_text()).items()
    )


@pytest.mark.parametrize("kind", KINDS)
def test_a_schema_is_of_the_document_that_is_described(kind: str) -> None:
    described = {document["name"]: document["version"] for document in contract("documents")["document"]}
    assert described.keys() == set(KINDS)
    properties = schema(kind)["properties"]
    assert properties["schema"] == {"const": f"heddle/{kind}"}
    assert properties["version"] == {"const": described[kind]}


def test_the_header_of_a_trace_has_the_size_and_the_clock_that_are_described() -> None:
    properties = schema("trace")["properties"]
    sizes = {record["name"]: record["bytes"] for record in contract("trace")["record"]}
    assert properties["record_bytes"] == {"const": sizes["trace_record"]}
    assert properties["clock"] == {"const": agreed("trace_header", "clock")}


def agreed(group: str, name: str) -> Any:  # noqa: ANN401 - a text or a number
    groups = {each["name"]: each["agreements"] for each in contract("agreements")["group"]}
    return next(entry["value"] for entry in groups[group] if entry["name"] == name)


def choices(part: object, at: str) -> Iterator[tuple[str, list[str]]]:
    """Where in a schema only some words may stand, and which."""
    if isinstance(part, dict):
        if "enum" in part:
            yield at, part["enum"]
        for key, value in part.items():
            yield from choices(value, f"{at}/{key}")


def test_words_in_the_schemas_are_the_ones_that_are_described() -> None:
    there = dict(place for kind in KINDS for place in choices(schema(kind), kind))
    described: dict[str, list[str]] = {}
    for words in contract("documents")["words"]:
        for at in words["at"]:
            described[at] = words["words"]
        for at in words.get("some", ()):
            assert set(there[at]) < set(words["words"]), at
            described[at] = there[at]
    assert there == described


def test_the_parts_are_of_one_version() -> None:
    version = agreed("tools", "version")
    built = re.search(r"project\(heddle VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text())
    imported = re.search(r'__version__ = "([\d.]+)"', (ROOT / "python/heddle/__init__.py").read_text())
    assert built is not None
    assert imported is not None
    assert {
        built[1],
        imported[1],
        tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"],
        json.loads((ROOT / "node/package.json").read_text())["version"],
    } == {version}


def test_every_place_asks_for_the_same_node() -> None:
    versions = agreed("node", "versions").split(", ")
    engines = json.loads((ROOT / "node/package.json").read_text())["engines"]["node"]
    assert engines == " || ".join([*(f"^{version}.0" for version in versions[:-1]), f">={versions[-1]}"])
    said = re.search(r"from ([\d., or]+) on, programs run in parallel", (ROOT / "node/src/preload.cts").read_text())
    assert said is not None
    assert said[1].replace(" or ", ", ").split(", ") == versions


def test_libraries_export_what_late_points_call() -> None:
    for listed in ("multivent/exports.map", "elyze/oracle/runtime/exports.map"):
        patterns = re.findall(r"[\w*]+(?=;)", (ROOT / listed).read_text())
        assert any(fnmatch(agreed("late_points", "enter"), pattern) for pattern in patterns if pattern != "*"), listed


def test_environment_variables_are_described_and_spelled_in_one_place() -> None:
    """By its generated name in C++, Python and TypeScript; shell scripts and the preload of node cannot import it."""
    variables = {variable["name"]: variable["in"] for variable in contract("environment")["variable"]}
    languages = {".cpp": "cpp", ".hpp": "cpp", ".py": "python", ".ts": "typescript", ".cts": None}
    wrong = []
    for path, text in product_files():
        for name in re.findall(r'"(HEDDLE_[A-Z_]+)"', text):
            if languages.get(path.suffix) in variables.get(name, ()):
                wrong.append(f"{path} spells {name}")
    assert wrong == []


def test_reasons_are_spelled_in_one_place() -> None:
    wrong = []
    for reason in contract("reasons")["reason"]:
        longest = max(re.split(r"\{\w+\}", reason["text"]), key=len)
        wrong += [f"{path}: {longest}" for path, text in product_files() if len(longest) > 9 and longest in text]
    assert wrong == []


def test_magic_numbers_and_names_of_documents_are_spelled_in_one_place() -> None:
    spelled = re.compile(r"HED(TRC|ACC)\d\d|\"heddle/(constraints|run|trace)\"|\"heddle_late(_point)?\"")
    wrong = [f"{path}: {found[0]}" for path, text in product_files() if (found := spelled.search(text))]
    assert wrong == []
