"""Figures of a crawl in the shapes that page and picture share: ranges of sizes and times, and the graph of links."""

import math
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from heddle.crawl.results import Summary

MOST_GROUPS = 24


def size(count: float) -> str:
    """Bytes for people: 512 B, 1.5 KiB."""
    for unit in ("B", "KiB", "MiB", "GiB"):
        if count < 1024 or unit == "GiB":
            return f"{count:.0f} {unit}" if unit == "B" or count >= 100 else f"{count:.1f} {unit}"
        count /= 1024
    raise AssertionError


def counted(count: int, what: str) -> str:
    """1 host, 2 hosts."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def ranges(values: Iterable[float], base: float) -> list[tuple[float, int]]:
    """How many values lie in each range [start, start * base), and below 1 in the one that starts at 0."""
    counts: Counter[int] = Counter(-1 if value < 1 else math.floor(math.log(value, base) + 1e-9) for value in values)
    if not counts:
        return []
    return [(0.0 if step < 0 else base**step, counts[step]) for step in range(min(counts), max(counts) + 1)]


@dataclass(frozen=True)
class Node:
    name: str
    pages: int
    depth: int
    x: float
    y: float
    radius: float
    anchor: str  # of its text: "start" on the right half, "end" on the left one

    @property
    def text_x(self) -> float:
        gap = self.radius + 4
        return self.x + gap if self.anchor == "start" else self.x - gap


@dataclass(frozen=True)
class Edge:
    start: Node
    end: Node
    pages: int
    width: float


@dataclass(frozen=True)
class Graph:
    """`centre` is where lines bend to."""

    nodes: list[Node]
    edges: list[Edge]
    width: int
    height: int
    centre: tuple[float, float]
    left_out: int  # groups


def graph(found: Summary) -> Graph:
    """The largest groups of pages around a circle, and how many pages were found from one to the other."""
    chosen = sorted(found.groups.items(), key=lambda item: (-item[1].pages, item[0]))[:MOST_GROUPS]
    most = max((group.pages for _, group in chosen), default=1)
    centre = (480.0, 260.0)
    nodes: dict[str, Node] = {}
    for number, (name, group) in enumerate(sorted(chosen)):
        angle = math.tau * (number + 0.5) / len(chosen)
        x, y = centre[0] + 220 * math.sin(angle), centre[1] - 220 * math.cos(angle)
        radius = 4 + 12 * math.sqrt(group.pages / most)
        nodes[name] = Node(name, group.pages, group.depth, x, y, radius, "start" if x >= centre[0] else "end")
    between = [(a, b, count) for (a, b), count in found.links.items() if a in nodes and b in nodes and a != b]
    heaviest = max((count for _, _, count in between), default=1)
    edges = [Edge(nodes[a], nodes[b], count, 0.5 + 4 * math.sqrt(count / heaviest)) for a, b, count in sorted(between)]
    return Graph(list(nodes.values()), edges, 960, 520, centre, len(found.groups) - len(chosen))
