"""How the tests start an example, in plain node or in heddle-node."""

from __future__ import annotations

import os
from collections.abc import Callable
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path

from heddle.measure.serving import Server
from heddle.system import nodejs

EXAMPLES = Path(__file__).resolve().parents[1]


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    errors: str


Run = Callable[..., Ended]
Start = Callable[..., AbstractContextManager[Server]]
Make = Callable[..., Path]


def command(way: str, program: str, *arguments: str | Path) -> list[str]:
    words = [str(EXAMPLES / program), *map(str, arguments)]
    if way == "node":
        return [str(nodejs.node()), *words]
    # Everything that may be shipped is: what it costs is measured elsewhere.
    return [str(nodejs.heddle_node()), "--workers", "2", "--ship=always", *words]


def environment(**more: str) -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if name != "HEDDLE" and not name.startswith("HEDDLE_")}
    return {**own, "HEDDLE_NODE": str(nodejs.node()), **more}
