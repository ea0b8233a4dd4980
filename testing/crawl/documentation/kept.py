"""Runs of crawlers over packages that are kept, for other people's crawlers take long and find the same each time."""

from __future__ import annotations

import hashlib
import json
import shutil
import tempfile
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from testing.crawl.documentation import packages, peers
from testing.crawl.documentation.nginx import Answer, uri
from testing.crawl.documentation.peers import Run
from testing.crawl.documentation.reasons import Comparison, compare

CACHE = Path(__file__).resolve().parents[3] / "build/third_party/documentation"
ROUNDS = 3


def crawled(package: str, name: str, cache: Path, more: Sequence[str] = (), again: bool = False) -> Run:
    """What the crawler finds of the package, from its entrances and these keys too; runs it if that is not kept, or is
    wanted again.
    """
    told = "." + hashlib.sha256("\n".join(more).encode("utf-8", "surrogateescape")).hexdigest()[:12] if more else ""
    file = cache / "crawled" / f"{package}.{name.replace(' ', '')}{told}.json"
    if file.exists() and not again:
        said = json.loads(file.read_text())
        return Run({key: Answer(*answer) for key, answer in said["answers"].items()}, said["seconds"], said["cpu_s"])
    tree = packages.unpacked(package, cache)
    paths = [*packages.entrances(tree), *map(uri, more)]
    with tempfile.TemporaryDirectory(dir=cache, prefix=".crawl.") as work:
        run = peers.run(name, tree, paths, cache, Path(work) / "run")
    file.parent.mkdir(parents=True, exist_ok=True)
    answers = {key: tuple(asdict(answer).values()) for key, answer in run.answers.items()}
    part = file.with_suffix(".part")
    part.write_text(json.dumps({"answers": answers, "seconds": run.seconds, "cpu_s": run.cpu_s}))
    shutil.move(part, file)
    return run


def compared(package: str, name: str, cache: Path, ours: Run) -> tuple[Comparison, Run]:
    """The peer's differences from ours, and its first run.

    What it does not follow may hide everything behind it. So it is given such URLs, and is asked again.
    """
    tree = packages.unpacked(package, cache)
    first = peer = crawled(package, name, cache)
    found = compare(tree, name, ours, peer)
    told: list[str] = []
    for _ in range(ROUNDS):
        if not found.hidden:
            break
        told += found.hiding
        peer = crawled(package, name, cache, told)
        known, found = found, compare(tree, name, ours, peer)
        found.take(known, told)
    return found, first
