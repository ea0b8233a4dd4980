"""Small programs, one per feature of the language or of Node, do the same under heddle-node as under node.

Every region that may be given to a worker is (`--ship=always`), whatever that costs. A program's comments may ask for
`@args`, `@options` of node's, `@stdin` (with \\n), or `@node >=MAJOR` where older versions have no such feature.
"""

from __future__ import annotations

import os
import re
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from testing.node.node_runs import HERE, VERSIONS, difference, run

CORPUS = HERE / "corpus"
ENDINGS = (".js", ".cjs", ".mjs", ".ts", ".cts", ".mts")
FEWEST = 120


@dataclass(frozen=True)
class Program:
    path: Path
    options: tuple[str, ...]
    args: tuple[str, ...]
    stdin: str
    oldest: int


def program(path: Path) -> Program:
    text = path.read_text()

    def asked(word: str) -> str:
        found = re.search(rf"^// @{word} (.*)$", text, re.MULTILINE)
        return found[1] if found else ""

    stdin = asked("stdin").replace("\\n", "\n")
    oldest = int(asked("node").removeprefix(">=") or VERSIONS[0])
    return Program(path, tuple(asked("options").split()), tuple(asked("args").split()), stdin, oldest)


PROGRAMS = [program(path) for path in sorted(CORPUS.iterdir()) if path.suffix in ENDINGS]
CASES = [(item, version) for version in VERSIONS for item in PROGRAMS if version >= item.oldest]


def compare(item: Program, version: int) -> str:
    words = [*item.options, item.path, *item.args]
    plain = run(version, None, words, folder=CORPUS, stdin=item.stdin)
    return difference(plain, run(version, {}, words, folder=CORPUS, stdin=item.stdin))


@pytest.fixture(scope="module")
def compared(request: pytest.FixtureRequest) -> dict[str, Future[str]]:
    """All cases that were asked for, under way at once: most of them wait for their processes."""
    wanted = {item.nodeid for item in request.session.items}
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        started = {}
        for item, version in CASES:
            name = f"{item.path.name}-{version}"
            if any(f"[{name}]" in one for one in wanted):
                started[name] = pool.submit(compare, item, version)
        yield started
        pool.shutdown(cancel_futures=True)


@pytest.mark.timeout(300)
@pytest.mark.parametrize("name", [f"{item.path.name}-{version}" for item, version in CASES])
def test_a_program_does_the_same(name: str, compared: dict[str, Future[str]]) -> None:
    found = compared[name].result()
    if found:
        pytest.fail(f"{name}\n{found}", pytrace=False)


def test_the_corpus_is_as_large_as_promised() -> None:
    assert len(PROGRAMS) >= FEWEST


def test_the_documents_table_of_pages_names_programs_that_there_are() -> None:
    text = (HERE.parents[1] / "docs/internals/node.md").read_text()
    table = text.split("page by page: where a program could see us", 1)[1].split("\n## ", 1)[0]
    rows = [line for line in table.splitlines() if line.startswith("| ")][1:]
    named = {word for row in rows for word in re.findall(r"[a-z0-9]+(?:-[a-z0-9]+)*", row.rsplit("|", 2)[1])}
    there = {path.name.split(".")[0] for path in CORPUS.iterdir()}
    assert len(rows) >= 25
    assert named - there == {"cli", "test", "ts"}  # node/src/cli.test.ts
