"""What a scenario is measured on: its commands, the server they talk to, and how both were set up."""

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from heddle.lab import Scenario


@dataclass(frozen=True)
class Options:
    work: Path  # a folder for sites and files; kept between runs
    latency: float | None = None  # seconds; None: the scenario's own
    scale: float = 1.0  # of the work
    seed: int = 2007


@dataclass(frozen=True)
class Stage:
    scenario: "Scenario"
    options: Mapping[str, float | str | None]
    server_cpu_seconds: Callable[[], float] = lambda: 0.0


@dataclass(frozen=True)
class Shipped:
    name: str
    about: str
    source: str  # whose experiment it is
    models: tuple[str, ...]  # that are compared if none are named
    open: Callable[[Options], AbstractContextManager[Stage]]
