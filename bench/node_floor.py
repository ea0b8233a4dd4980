"""What heddle-node costs or brings programs that nobody here wrote: services on popular packages, and tools.

Ten workloads with nothing worth computing elsewhere: five servers under load, a talk over WebSocket, a compiler, a
linter, a test suite, a job that reads lines. Two where little is: light routes beside one that takes half a
millisecond, every third request or every thirtieth, on the same connections. And a service on each of some fifty
packages, widely used ones of each kind of work, used as their READMEs show (bench/servers/node/popular). Each runs in
plain node and under heddle-node in turn, with default options; every answer is compared with plain node's. Speed is
requests per second, or the inverse of the time from start to end; the claims are the worst of all medians, and the
median of them. Services also have a route that only says "ok": its 99th percentile is printed beside. A server is
measured as one that has run before: modules of packages are analysed while it first runs, and guards that cost
something are then left out. A workload is repeated until its median is known well enough, because the speed of V8's
code differs from start to start, with servers by more than the floor's distance from 1. Programs that end are measured
in two ways: as somebody sees them who runs them again and again, for heddle-node leaves a program alone that gained
nothing in its last runs; and with `--ship=auto`, by which it looks at every start. The last claim is the time that a
program of one line takes to start and end, with a warm cache of transformed modules.
"""

from __future__ import annotations

import json
import statistics
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

from bench import servers
from heddle.measure.alternation import Alternation, alternate, alternate_until, median_interval, spread
from heddle.measure.benchmark import Claim, Result, Tools
from heddle.measure.load import Figures, Load, measure
from heddle.measure.node import Contender, finish, version
from heddle.system import nodejs

CLAIMS = ("node.floor_min", "node.floor_median", "node.cold_start")
MEASURES = ("bench/servers/node/floor", "bench/servers/node/package-lock.json", "node")


@dataclass(frozen=True)
class Effort:
    least: int  # measure at least so many pairs of runs of a workload, and at most `most`
    most: int
    precision: float  # stop once the median of their ratios is known within this
    starts: int
    seconds: float
    warmup_s: float
    earlier: tuple[float, ...]  # seconds of the runs of a server from which heddle-node has learned what it costs


FULL = Effort(least=8, most=16, precision=0.02, starts=25, seconds=1.5, warmup_s=0.7, earlier=(5, 4))
QUICK = Effort(least=4, most=4, precision=0.02, starts=10, seconds=1.0, warmup_s=0.5, earlier=(4,))


@dataclass(frozen=True)
class Workload:
    name: str
    program: Contender
    load: Load | None = None  # given for a server; None for a program that ends by itself
    steady: bool = True  # a program that ends by itself prints the same in every run


def written(path: Path, make: Callable[[], str]) -> Path:
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(make())
    return path


def typescript_project(tools: Tools) -> Path:
    """Modules of a made-up shop that use each other's types: what a compiler gets to do."""
    folder = tools.work / "shop"

    def module(number: int) -> str:
        earlier = [f"module{other:02}" for other in range(max(0, number - 3), number)]
        imports = "".join(
            f"import {{ type Item as Item{i}, {m}Total }} from './{m}.js';\n" for i, m in enumerate(earlier)
        )
        uses = " + ".join([f"{name}Total([])" for name in earlier] or ["0"])
        functions = "".join(
            f"export function field{k}<T extends Item>(items: readonly T[], limit: number = {k}): Map<string, T[]> {{\n"
            "  const groups = new Map<string, T[]>();\n"
            "  for (const item of items.filter(({ units }) => units > limit)) {\n"
            "    groups.set(item.name, [...(groups.get(item.name) ?? []), item]);\n"
            "  }\n  return groups;\n}\n"
            for k in range(25)
        )
        return (
            f"{imports}export interface Item {{ name: string; units: number; price: number; tags?: string[] }}\n"
            f"export const module{number:02}Total = (items: Item[]): number =>\n"
            f"  items.reduce((sum, {{ units, price }}) => sum + units * price, {uses});\n{functions}"
        )

    for number in range(40):
        written(folder / f"src/module{number:02}.ts", partial(module, number))
    options = {"strict": True, "target": "es2022", "module": "nodenext", "outDir": "out", "types": []}
    written(folder / "tsconfig.json", lambda: json.dumps({"compilerOptions": options, "include": ["src"]}))
    written(folder / "package.json", lambda: '{"type": "module"}')
    return folder


def linted_folder(tools: Tools, packages: Path) -> Path:
    """The sources of packages that are installed anyway."""
    folder = tools.work / "lint"
    for package in ("express", "fastify", "mocha", "ws"):
        for source in sorted((packages / package / "lib").rglob("*.js")):
            written(folder / package / source.relative_to(packages / package), source.read_text)
    names = ("no-dupe-keys", "no-unreachable", "no-redeclare", "getter-return", "valid-typeof")
    rules = dict.fromkeys(names, "warn")
    globals_ = dict.fromkeys("require module process Buffer console setImmediate queueMicrotask".split(), "readonly")
    config = [{"rules": rules, "languageOptions": {"sourceType": "commonjs", "globals": globals_}}]
    written(folder / "eslint.config.js", lambda: f"module.exports = {json.dumps(config)};\n")
    return folder


def log_file(tools: Tools) -> Path:
    def lines() -> str:
        return "".join(
            json.dumps({"at": 1_700_000_000 + n, "path": f"/orders/{n % 211}", "status": 200 + n % 3, "ms": n % 97})
            + "\n"
            for n in range(1_500_000)
        )

    return written(tools.work / "log.jsonl", lines)


def static_folder(tools: Tools) -> tuple[Path, Path]:
    folder, mix = tools.work / "files", tools.work / "files.txt"
    for number in range(20):
        written(folder / f"{number}.txt", lambda n=number: f"file {n}\n" * (100 * (n + 1)))  # type: ignore[misc]
    written(mix, lambda: "".join(f"1 /files/{number}.txt\n" for number in range(20)))
    return folder, mix


def hot_and_light(tools: Tools, light: int) -> Path:
    """Requests to the server of that name: for each that computes, so many that do not."""

    def lines() -> str:
        hot = "".join(f"1 /primes/{number}\n" for number in range(20))
        return hot + "".join(f"{light} /orders/{number}\n" for number in range(20))

    return written(tools.work / f"hot-and-{light}-light.txt", lines)


def workloads(tools: Tools, effort: Effort) -> list[Workload]:
    folder = servers.node_programs()
    floor, packages = folder / "floor", folder / "node_modules"
    files, mix = static_folder(tools)

    def load(name: str, *urls: str) -> Load:
        hashes = tools.work / f"{name}.hashes"
        hashes.unlink(missing_ok=True)
        return Load(urls, 8, effort.seconds, effort.warmup_s, hashes=hashes)

    service, paths = folder / "popular/service.js", [word for n in range(20) for word in ("--path", f"/{n}")]
    packages_of = [nodejs.node(), service, "list"]
    popular = subprocess.run(packages_of, capture_output=True, text=True, check=True).stdout.split()
    orders = [word for number in range(20) for word in ("--path", f"/orders/{number}")]
    shop, lint = typescript_project(tools), linted_folder(tools, packages)
    return [
        Workload("hello, http", Contender(floor / "hello-http.js"), load("http", "--path", "/")),
        Workload("hello, express", Contender(floor / "hello-express.js"), load("express", "--path", "/")),
        Workload("JSON, express", Contender(floor / "json-express.js"), load("json-express", *orders)),
        Workload("JSON, fastify", Contender(floor / "json-fastify.js"), load("json-fastify", *orders)),
        Workload(
            "static files, express",
            Contender(floor / "static-files.js", (str(files),)),
            load("static", "--mix", str(mix)),
        ),
        *(
            Workload(
                f"{light} light to 1 hot, http",
                Contender(floor / "hot-and-light.js"),
                load(f"hot-and-{light}-light", "--mix", str(hot_and_light(tools, light))),
            )
            for light in (2, 30)
        ),
        Workload("WebSocket echo", Contender(floor / "websocket-echo.js", ("40000",))),
        Workload("TypeScript compiler", Contender(packages / "typescript/bin/tsc", ("-p", str(shop)))),
        Workload(
            "eslint",
            Contender(packages / "eslint/bin/eslint.js", (".",), folder=lint),
        ),
        Workload(
            "mocha, 48,000 tests",
            Contender(packages / "mocha/bin/mocha.js", (str(floor / "parser.test.js"), "-R", "min")),
            steady=False,
        ),
        Workload("lines of a log", Contender(floor / "log-lines.js", (str(log_file(tools)),))),
        *(
            Workload(name, Contender(service, (name,)), replace(load(name.replace("/", "-"), *paths), probe="/light"))
            for name in popular
        ),
    ]


@dataclass(frozen=True)
class Compared:
    """Speeds: requests per second, or how often the program would run in a second."""

    usual: Alternation[float]
    looked_at: Alternation[float] | None = None  # at every start
    light_p99: float | None = None  # of a route that has nothing to do; ratio of the medians


def compare(tools: Tools, effort: Effort, workload: Workload) -> Compared:
    plain, heddle, load = workload.program, workload.program.under_heddle().unreported(), workload.load
    until = partial(alternate_until, effort.precision, effort.least, effort.most)
    if load is not None:
        for seconds in effort.earlier:
            measure(heddle, replace(load, seconds=seconds), tools.work)
        seen: dict[Contender, list[Figures]] = {plain: [], heddle: []}

        def per_s(contender: Contender) -> float:
            seen[contender].append(measure(contender, load, tools.work))
            return seen[contender][-1].per_s

        usual = until(partial(per_s, plain), partial(per_s, heddle))
        if load.probe is None:
            return Compared(usual)
        before, after = (statistics.median(figures.probe_p99_ms for figures in seen[one]) for one in (plain, heddle))
        return Compared(usual, light_p99=after / before)
    # The first ones also fill caches: the file system's, and that of transformed modules.
    said = finish(plain, tools.work).out if workload.steady else None
    finish(heddle, tools.work, said)

    def runs_per_s(contender: Contender) -> float:
        return 1 / finish(contender, tools.work, said).seconds

    watched = replace(heddle, extra=(*heddle.extra, ("HEDDLE_SHIP", "auto")))
    return Compared(*(until(partial(runs_per_s, plain), partial(runs_per_s, other)) for other in (heddle, watched)))


def start_up(tools: Tools, effort: Effort) -> Alternation[float]:
    hello = Contender(written(tools.work / "hello.js", lambda: "console.log('hello');\n"))
    heddle = hello.under_heddle().unreported()
    for contender in (hello, heddle):
        finish(contender, tools.work, "hello\n")  # the cache is warm after this

    def seconds(contender: Contender) -> float:
        return finish(contender, tools.work, "hello\n").seconds

    return alternate(effort.starts, partial(seconds, hello), partial(seconds, heddle))


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    details: dict[str, Any] = {"node": version()}
    lines = [
        "",
        f"{'workload':<26}{'node':>10}{'heddle':>10}{'ratio':>8}{'of median':>14}{'pairs':>7}"
        f"{'looked at':>11}{'light p99':>11}",
    ]
    ratios: dict[str, list[float]] = {}
    doubts: list[str] = []
    for workload in workloads(tools, effort):
        tools.say(workload.name)
        found = compare(tools, effort, workload)
        usual = found.usual
        ratios[workload.name] = usual.ratios(lambda figure: figure)
        doubts += [doubt for doubt in usual.doubts() if doubt not in doubts]
        before = statistics.median(usual.first)
        after = statistics.median(usual.second)
        middle = statistics.median(ratios[workload.name])
        low, high = median_interval(ratios[workload.name])
        figures = {"node_per_s": before, "heddle_per_s": after, "ratio": middle, "interval": [low, high]}
        looked_at = "-"
        if found.looked_at is not None:
            watched = found.looked_at.ratios(lambda figure: figure)
            figures["ratio_looked_at"] = statistics.median(watched)
            figures["interval_looked_at"] = list(median_interval(watched))
            looked_at = f"{statistics.median(watched):.2f}"
        light = "-"
        if found.light_p99 is not None:
            figures["ratio_light_p99"] = found.light_p99
            light = f"{found.light_p99:.2f}"
        details[workload.name] = figures
        shown = [f"{1 / a:.2f} s" if workload.load is None else f"{a:.0f}/s" for a in (before, after)]
        lines.append(
            f"{workload.name:<26}{shown[0]:>10}{shown[1]:>10}{middle:>8.2f}"
            f"{f'{low:.2f} to {high:.2f}':>14}{len(usual.pairs):>7}{looked_at:>11}{light:>11}"
        )
    worst = min(ratios, key=lambda name: statistics.median(ratios[name]))
    middles = sorted(statistics.median(values) for values in ratios.values())
    tools.say("start-up")
    starts = start_up(tools, effort)
    details["start_s"] = {
        "node": statistics.median(starts.first),
        "heddle": statistics.median(starts.second),
    }
    details["table"] = lines
    found_starts = starts.ratios(lambda figure: figure)
    doubt = "; ".join(doubts)
    claims = [
        Claim(
            "node.floor_min",
            f"worst of {len(ratios)} programs ({worst}), speed / node",
            "ratio",
            "higher",
            0.95,
            statistics.median(ratios[worst]),
            spread(ratios[worst]),
            len(ratios[worst]),
            doubt,
        ),
        Claim(
            "node.floor_median",
            "median of those",
            "ratio",
            "higher",
            0.99,
            statistics.median(middles),
            spread(middles),
            min(len(values) for values in ratios.values()),
            doubt,
        ),
        Claim(
            "node.cold_start",
            "start-up of hello world with warm cache / node",
            "ratio",
            "lower",
            2.0,
            statistics.median(found_starts),
            spread(found_starts),
            effort.starts,
            "; ".join(starts.doubts()),
        ),
    ]
    return Result(bench="node_floor", claims=claims, details=details)
