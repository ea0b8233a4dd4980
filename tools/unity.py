"""Which names two sources of a part both define for themselves.

The presets `release` and `asan` compile several sources as one unit (CMAKE_UNITY_BUILD), in which what one source
defines in an anonymous namespace, or as static, is seen by the next ones; GCC warns where a function of these has an
alias of that name (-Wshadow). Tests are not looked at: those of one program are compiled as one unit only, which the
presets `tsan` and `model` show; and each of `bench` is a program.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path

TEST = re.compile(r"_(test|fixture)\.cpp$")
TEXT = r"""R"\((?:.*?)\)"|"(?:\\.|[^"\\\n])*"|(?<!\w)'(?:\\.|[^'\\\n])+'"""
NO_CODE = r"//[^\n]*|/\*.*?\*/|^\s*#[^\n]*|\[\[.*?\]\]|\balignas\([^()]*\)"
TEXT_OR_NO_CODE = re.compile(f"({TEXT})|{NO_CODE}", re.DOTALL | re.MULTILINE)
NAMESPACE = re.compile(r'(?:inline )?namespace\b[^=]*$|extern ""$')
TYPE = re.compile(r"(?:using|namespace|struct|class|union|enum(?: class| struct)?) (\w+)(?! *::)")
OTHER = re.compile(r"(?<!::)(?<!\w)(\w+) ?(?:\(|=|\{|\[|$)")
ALIAS_IN_A_BODY = re.compile(r"^ +using (\w+) = [^;]*;", re.MULTILINE)
NO_NAME = re.compile(r"using namespace |using [\w:]+$|static_assert\b|(?:struct|class|union) \w+$|[^(=]*\boperator\b")


def own_names(text: str) -> dict[str, str]:
    """What a source defines for itself: name -> how its definition begins."""
    found = {}
    for head, anonymous in _definitions(TEXT_OR_NO_CODE.sub(lambda match: '""' if match[1] else "", text)):
        head = re.sub(r"^template <.*?> (?=\w)", "", " ".join(head.split()))
        if (anonymous or head.startswith("static ")) and not NO_NAME.match(head):
            name = TYPE.match(head) or OTHER.search(head)
            if name:
                found[name[1]] = head
    return found


def _definitions(text: str) -> Iterator[tuple[str, bool]]:
    """What stands in namespaces, up to its body or its end; and whether one of these namespaces is anonymous."""
    braces: list[str] = []  # what opened each brace that is open
    head = ""
    for part in re.split(r"([{};])", text):
        in_namespaces = all(NAMESPACE.match(opened) for opened in braces)
        if part == "{":
            opened = " ".join(head.split()) if in_namespaces else ""
            if in_namespaces and not NAMESPACE.match(opened):
                yield head + "{", "namespace" in braces
            braces.append(opened)
            head = ""
        elif part == "}":
            braces.pop()
            head = ""
        elif part == ";":
            if in_namespaces and head.strip():
                yield head, "namespace" in braces
            head = ""
        else:
            head = part
    assert not braces


def clashes(root: Path, paths: Iterable[Path]) -> list[str]:
    """Names that two of these sources of a part define differently; the same alias may stand in both, if it stands in
    namespaces or in bodies of both."""
    found: dict[tuple[str, str], dict[Path, str]] = defaultdict(dict)
    for path in paths:
        if (
            path.suffix == ".cpp"
            and not TEST.search(path.name)
            and not {"tests", "programs", "bench"} & set(path.parts)
        ):
            text = (root / path).read_text()
            for alias in ALIAS_IN_A_BODY.finditer(text):
                found[path.parts[0], alias[1]][path] = alias[0]
            for name, head in own_names(text).items():
                found[path.parts[0], name][path] = head
    return [
        f"{name}: {', '.join(map(str, heads))}"
        for (_, name), heads in sorted(found.items())
        if len(heads) > 1 and not _is_one_alias({*heads.values()})
    ]


def _is_one_alias(heads: set[str]) -> bool:
    in_bodies = all(head.startswith(" ") for head in heads)
    return in_bodies or (len(heads) == 1 and heads.pop().startswith(("using ", "namespace ")))
