"""A site for each test."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from heddle.system import places
from testing.threadlab.site import Site


@pytest.fixture(autouse=True)
def _built() -> None:
    if not places.lab_native().is_file():
        pytest.skip("the native part of heddle.lab is not built")


@pytest.fixture
def site() -> Iterator[Site]:
    with Site() as running:
        yield running
