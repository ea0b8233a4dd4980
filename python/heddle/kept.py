"""What one command leaves for the next: files in the user's cache, each under a name that says what it is of.

A cache may be deleted, damaged or in nobody's reach at any time: that costs time, never a result. So whoever reads one
checks it against a digest, and whoever can't write one goes on.
"""

import contextlib
import hashlib
import os
from pathlib import Path

_MOST = 16  # files of one kind


def place(kind: str, of: Path, ending: str) -> Path:
    """Where what is kept of a program stands."""
    base = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(base) if base else Path.home() / ".cache") / "heddle" / kind
    return folder / f"{digest(str(of.resolve()).encode())[:32]}{ending}"


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def digest_of(file: Path) -> str:
    return digest(file.read_bytes())


def forget_oldest(kept: Path) -> None:
    """Of the files beside this one and of its kind, all but those that were used last."""
    with contextlib.suppress(OSError):
        files = sorted(kept.parent.glob(f"*{kept.suffix}"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in files[_MOST:]:
            file.unlink(missing_ok=True)
