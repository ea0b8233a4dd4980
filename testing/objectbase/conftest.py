"""A folder in memory for a test's stores, and the packages for Python and Node as they are used from this tree."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from testing.servers.matrix import ROOT

BUILT = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev")) / "objectbase"
MEMORY = Path("/dev/shm")

os.environ.setdefault("OBJECTBASE_LIBRARY", str(BUILT / "libobjectbase.so"))


@pytest.fixture(autouse=True)
def _is_built() -> None:
    if not (BUILT / "libobjectbase.so").exists() or not (BUILT / "heddle-objectbase").exists():
        pytest.skip("objectbase is not built")


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    with TemporaryDirectory(dir=MEMORY if MEMORY.exists() else tmp_path) as made:
        yield Path(made)
