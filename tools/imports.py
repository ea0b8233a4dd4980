"""Which files of the project a file uses, by its includes and imports: the facts that test_architecture.py judges."""

from __future__ import annotations

import ast
import os
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

from project_files import CPP, ROOT, TYPESCRIPT, C, project_files

INCLUDE = re.compile(r'^\s*#\s*include\s+"([^"]+)"', re.MULTILINE)
# `import ... from "X"`, `export ... from "X"`, `import "X"`, `import("X")`, `require("X")`, where X begins with a dot.
MODULE = re.compile(r"""(?:\bfrom\s*|\bimport\s*|\bimport\(\s*|\brequire\(\s*)["'](\.[^"']*)["']""")
COMMENT = re.compile(r"/\*.*?\*/|^\s*//[^\n]*", re.DOTALL | re.MULTILINE)


@cache
def used_by(path: Path) -> frozenset[Path]:
    """What a file includes or imports of the project, as paths relative to the root. Foreign packages are left out."""
    return frozenset(used_in((ROOT / path).read_text(), path))


def used_in(text: str, path: Path) -> set[Path]:
    """The same for a text, read as if it were the file at `path`."""
    if path.suffix in {*C, *CPP}:
        return {Path(name) for name in INCLUDE.findall(text)}
    if path.suffix in TYPESCRIPT:
        return {_beside(path, name) for name in MODULE.findall(COMMENT.sub("", text))}
    return {found for name in _imported_names(text) for found in _python_modules(name, path)}


def _beside(path: Path, name: str) -> Path:
    """The source file that an import of `name` in `path` means. TypeScript imports have the compiled file's suffix."""
    target = Path(os.path.normpath(path.parent / name))
    sources = (target.with_suffix(suffix) for suffix in TYPESCRIPT)
    return next((source for source in sources if source in _files()), target)


def _imported_names(text: str) -> Iterator[str]:
    """Names of modules, or of things in modules, that the text imports, also inside of functions."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"import by full names: {node.module} is relative"
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def _python_modules(name: str, path: Path) -> Iterator[Path]:
    """The file of the project that `name` is a module in, or a name from; none if it is not the project's."""
    words = name.split(".")
    for root in (path.parent, *_import_roots()):
        for length in range(len(words), 0, -1):
            module = root.joinpath(*words[:length])
            for found in (module.with_suffix(".py"), module / "__init__.py"):
                if found in _files():
                    yield found
                    return


@cache
def _import_roots() -> tuple[Path, ...]:
    """Where Python may find our modules: beside the file, in the installed packages, in folders of helpers."""
    holders = {path.parent for path in _files() if path.suffix == ".py" and path.name != "__init__.py"}
    return (Path("python"), Path("objectbase/python"), Path(), *sorted(holders))


@cache
def _files() -> frozenset[Path]:
    return frozenset(project_files())
