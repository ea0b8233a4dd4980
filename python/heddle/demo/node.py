"""The main job for Node.js: serve documentation pages from one process, in plain node and under heddle-node, compare.

The service is examples/node/markdown-service, as it is. Both take turns (A B A B ...), every answer of either is
compared with what plain node answered first, and the service's own counter must be right.
"""

import json
import os
import shutil
import subprocess
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from heddle import nodejs, places
from heddle.demo import comparison, load
from heddle.demo.comparison import Row, Step, shown
from heddle.demo.load import Measured, WrongAnswersError
from heddle.demo.serving import Server, serving
from heddle.errors import BadInputError
from heddle.schemas import Document

PAGES = 40
CONNECTIONS = 12
ROUNDS = 3
MEASURED_S = 4.0
WARM_UP_S = 2.0

_COMPARED = (
    ("pages per second", "per_s"),
    ("page p50, ms", "p50_ms"),
    ("page p99, ms", "p99_ms"),
    ("/health p50, ms", "probe_p50_ms"),
    ("/health p99, ms", "probe_p99_ms"),
    ("processors kept busy", "server_cores"),
    ("CPU per page, ms", "cpu_per_request_ms"),
)


@dataclass
class Outcome:
    service: Path
    pages: Path
    workers: int
    report: Path  # of the last run under heddle-node
    plain: list[Measured] = field(default_factory=list)
    heddle: list[Measured] = field(default_factory=list)
    checked_urls: int = 0


def play(work: Path, workers: int, step: Step) -> Outcome:
    work.mkdir(parents=True, exist_ok=True)
    examples = places.root() / "examples" / "node"
    nodejs.heddle_node()
    with step("install what the service needs from npm (npm ci)") as said:
        nodejs.install(examples)
        said.append(str(shown(examples / "node_modules")))
    with step(f"write {PAGES} documentation pages") as said:
        pages, mix = make_pages(work, examples)
        said.append(str(shown(pages)))
    outcome = Outcome(examples / "markdown-service" / "server.js", pages, workers, work / "report.json")
    answers = work / "answers.txt"
    with step("ask plain node for every page, and keep the answers") as said:
        with plain(outcome) as server:
            every = load.run(server, mix, ["--requests", str(PAGES), "--save-hashes", str(answers)])
            check_counter(server)
        said.append(f"{every.per_s:.0f} pages/s so far")
    with step(f"ask heddle-node for every page with {workers} workers, and compare") as said:
        with under_heddle(outcome) as server:
            every = load.run(server, mix, ["--requests", str(PAGES), "--hashes", str(answers)])
            check_counter(server)
        outcome.checked_urls = every.checked_urls
        said.append(f"{every.checked_urls} answers, all byte-identical; the service counted them right")
    options = ["--connections", str(CONNECTIONS), "--duration", str(MEASURED_S), "--warmup", str(WARM_UP_S)]
    options += ["--probe", "/health", "--hashes", str(answers)]
    for number in range(1, ROUNDS + 1):
        with step(f"measure, round {number} of {ROUNDS}: node, then heddle-node") as said:
            with plain(outcome) as server:
                outcome.plain.append(load.run(server, mix, options))
            with under_heddle(outcome) as server:
                outcome.heddle.append(load.run(server, mix, options))
            said.append(f"{outcome.plain[-1].per_s:.0f} and {outcome.heddle[-1].per_s:.0f} pages/s")
    return outcome


def make_pages(work: Path, examples: Path) -> tuple[Path, Path]:
    """The pages and the list of their URLs; kept from an earlier demo."""
    pages, mix = work / "pages", work / "pages.txt"
    if len(list(pages.glob("*.md"))) != PAGES:
        shutil.rmtree(pages, ignore_errors=True)
        script = examples / "markdown-service" / "make-pages.js"
        subprocess.run([nodejs.node(), script, pages, str(PAGES)], check=True)
    mix.write_text("".join(f"1 /pages/{page.stem}\n" for page in sorted(pages.glob("*.md"))))
    return pages, mix


def check_counter(server: Server) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/stats", timeout=10) as answer:
        counted = json.load(answer)["pages"]
    if counted != PAGES:
        raise WrongAnswersError(f"the service counted {counted} pages, and {PAGES} were asked for")


@contextmanager
def plain(outcome: Outcome) -> Iterator[Server]:
    with serving([nodejs.node(), outcome.service, outcome.pages, "0"], environment()) as server:
        yield server


@contextmanager
def under_heddle(outcome: Outcome) -> Iterator[Server]:
    outcome.report.unlink(missing_ok=True)
    options = [f"--workers={outcome.workers}", f"--report={outcome.report}"]
    with serving([nodejs.heddle_node(), *options, outcome.service, outcome.pages, "0"], environment()) as server:
        yield server
    if not outcome.report.is_file():
        raise BadInputError("heddle-node left no report of its run", "run ./heddle doctor")


def environment() -> dict[str, str]:
    own = {name: value for name, value in os.environ.items() if not name.startswith(("HEDDLE", "NODE_OPTIONS"))}
    return {**own, "HEDDLE_NODE": str(nodejs.node())}


def results(outcome: Outcome) -> list[Row]:
    return comparison.rows(_COMPARED, outcome.plain, outcome.heddle)


def as_document(outcome: Outcome) -> Document:
    runs = (outcome.plain, outcome.heddle)
    return comparison.document("node", outcome.workers, results(outcome), runs, outcome.checked_urls)
