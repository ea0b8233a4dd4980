"""Suites of real npm packages, run unchanged: under heddle-node each of their tests ends as it does under node.

The tarballs of most packages hold their tests; those of express, body-parser and mustache come from Debian's source
packages and are put beside the same version from npm. All speak TAP, so that results are compared test by test. Every
module is analysed and all that may be is given to workers (`--ship=always`).
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import pytest

from testing.node.node_runs import (
    HERE,
    MAIN_VERSION,
    ROOT,
    THIRD_PARTY,
    VERSIONS,
    NotSetUpError,
    Outcome,
    installed,
    run,
)

SECONDS_PER_FILE = 240
TRIES = 3
BOTH: tuple[Mapping[str, str] | None, ...] = (None, {})  # plain node, then heddle-node
NOT_STARTED = "heddle: could not start"  # then the program runs on plain node, and nothing would be compared

_RESULT = re.compile(r"^\s*((?:not )?ok) \d+(?: -)? ?(.*?)(?: # time=.*)?$", re.MULTILINE)


@dataclass(frozen=True)
class Suite:
    """`tests`: what matches below the package. `mocha`: its files are for mocha, else programs of their own."""

    name: str
    tests: str
    source: str = ""  # Debian's source package with the tests
    mocha: tuple[str, ...] | None = None

    @property
    def folder(self) -> Path:
        return installed(HERE / "packages", "node-packages") / "node_modules" / self.name


MOCHA = ("--require", "test/support/env", "--check-leaks")

QUICK = (
    Suite("minimist", "test/*.js"),
    Suite("qs", "test/*.js"),
    Suite("json-stable-stringify", "test/*.js"),
    Suite("secure-json-parse", "test/*.test.js"),
    Suite("light-my-request", "test/*.test.js"),
    Suite("hash.js", "test/*-test.js", mocha=()),
    Suite("deep-equal", "test/cmp.js"),
    Suite("fastq", "test/*.js"),
    Suite("bl", "test/test.js"),
    Suite("mqtt-packet", "test.js"),
)
SLOW = (
    Suite("avvio", "test/**/*.test.js"),
    Suite("find-my-way", "test/**/*.test.js"),
    Suite("fast-json-stringify", "test/*.test.js"),
    Suite("fastify", "test/**/*.test.js"),
    Suite("pino", "test/*.test.js"),
    Suite("resolve", "test/*.js"),
    Suite("sha.js", "test/*.js"),
    Suite("express-suite", "test/**/*.js", "node-express", MOCHA),
    Suite("body-parser-suite", "test/*.js", "node-body-parser", MOCHA),
    Suite("mustache", "test/*-test.js", "mustache.js", ()),
    Suite("@fastify/busboy", "test/*.test.js"),
    Suite("@fastify/cookie", "test/*.test.js"),
    Suite("@fastify/cors", "test/*.test.js"),
    Suite("@fastify/deepmerge", "test/*.test.js"),
    Suite("@fastify/error", "test/*.test.js"),
    Suite("@fastify/formbody", "test/*.test.js"),
    Suite("@fastify/proxy-addr", "test/*.test.js"),
    Suite("@fastify/send", "test/*.test.js"),
    Suite("@fastify/static", "test/*.test.js"),
    Suite("array-includes", "test/*.js"),
    Suite("array.prototype.flat", "test/*.js"),
    Suite("call-bind", "test/*.js"),
    Suite("fast-json-stable-stringify", "test/*.js"),
    Suite("fastfall", "test.js"),
    Suite("fastparallel", "test.js"),
    Suite("fastseries", "test.js"),
    Suite("get-intrinsic", "test/*.js"),
    Suite("hmac-drbg", "test/*-test.js", mocha=()),
    Suite("is-regex", "test/*.js"),
    Suite("json-stable-stringify-without-jsonify", "test/*.js"),
    Suite("object.assign", "test/*.js"),
    Suite("object.entries", "test/*.js"),
    Suite("path-browserify", "test/*.js"),
    Suite("process-warning", "test/*.test.js"),
    Suite("protocol-buffers", "test/*.js"),
    Suite("protocol-buffers-schema", "test/*.js"),
    Suite("reusify", "test.js"),
    Suite("side-channel", "test/*.js"),
    Suite("split2", "test.js"),
    Suite("through", "test/*.js"),
    Suite("url", "test/*.js", mocha=()),
)
# The quick ones run on the main version in any case.
OTHERS = [
    (suite, version)
    for version in VERSIONS
    for suite in (*QUICK, *SLOW)
    if version != MAIN_VERSION or suite not in QUICK
]


def prepared(suite: Suite) -> Path:
    """The package's folder with its tests in it."""
    folder = suite.folder
    if suite.source and not (folder / "test").exists():
        subprocess.run([ROOT / "tools/fetch_debian_source", suite.source, THIRD_PARTY], check=True, cwd=ROOT)
        for part in ("examples", "test"):
            if (THIRD_PARTY / suite.source / part).exists():
                shutil.copytree(THIRD_PARTY / suite.source / part, folder / part, symlinks=True)
    return folder


def files(suite: Suite) -> list[Path]:
    folder = prepared(suite)
    found = (path.relative_to(folder) for path in sorted(folder.glob(suite.tests)))
    return [path for path in found if not {"node_modules", "support", "fixtures"} & set(path.parts)]


def results(outcome: Outcome) -> tuple[int | str, list[str]]:
    """The exit code, and what became of each test."""
    return outcome.code, sorted(f"{verdict} {name}" for verdict, name in _RESULT.findall(outcome.out))


def run_file(suite: Suite, path: Path, version: int, settings: Mapping[str, str] | None) -> Outcome:
    if suite.mocha is None:
        words: list[str | Path] = ["--test-reporter=tap", path]
    else:
        mocha = suite.folder.parent / "mocha/bin/_mocha"
        words = [mocha, "--no-config", "--timeout", "20000", "--exit", "--reporter", "tap", *suite.mocha, path]
    with tempfile.TemporaryDirectory() as home:  # tests of `resolve` write there, several files at once
        return run(version, settings, words, folder=suite.folder, seconds=SECONDS_PER_FILE, home=Path(home))


def compare(suite: Suite, path: Path, version: int) -> tuple[int, str]:
    """How many tests pass, and what differs. Tests that wait for a clock may fail on a busy machine under either."""
    for _ in range(TRIES):
        plain, ours = (run_file(suite, path, version, settings) for settings in BOTH)
        if NOT_STARTED in ours.err:
            raise NotSetUpError(ours.err)
        a, b = results(plain), results(ours)
        if a == b:
            return sum(line.startswith("ok") for line in a[1]), ""
    only = [f"- {line}" for line in a[1] if line not in b[1]] + [f"+ {line}" for line in b[1] if line not in a[1]]
    said = "\n".join([*only[:10], *ours.out.splitlines()[-10:], *ours.err.splitlines()[-10:]])
    return 0, f"{suite.name}/{path}: exit code {a[0]} under node, {b[0]} under heddle-node\n{said}"


def judge(suite: Suite, version: int = MAIN_VERSION) -> tuple[int, list[str]]:
    """How many tests of the suite pass under both, and the files where node and heddle-node differ."""
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        found = list(pool.map(lambda path: compare(suite, path, version), files(suite)))
    return sum(passed for passed, _ in found), [text for _, text in found if text]


def check(suite: Suite, version: int = MAIN_VERSION) -> None:
    passed, different = judge(suite, version)
    if different:
        pytest.fail(f"{len(different)} files differ\n" + "\n".join(different[:5]), pytrace=False)
    assert passed > 0, f"{suite.name}: none of its tests passed, under node either"


@pytest.mark.timeout(600)
@pytest.mark.parametrize("suite", QUICK, ids=lambda suite: suite.name)
def test_a_package_passes_its_own_tests(suite: Suite) -> None:
    check(suite)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize(("suite", "version"), OTHERS, ids=lambda value: getattr(value, "name", str(value)))
def test_a_package_passes_its_own_tests_on_every_version(suite: Suite, version: int) -> None:
    check(suite, version)
