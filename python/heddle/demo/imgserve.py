"""The main job, step by step: build the thumbnail server, analyse it, serve pictures both ways, compare.

Both servers are the same binary. They take turns (A B A B ...), so that whatever else happens on the machine happens to
both, and every answer of either is compared with what plain libevent answered first.
"""

import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from heddle import analysis, causes, live, places, schemas
from heddle.constraints import Constraints
from heddle.demo import comparison, load
from heddle.demo.comparison import Row, Step, shown
from heddle.demo.load import Measured
from heddle.demo.serving import Server, serving
from heddle.errors import BadInputError
from heddle.schemas import Document

PICTURES = 240
CONNECTIONS = 8
ROUNDS = 3
MEASURED_S = 4.0
WARM_UP_S = 0.7
PROBE_INTERVAL_MS = 5

_COMPARED = (
    ("thumbnails per second", "per_s"),
    ("thumbnail p50, ms", "p50_ms"),
    ("thumbnail p99, ms", "p99_ms"),
    ("/stats p50, ms", "probe_p50_ms"),
    ("/stats p99, ms", "probe_p99_ms"),
    ("processors kept busy", "server_cores"),
    ("CPU per thumbnail, ms", "cpu_per_request_ms"),
)


@dataclass
class Outcome:
    constraints: Constraints
    program: Path
    pictures: Path
    threads: int
    plain: list[Measured] = field(default_factory=list)
    heddle: list[Measured] = field(default_factory=list)
    runs: list[Document] = field(default_factory=list)
    checked_urls: int = 0


def play(work: Path, threads: int, step: Step) -> Outcome:
    work.mkdir(parents=True, exist_ok=True)
    with step("build imgserve with bitcode (heddle build -- make)") as said:
        program = build(work)
        said.append(str(shown(program)))
    with step("find its handlers and their conflicts (heddle analyze)") as said:
        constraints = Constraints(analysis.analyze([str(program)]).document)
        said.append(
            f"{len(constraints.handlers)} handlers, {len(causes.causes(constraints))} causes that keep them apart"
        )
    with step(f"make {PICTURES} pictures") as said:
        pictures, mix = make_pictures(work)
        said.append(str(shown(pictures)))
    outcome = Outcome(constraints, program, pictures, threads)
    answers = work / "answers.txt"
    with step("ask plain libevent for every picture, and keep the answers") as said:
        with plain(outcome) as server:
            every = load.run(server, mix, ["--requests", str(PICTURES), "--save-hashes", str(answers)])
        said.append(f"{every.per_s:.0f} thumbnails/s so far")
    with step(f"ask heddle for every picture with {threads} threads, and compare") as said:
        with under_heddle(outcome) as server:
            every = load.run(server, mix, ["--requests", str(PICTURES), "--hashes", str(answers)])
        outcome.checked_urls = every.checked_urls
        said.append(f"{every.checked_urls} answers, all byte-identical")
    options = ["--connections", str(CONNECTIONS), "--duration", str(MEASURED_S), "--warmup", str(WARM_UP_S)]
    options += ["--probe", "/stats", "--probe-interval-ms", str(PROBE_INTERVAL_MS), "--hashes", str(answers)]
    for number in range(1, ROUNDS + 1):
        with step(f"measure, round {number} of {ROUNDS}: libevent, then heddle") as said:
            with plain(outcome) as server:
                outcome.plain.append(load.run(server, mix, options))
            with under_heddle(outcome) as server:
                outcome.heddle.append(load.run(server, mix, options))
                outcome.runs.append(_figures(server))
            said.append(f"{outcome.plain[-1].per_s:.0f} and {outcome.heddle[-1].per_s:.0f} thumbnails/s")
    return outcome


def build(work: Path) -> Path:
    """A fresh copy of the example, built as its Makefile says."""
    source, target = places.root() / "examples" / "imgserve", work / "imgserve"
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir()
    for file in sorted(source.iterdir()):
        if file.suffix in (".c", ".h") or file.name == "Makefile":
            shutil.copy2(file, target)
    done = subprocess.run(
        [sys.executable, "-m", "heddle", "build", "--", "make", "-s"],
        cwd=target,
        capture_output=True,
        text=True,
        check=False,
    )
    program = target / "imgserve"
    if done.returncode or not program.is_file():
        log = work / "build.log"
        log.write_text(done.stdout + done.stderr)
        raise BadInputError(f"imgserve could not be built (see {log})", "run ./heddle doctor to see what is missing")
    return program


def make_pictures(work: Path) -> tuple[Path, Path]:
    """The pictures and the list of URLs; kept from an earlier demo if the generator is the same."""
    generator = places.root() / "examples" / "imgserve" / "make_pictures.py"
    pictures, mix, stamp = work / "pictures", work / "mix.txt", work / "pictures.stamp"
    wanted = f"{PICTURES} pictures by\n{generator.read_text()}"
    if stamp.is_file() and stamp.read_text() == wanted and len(list(pictures.glob("*.jpg"))) == PICTURES:
        return pictures, mix
    shutil.rmtree(pictures, ignore_errors=True)
    command = [sys.executable, str(generator), str(pictures), "--count", str(PICTURES), "--mix", str(mix)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode:
        said = (done.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise BadInputError(f"the pictures could not be made ({said[:160]})", "run ./heddle doctor")
    stamp.write_text(wanted)
    return pictures, mix


@contextmanager
def plain(outcome: Outcome) -> Iterator[Server]:
    with serving([outcome.program, *_arguments(outcome)]) as server:
        yield server


@contextmanager
def under_heddle(outcome: Outcome) -> Iterator[Server]:
    command = [sys.executable, "-m", "heddle", "run", "--quiet", "--threads", str(outcome.threads)]
    command += ["--", str(outcome.program)]
    with serving([*command, *_arguments(outcome)]) as server:
        yield server


def _arguments(outcome: Outcome) -> list[str]:
    # Port 0 takes any free port. No cache, so that every thumbnail is rendered.
    return ["-p", "0", "-c", "0", "-d", str(outcome.pictures)]


def _figures(server: Server) -> Document:
    """As they are under load: how a server waits for its last clients when it is told to end is no part of that."""
    document = live.fresh(server.pid)
    if document is None:
        raise BadInputError("the server has no figures", "run ./heddle doctor")
    schemas.check(document, "run", "its run document")
    if document["mode"] != "parallel":
        why = document.get("why", "no reason given")
        raise BadInputError(f"heddle ran the server serial, because {why}", "give --threads 2 or more")
    return document


def results(outcome: Outcome) -> list[Row]:
    return comparison.rows(_COMPARED, outcome.plain, outcome.heddle)


def as_document(outcome: Outcome) -> Document:
    runs = (outcome.plain, outcome.heddle)
    return comparison.document("imgserve", outcome.threads, results(outcome), runs, outcome.checked_urls)
