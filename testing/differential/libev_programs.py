"""libev, built from Debian's source package, and programs that use it: for tests of what we put in its place.

Nothing of libev is part of this project, and its header is not needed to build it.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent
HERE = Path(__file__).resolve().parent
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
def program(name: str, *sources: str) -> Path:
    """Of C sources in this folder."""
    folder = library()
    built = folder / name
    files = [HERE / source for source in sources]
    if not built.exists() or any(file.stat().st_mtime > built.stat().st_mtime for file in files):
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
        _compile([*options, *files, f"-L{folder}", f"-Wl,-rpath,{folder}", "-lev", "-lpthread"], built)
    return built


def _compile(words: Sequence[str | Path], to: Path) -> None:
    unfinished = to.with_suffix(f".{os.getpid()}")
    subprocess.run(["gcc", "-O1", *words, "-o", unfinished, "-lm"], check=True)
    unfinished.rename(to)
