"""The main job for Node.js: serve documentation pages from one process, in plain node and under heddle-node, compare.

The service is examples/node/markdown-service, as it is. Both take turns, every answer of either is compared with what
plain node answered first, and the service's own counter must be right.
"""

import json
import shutil
import subprocess
import urllib.request
from dataclasses import dataclass, replace
from pathlib import Path

from heddle.demo import comparison
from heddle.demo.comparison import Row, Step, shown
from heddle.documents.schemas import Document
from heddle.measure import load
from heddle.measure.alternation import Alternation
from heddle.measure.load import Figures, Load, WrongAnswersError
from heddle.measure.node import Contender
from heddle.measure.serving import Server, serving
from heddle.system import nodejs, places

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


@dataclass(frozen=True)
class Outcome:
    service: Path
    pages: Path
    workers: int
    report: Path  # of the last run under heddle-node
    found: Alternation[Figures]
    checked_urls: int


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
    answers = work / "answers.txt"
    answers.unlink(missing_ok=True)
    measured = Load(("--mix", str(mix)), CONNECTIONS, MEASURED_S, WARM_UP_S, "/health", answers)
    each_once = replace(measured, probe=None, requests=PAGES, warmup_s=0)
    plain = Contender(examples / "markdown-service" / "server.js", (str(pages), "0"))
    heddle = plain.under_heddle(workers)
    with step("ask plain node for every page, and keep the answers") as said:
        every = count_pages(plain, each_once, work)
        said.append(f"{every.per_s:.0f} pages/s so far")
    with step(f"ask heddle-node for every page with {workers} workers, and compare") as said:
        every = count_pages(heddle, each_once, work)
        said.append(f"{every.checked_urls} answers, all byte-identical; the service counted them right")
    report = work / "report.json"

    def reported() -> Figures:
        run = load.measure(heddle, measured, work)
        (work / "run.json").replace(report)
        return run

    found = comparison.in_turn(
        ROUNDS,
        ("node", "heddle-node"),
        "pages",
        lambda: load.measure(plain, measured, work),
        reported,
        step,
    )
    return Outcome(plain.program, pages, workers, report, found, every.checked_urls)


def make_pages(work: Path, examples: Path) -> tuple[Path, Path]:
    """The pages and the list of their URLs; kept from an earlier demo."""
    pages, mix = work / "pages", work / "pages.txt"
    if len(list(pages.glob("*.md"))) != PAGES:
        shutil.rmtree(pages, ignore_errors=True)
        script = examples / "markdown-service" / "make-pages.js"
        subprocess.run([nodejs.node(), script, pages, str(PAGES)], check=True)
    mix.write_text("".join(f"1 /pages/{page.stem}\n" for page in sorted(pages.glob("*.md"))))
    return pages, mix


def count_pages(contender: Contender, asked: Load, work: Path) -> Figures:
    """Asks for every page once; the service must have counted as many."""
    with serving(contender.command, contender.environment(work / "run.json")) as server:
        found = load.run(server, asked)
        check_counter(server)
    return found


def check_counter(server: Server) -> None:
    with urllib.request.urlopen(f"http://127.0.0.1:{server.port}/stats", timeout=10) as answer:
        counted = json.load(answer)["pages"]
    if counted != PAGES:
        raise WrongAnswersError(
            f"the service counted {counted} pages, and {PAGES} were asked for", "nothing was measured"
        )


def results(outcome: Outcome) -> list[Row]:
    return comparison.rows(_COMPARED, outcome.found)


def as_document(outcome: Outcome) -> Document:
    return comparison.document("node", outcome.workers, results(outcome), outcome.found, outcome.checked_urls)
