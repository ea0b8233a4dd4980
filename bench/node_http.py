"""Node services with handlers of 4 to 5 ms under heddle-node, against plain node, piscina and node:cluster.

A map server draws a tile for each request, on plain http and on express; a probe asks for /health meanwhile. Claims are
requests per second and the probe's p99, with two workers. The same server written by hand with a pool of threads (by
the manual of piscina) and with several processes (by that of node:cluster) stands beside it: how fast, how many lines
were changed, whether the server's own counter is still right, and what it takes in memory. Every answer is compared
with what plain node answered. In some starts V8 gives up the code that it made of `renderTile` during the first call,
and makes none anew for long: a tile then takes five to seven times as long (seen in 5 of 36 starts of plain Node 20, in
one of 48 of heddle-node on Node 22, in none on Node 24). The claims are medians for that reason as well.
"""

from __future__ import annotations

import difflib
import json
import statistics
import subprocess
import urllib.request
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench import servers
from heddle.measure.alternation import Alternation, medians
from heddle.measure.benchmark import Claim, Result, Tools, needs_cores, ratio_claim
from heddle.measure.load import Figures, Load, WrongAnswersError, compare
from heddle.measure.node import Contender, version
from heddle.measure.serving import serving
from heddle.system import nodejs, places

CLAIMS = ("node.http_throughput", "node.http_light_p99")
MEASURES = ("bench/servers/node", "examples/node/markdown-service", "node")
WORKERS = 2
CONNECTIONS = 20
COUNTED = 240  # requests after which the server's own counter is checked


@dataclass(frozen=True)
class Effort:
    rounds: int
    beside_rounds: int
    seconds: float
    warmup_s: float


# A busy Node accepts one connection for each turn of its loop: until all are there, plain node needs a second or two.
FULL = Effort(rounds=5, beside_rounds=2, seconds=3.0, warmup_s=3.0)
QUICK = Effort(rounds=2, beside_rounds=1, seconds=1.5, warmup_s=3.0)


def tile_load(tools: Tools, effort: Effort, name: str) -> Load:
    """Sixty-four tiles of one zoom level, asked for as by a visitor who looks around."""
    mix = tools.work / "tiles.txt"
    mix.write_text("".join(f"1 /tile/5/{x}/{y}\n" for x in range(8) for y in range(8)))
    return Load(
        connections=CONNECTIONS,
        seconds=effort.seconds,
        warmup_s=effort.warmup_s,
        urls=("--mix", str(mix)),
        probe="/health",
        hashes=tools.work / f"{name}.hashes",
    )


def page_load(tools: Tools, effort: Effort, name: str) -> tuple[Path, Load]:
    """Documentation pages for the Markdown service."""
    pages, mix = tools.work / "pages", tools.work / "pages.txt"
    if not pages.exists():
        script = servers.node_examples() / "markdown-service/make-pages.js"
        subprocess.run([nodejs.node(), script, pages, "24", "64"], check=True)
    mix.write_text("".join(f"1 /pages/{page.stem}\n" for page in sorted(pages.iterdir())))
    hashes = tools.work / f"{name}.hashes"
    return pages, Load(("--mix", str(mix)), 8, effort.seconds, effort.warmup_s, "/health", hashes)


def memory_mb(pid: int) -> float:
    """Proportional memory of a process and its children (proc(5), smaps_rollup)."""
    kib = 0
    for line in Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines():
        if line.startswith("Pss:"):
            kib = int(line.split()[1])
    children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    return kib / 1024 + sum(memory_mb(int(child)) for child in children)


def counted(tools: Tools, contender: Contender, path: str) -> tuple[int, float]:
    """What the server's own counter says after COUNTED requests, and its memory then."""
    generator = places.built(places.load_generator(), "the load generator")
    with serving(contender.command, contender.environment(tools.work / "run.json")) as server:
        base = [generator, "--port", str(server.port), "--connections", "8", "--warmup", "0"]
        done = subprocess.run(
            [*base, "--requests", str(COUNTED), "--path", path], capture_output=True, text=True, check=False
        )
        if done.returncode != 0:
            said = done.stdout.strip().splitlines()[-1]
            raise WrongAnswersError(f"{contender.program.name} gave wrong answers ({said})", "nothing was measured")
        with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/stats", timeout=10) as answer:
            served = json.load(answer)["served"]
        return int(served), memory_mb(server.pid)


def changed_lines(before: Path, after: Sequence[Path]) -> int:
    """Lines that were added or changed, new files counted whole; lines that only moved to another file are not new."""
    old = before.read_text().splitlines()
    added = 0
    known = set(old)
    for path in after:
        for line in difflib.ndiff(old, path.read_text().splitlines()):
            if line.startswith("+ ") and line[2:].strip() and line[2:] not in known:
                added += 1
    return added


def row(name: str, found: Sequence[Figures], served: int, mb: float, lines: int) -> str:
    figures = medians(found)
    right = "right" if served == COUNTED else f"{served} of {COUNTED}"
    return (
        f"{name:<26}{figures['per_s']:>8.0f}{figures['p50_ms']:>9.1f}{figures['p99_ms']:>9.1f}"
        f"{figures['probe_p50_ms']:>9.2f}{figures['probe_p99_ms']:>9.2f}{lines:>8}   {right:<12}{mb:>7.0f}"
    )


def side_by_side(
    tools: Tools, effort: Effort, folder: Path, ours: Alternation[Figures], details: dict[str, Any]
) -> list[str]:
    plain = Contender(folder / "tiles.js")
    workers = (("WORKERS", str(WORKERS)),)
    by_hand = {
        "piscina, by hand": (
            Contender(folder / "tiles-piscina.js", extra=workers),
            [folder / "tiles-piscina.js", folder / "tiles-piscina-worker.js"],
        ),
        "node:cluster, by hand": (Contender(folder / "tiles-cluster.js", extra=workers), [folder / "tiles-cluster.js"]),
    }
    lines = [
        "",
        f"the map server, {CONNECTIONS} connections, {WORKERS} workers; light is /health meanwhile",
        f"{'':<26}{'req/s':>8}{'p50 ms':>9}{'p99 ms':>9}{'light p50':>9}{'p99':>9}{'lines':>8}   {'counter':<12}"
        f"{'MB':>7}",
    ]
    lines.append(row("node", ours.first, *counted(tools, plain, "/tile/5/1/1"), 0))
    heddle = counted(tools, plain.under_heddle(WORKERS), "/tile/5/1/1")
    lines.append(row("heddle-node", ours.second, *heddle, 0))
    for name, (contender, sources) in by_hand.items():
        tools.say(f"the map server: {name}")
        found = compare(effort.beside_rounds, plain, contender, tile_load(tools, effort, "beside"), tools.work)
        changed = changed_lines(folder / "tiles.js", sources)
        lines.append(row(name, found.second, *counted(tools, contender, "/tile/5/1/1"), changed))
        details[name] = {**medians(found.second), "lines": changed}
    more = counted(tools, plain.under_heddle(WORKERS + 2), "/tile/5/1/1")[1]
    details["mb_per_worker"] = (more - heddle[1]) / 2
    lines.append(f"memory of one more worker of heddle-node: {details['mb_per_worker']:.1f} MB")
    return lines


def real_services(tools: Tools, effort: Effort, details: dict[str, Any]) -> list[str]:
    """The Markdown service of examples/node, with its own renderer and with packages from npm."""
    lines = ["", "examples/node/markdown-service, GET /pages/NAME", f"{'':<26}{'node':>8}{'heddle':>9}{'ratio':>9}"]
    for name, extra in (("its own renderer", ()), ("marked and highlight.js", (("RENDERER", "packages"),))):
        tools.say(f"the Markdown service: {name}")
        pages, load = page_load(tools, effort, "pages-packages" if extra else "pages-own")
        plain = Contender(servers.node_examples() / "markdown-service/server.js", (str(pages), "0"), extra=extra)
        found = compare(effort.beside_rounds, plain, plain.under_heddle(WORKERS), load, tools.work)
        ratio = statistics.median(found.ratios(lambda run: run.per_s))
        before, after = medians(found.first), medians(found.second)
        details[f"markdown, {name}"] = {"node": before, "heddle": after}
        lines.append(f"{name:<26}{before['per_s']:>8.0f}{after['per_s']:>9.0f}{ratio:>9.2f}   requests/s")
        lines.append(f"{'':<26}{before['probe_p99_ms']:>8.1f}{after['probe_p99_ms']:>9.1f}{'':>9}   p99 of /health, ms")
    return lines


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    folder = servers.node_programs()
    nodejs.install(servers.node_examples())
    details: dict[str, Any] = {"node": version(), "workers": WORKERS, "connections": CONNECTIONS}
    throughput: list[Claim] = []
    light: list[Claim] = []
    found: dict[str, Alternation[Figures]] = {}
    for name, program in (("http", "tiles.js"), ("express", "tiles-express.js")):
        tools.say(f"the map server on {name}: node and heddle-node in turn")
        plain = Contender(folder / program)
        found[name] = compare(
            effort.rounds, plain, plain.under_heddle(WORKERS), tile_load(tools, effort, name), tools.work
        )
        details[name] = {
            "node": medians(found[name].first),
            "heddle": medians(found[name].second),
        }
        doubts = found[name].doubts() + needs_cores()
        ratios = found[name].ratios
        throughput.append(
            ratio_claim(
                "node.http_throughput",
                f"{name}, handlers of 4 to 5 ms, {WORKERS} workers, requests/s / node",
                1.60,
                ratios(lambda run: run.per_s),
                doubts,
            )
        )
        light.append(
            ratio_claim(
                "node.http_light_p99",
                f"{name}, p99 of a light route under that load / node",
                0.10,
                ratios(lambda run: run.probe_p99_ms),
                doubts,
                better="lower",
            )
        )
    table = side_by_side(tools, effort, folder, found["http"], details)
    details["table"] = [*table, *real_services(tools, effort, details)]
    return Result(bench="node_http", claims=[*throughput, *light], details=details)
