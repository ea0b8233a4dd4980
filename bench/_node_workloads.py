"""The programs that bench/node_floor.py measures, and what they get to work on; made once, and kept."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from bench import servers
from heddle.measure.benchmark import Tools
from heddle.measure.load import Load
from heddle.measure.node import Contender
from heddle.system import nodejs

# Whose services are measured a second time, with a package.json that says that the package changes nothing: of the
# popular ones those that compute by themselves.
DECLARED = "bcryptjs crypto-js diff highlight.js jpeg-js js-yaml marked mustache pako papaparse pngjs prismjs".split()


@dataclass(frozen=True)
class Workload:
    name: str
    program: Contender
    load: Load | None = None  # given for a server; None for a program that ends by itself
    steady: bool = True  # a program that ends by itself prints the same in every run
    declared: Contender | None = None  # the same service, its package declared pure


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


def declared_pure(tools: Tools, name: str) -> Contender:
    """The service in a folder of its own, whose package.json declares its package."""
    programs, folder = servers.node_programs(), tools.work / "declared" / name.replace("/", "-")
    folder.mkdir(parents=True, exist_ok=True)
    for source in ("service.js", "inputs.js"):
        shutil.copyfile(programs / "popular" / source, folder / source)
    packages = folder / "node_modules"
    packages.unlink(missing_ok=True)
    packages.symlink_to(programs / "node_modules")
    (folder / "package.json").write_text(json.dumps({"heddle": {"pure": [name]}}))
    return Contender(folder / "service.js", (name,))


def workloads(tools: Tools, seconds: float, warmup_s: float) -> list[Workload]:
    folder = servers.node_programs()
    floor, packages = folder / "floor", folder / "node_modules"
    files, mix = static_folder(tools)

    def load(name: str, *urls: str) -> Load:
        hashes = tools.work / f"{name}.hashes"
        hashes.unlink(missing_ok=True)
        return Load(urls, 8, seconds, warmup_s, hashes=hashes)

    service, paths = folder / "popular/service.js", [word for n in range(20) for word in ("--path", f"/{n}")]
    packages_of: list[str | Path] = [nodejs.node(), service, "list"]
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
            Workload(
                name,
                Contender(service, (name,)),
                replace(load(name.replace("/", "-"), *paths), probe="/light"),
                declared=declared_pure(tools, name) if name in DECLARED else None,
            )
            for name in popular
        ),
    ]
