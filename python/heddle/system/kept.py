"""Files that one command keeps in the user's cache for the next one, so that it need not find the same out again.

A kept file may be missing, damaged or not writable at any time; that costs time, never a result. So a reader checks the
file against a digest before it believes it, and a writer that fails goes on without it.
"""

import contextlib
import hashlib
import os
from pathlib import Path

_MOST = 16  # files of one kind


def _caches() -> Path | None:
    """The folder for caches, as heddle-node chooses it (node/src/loader/own-files.ts).

    Without XDG_CACHE_HOME and HOME there is none, though the system's list of users may name a home. A home that is not
    there is not made, and a relative path counts for nothing (XDG Base Directory Specification, "Basics").
    """
    named, home = (Path(os.environ.get(name, "")) for name in ("XDG_CACHE_HOME", "HOME"))
    if named.is_absolute():
        return named
    return home / ".cache" if home.is_absolute() and home.is_dir() else None


def place(kind: str, of: Path, ending: str) -> Path | None:
    """The file in which things of this kind are kept for the program `of`; None: nothing is kept."""
    folder = _caches()
    return None if folder is None else folder / "heddle" / kind / f"{digest(str(of.resolve()).encode())[:32]}{ending}"


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
