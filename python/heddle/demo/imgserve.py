"""The main job, step by step: build the thumbnail server, analyse it, serve pictures both ways, compare.

Both servers are the same binary. They take turns, so that whatever else happens on the machine happens to both, and
every answer of either is compared with what plain libevent answered first.
"""

import shutil
import subprocess
import sys
from dataclasses import dataclass, replace
from pathlib import Path

from heddle.analysis import analyser
from heddle.demo import comparison
from heddle.demo.comparison import Row, Step, shown
from heddle.documents import contracts, schemas
from heddle.documents.constraints import Constraints
from heddle.documents.schemas import Document
from heddle.errors import BadInputError
from heddle.explain import causes
from heddle.measure import load
from heddle.measure.alternation import Alternation
from heddle.measure.load import Figures, Load
from heddle.measure.serving import Server, serving
from heddle.run import live
from heddle.system import places

PICTURES = 240
CONNECTIONS = 8
ROUNDS = 3
MEASURED_S = 4.0
WARM_UP_S = 0.7

# The server's log is none of its pictures. The analyser cannot know: the path of a picture is made of the request.
ASSUMED = "files-apart"

_COMPARED = (
    ("thumbnails per second", "per_s"),
    ("thumbnail p50, ms", "p50_ms"),
    ("thumbnail p99, ms", "p99_ms"),
    ("/stats p50, ms", "probe_p50_ms"),
    ("/stats p99, ms", "probe_p99_ms"),
    ("processors kept busy", "server_cores"),
    ("CPU per thumbnail, ms", "cpu_per_request_ms"),
)


@dataclass(frozen=True)
class Scene:
    """What the demo has made: the program that both servers run, its constraints, and the pictures that they serve."""

    constraints: Constraints
    program: Path
    pictures: Path
    threads: int


@dataclass(frozen=True)
class Outcome:
    scene: Scene
    found: Alternation[Figures]
    runs: list[Document]  # the server's own figures of each measured run under heddle
    checked_urls: int


def play(work: Path, threads: int, step: Step) -> Outcome:
    work.mkdir(parents=True, exist_ok=True)
    with step("build imgserve with bitcode (heddle build -- make)") as said:
        program = build(work)
        said.append(str(shown(program)))
    with step(f"find its handlers and their conflicts (heddle analyze --assume {ASSUMED})") as said:
        constraints = analyser.analyze([str(program)], assumed=("--assume", ASSUMED)).constraints
        said.append(
            f"{len(constraints.handlers)} handlers, {len(causes.causes(constraints))} causes that keep them apart"
        )
    with step(f"make {PICTURES} pictures") as said:
        pictures, mix = make_pictures(work)
        said.append(str(shown(pictures)))
    scene = Scene(constraints, program, pictures, threads)
    answers = work / "answers.txt"
    answers.unlink(missing_ok=True)
    measured = Load(("--mix", str(mix)), CONNECTIONS, MEASURED_S, WARM_UP_S, "/stats", answers)
    each_once = replace(measured, probe=None, requests=PICTURES, warmup_s=0)
    with step("ask plain libevent for every picture, and keep the answers") as said:
        every = plain(scene, each_once)
        said.append(f"{every.per_s:.0f} thumbnails/s so far")
    with step(f"ask heddle for every picture with {threads} threads, and compare") as said:
        every = under_heddle(scene, each_once, [])
        said.append(f"{every.checked_urls} answers, all byte-identical")
    runs: list[Document] = []
    found = comparison.in_turn(
        ROUNDS,
        ("libevent", "heddle"),
        "thumbnails",
        lambda: plain(scene, measured),
        lambda: under_heddle(scene, measured, runs),
        step,
    )
    return Outcome(scene, found, runs, every.checked_urls)


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


def plain(scene: Scene, asked: Load) -> Figures:
    with serving([scene.program, *_arguments(scene)]) as server:
        return load.run(server, asked)


def under_heddle(scene: Scene, asked: Load, runs: list[Document]) -> Figures:
    command = [sys.executable, "-m", "heddle", "run", "--quiet", "--threads", str(scene.threads)]
    with serving([*command, "--", str(scene.program), *_arguments(scene)]) as server:
        found = load.run(server, asked)
        runs.append(_figures(server))
        return found


def _arguments(scene: Scene) -> list[str]:
    # Port 0 takes any free port. No cache, so that every thumbnail is rendered.
    return ["-p", "0", "-c", "0", "-d", str(scene.pictures)]


def _figures(server: Server) -> Document:
    """The server's figures, taken before it is told to end: its wait for the last clients does not belong to them."""
    document = live.fresh(server.pid)
    if document is None:
        raise BadInputError("the server has no figures", "run ./heddle doctor")
    schemas.check(document, "run", "its run document")
    if document["mode"] != contracts.MODE_PARALLEL:
        why = document.get("why", "no reason given")
        raise BadInputError(f"heddle ran the server {contracts.reason_serial_because(why)}", "give --threads 2 or more")
    return document


def results(outcome: Outcome) -> list[Row]:
    return comparison.rows(_COMPARED, outcome.found)


def as_document(outcome: Outcome) -> Document:
    threads = outcome.scene.threads
    return comparison.document("imgserve", threads, results(outcome), outcome.found, outcome.checked_urls)
