"""libev, built from Debian's source package, and programs that use it: for tests of what we put in its place.

Nothing of libev is part of this project, and its header is not needed to build it.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Sequence
from functools import cache
from itertools import combinations_with_replacement
from pathlib import Path

from heddle.documents.contracts import VERSIONS

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
_SOURCES = ROOT / "build/third_party"
_FOLDER = BUILD / "testing/differential/libev"
_PARTS = (
    "ev.c",
    "ev.h",
    "ev_epoll.c",
    "ev_linuxaio.c",
    "ev_iouring.c",
    "ev_poll.c",
    "ev_select.c",
    "ev_vars.h",
    "ev_wrap.h",
)


@cache
def library() -> Path:
    """The folder of libev.so and libev.so.4."""
    subprocess.run([ROOT / "tools/fetch_debian_source", "libev", _SOURCES, *_PARTS], check=True)
    _FOLDER.mkdir(parents=True, exist_ok=True)
    built = _FOLDER / "libev.so.4"
    if not built.exists():
        _compile(
            [
                "-w",
                "-shared",
                "-fPIC",
                "-DEV_STANDALONE",
                "-DEV_USE_REALTIME=0",
                "-Wl,-soname,libev.so.4",
                _SOURCES / "libev/ev.c",
            ],
            built,
        )
        link = _FOLDER / "libev.so"
        link.unlink(missing_ok=True)
        link.symlink_to(built.name)
    return _FOLDER


@cache
def program(name: str, *sources: Path, flags: tuple[str, ...] = (), compiler: str = "gcc") -> Path:
    """Made of C sources."""
    folder = library()
    built = folder / name
    if not built.exists() or any(file.stat().st_mtime > built.stat().st_mtime for file in sources):
        options = [
            "-Wall",
            "-Wextra",
            "-g",
            "-D_GNU_SOURCE",
            "-rdynamic",
            "-Wl,--build-id",
            "-isystem",
            f"{_SOURCES / 'libev'}",
        ]
        _compile(
            [*options, *flags, *sources, f"-L{folder}", f"-Wl,-rpath,{folder}", "-lev", "-lpthread"], built, compiler
        )
    return built


def document(program: Path, folder: Path, handlers: dict[str, int], verdict: str) -> Path:
    """Constraints in which every two handlers have the same verdict.

    `handlers`: how far a watcher is from the start of its session.
    """
    notes = subprocess.run(["readelf", "-n", program], capture_output=True, text=True, check=True).stdout
    described = [
        {
            "id": index,
            "name": name,
            "file": "watchers.c",
            "line": 1,
            "kind": "event",
            "session": {"kind": "object", "offset": offset},
            "registrations": [],
        }
        for index, (name, offset) in enumerate(handlers.items())
    ]
    pairs = [
        {"a": a, "b": b, "verdict": verdict, "conflicts": []}
        for a, b in combinations_with_replacement(range(len(handlers)), 2)
    ]
    document = {
        "schema": "heddle/constraints",
        "version": VERSIONS["constraints"],
        "tool": {"name": "test", "version": "0"},
        "program": {"name": program.name, "build_id": notes.split("Build ID:")[1].split()[0]},
        "handlers": described,
        "objects": [],
        "accesses": [],
        "pairs": pairs,
        "assumptions": [],
    }
    path = folder / f"{verdict}.constraints.json"
    path.write_text(json.dumps(document))
    return path


def _compile(words: Sequence[str | Path], to: Path, compiler: str = "gcc") -> None:
    unfinished = to.with_suffix(f".{os.getpid()}")
    subprocess.run([compiler, "-O1", *words, "-o", unfinished, "-lm"], check=True)
    unfinished.rename(to)
