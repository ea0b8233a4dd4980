"""Which files belong to the project: what git tracks or would track, never what a build left behind."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
CPP = (".cpp", ".hpp")
C = (".c", ".h")
TYPESCRIPT = (".ts", ".cts", ".mts")


@lru_cache(maxsize=1)
def project_files() -> tuple[Path, ...]:
    """Paths relative to the root of every tracked file and every new one that is not ignored."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        check=True,
        capture_output=True,
        text=True,
    ).stdout
    paths = (Path(name) for name in listed.split("\0") if name)
    return tuple(sorted(path for path in paths if (ROOT / path).is_file()))


def files_with(*suffixes: str) -> tuple[Path, ...]:
    return tuple(path for path in project_files() if path.suffix in suffixes)
