"""Files that one command keeps in the user's cache for the next one, so that it need not find the same out again.

A kept file may be missing, damaged or not writable at any time; that costs time, never a result. So a reader checks the
file against a digest before it believes it, and a writer that fails goes on without it.
"""

import contextlib
import hashlib
import os
from pathlib import Path

_MOST = 16  # files of one kind


def place(kind: str, of: Path, ending: str) -> Path:
    """The file in which things of this kind are kept for the program `of`."""
    base = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(base) if base else Path.home() / ".cache") / "heddle" / kind
    return folder / f"{digest(str(of.resolve()).encode())[:32]}{ending}"


def digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


def digest_of(file: Path) -> str:
    return digest(file.read_bytes())


def forget_oldest(kept: Path) -> None:
    """Removes the files beside this one that have not been used for longest, until _MOST are left."""
    with contextlib.suppress(OSError):
        files = sorted(kept.parent.glob(f"*{kept.suffix}"), key=lambda file: file.stat().st_mtime, reverse=True)
        for file in files[_MOST:]:
            file.unlink(missing_ok=True)
