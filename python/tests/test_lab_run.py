"""`heddle lab` on the real thing: sites that are the same everywhere, a server with latency, models that agree."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest
from cli_support import Heddle

from heddle.errors import BadInputError
from heddle.lab import Scenario, measuring, patterns
from heddle.lab.prediction import outlook
from heddle.lab.scenarios import catalogue
from heddle.lab.scenarios.stage import Options, Stage
from heddle.lab.web import server, sites
from heddle.system import places

NATIVE = places.lab_native().is_file()
needs_native = pytest.mark.skipif(not NATIVE, reason="the native part of heddle.lab is not built")


@pytest.fixture
def lab(heddle: Heddle) -> Heddle:
    """The command line with the real build."""
    heddle.environment["HEDDLE_BUILD"] = os.environ["HEDDLE_BUILD"]
    return heddle


# Sites and their server


def test_sites_are_the_same_each_time(tmp_path: Path) -> None:
    made = [sites.make(tmp_path / name, 0.02) for name in ("one", "two")]
    files = [sorted(p.relative_to(folder) for p in folder.rglob("*") if p.is_file()) for folder in made]
    assert files[0] == files[1]
    assert len([path for path in files[0] if path.suffix == ".jpg"]) >= 5
    assert all((made[0] / path).read_bytes() == (made[1] / path).read_bytes() for path in files[0])


def test_a_folder_that_is_whole_is_left_alone_and_another_scale_makes_it_anew(tmp_path: Path) -> None:
    folder = sites.make(tmp_path, 0.02)
    picture = folder / "news" / "images" / "000.jpg"
    before = picture.stat().st_mtime_ns
    assert sites.make(tmp_path, 0.02) == folder
    assert picture.stat().st_mtime_ns == before
    sites.make(tmp_path, 0.03)
    assert picture.stat().st_mtime_ns != before


def test_pages_have_no_errors_and_name_every_picture(tmp_path: Path) -> None:
    folder = sites.make(tmp_path, 0.02)
    for site in sites.SITES:
        text = (folder / site.name / "index.html").read_text()
        pictures = sorted((folder / site.name / "images").iterdir())
        assert text.count("<img ") == len(pictures)
        assert all(f'src="images/{picture.name}"' in text for picture in pictures)
        assert "& " not in text


def test_the_server_answers_late_and_says_what_it_computed(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text("<p>x")
    with server.serving(tmp_path, 0.05) as web:
        begin = time.monotonic()
        for _ in range(3):
            with urllib.request.urlopen(web.url("")) as answer:
                assert (answer.status, answer.read()) == (200, b"<p>x")
        assert time.monotonic() - begin >= 0.15
        with pytest.raises(urllib.error.HTTPError, match="404"):
            urllib.request.urlopen(web.url("nothing"))
        assert 0 < web.cpu_seconds < 5
        pids = web.pids
    assert not any(Path(f"/proc/{pid}").exists() for pid in pids)


def test_a_server_that_is_not_there_says_how_to_get_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "_PROGRAM", tmp_path / "nginx")
    with pytest.raises(BadInputError, match="nginx is not here"), server.serving(tmp_path):
        pass


# Scenarios under models


@needs_native
@pytest.mark.parametrize("name", [shipped.name for shipped in catalogue.SHIPPED])
def test_every_scenario_comes_to_the_same_under_every_model(name: str, tmp_path: Path) -> None:
    shipped = catalogue.find(name)
    with shipped.open(Options(tmp_path, latency=0.002, scale=0.02)) as stage:
        trial = measuring.measure(stage, measuring.models_of(shipped.models, "natural"), 1, warm_up=False)
    assert [series.model for series in trial.series()] == list(shipped.models)
    assert [series.errors for series in trial.series()] == [[]] * len(shipped.models)
    assert not trial.partial


@needs_native
def test_models_that_come_to_something_else_are_no_comparison(tmp_path: Path) -> None:
    """The file that they read is another one for each run."""
    file = tmp_path / "data"
    lab = Scenario("reads")
    lab.load_file(str(file), lab.memory("data"))

    def say(_model: str, done: int, _of: int) -> None:
        file.write_text(f"run {done}")

    with pytest.raises(BadInputError, match="threads and pool differ in data"):
        measuring.measure(Stage(lab, {}), measuring.models_of(["threads", "pool:2"], "natural"), 1, say)


@needs_native
def test_latency_is_predicted_from_one_worker(tmp_path: Path) -> None:
    """Loose, because others may use the machine; bench lab has the claim."""
    from dataclasses import replace

    with catalogue.find("page-load").open(Options(tmp_path, scale=0.1)) as stage:
        trial = measuring.measure(stage, measuring.models_of(["pool:1", "pool:4"], "natural"), 2)
    one, four = trial.series()
    found = outlook.predict(replace(one.typical, foreign_cpu=0.0), [2], workers=4)
    assert found.points[0].seconds == pytest.approx(four.median, rel=0.3)
    assert four.median < 0.5 * one.median


@needs_native
def test_connections_are_equal_where_that_is_asked_for() -> None:
    models = measuring.models_of(["threads", "pool:10", "cooperative@3"], "equal")
    assert [model.connections for model in models] == [10, 10, 3]
    assert [model.connections for model in measuring.models_of(["threads"], "4")] == [4]
    assert [model.connections for model in measuring.models_of(["threads"], "natural")] == [None]
    with pytest.raises(BadInputError, match="--connections cannot be many"):
        measuring.models_of(["threads"], "many")


# The command line


@needs_native
def test_compare_shows_keeps_and_reports(lab: Heddle) -> None:
    done = lab(*"lab compare primes --scale 0.02 --repeat 2 --model threads --model pool:2".split(), "--json", "x.json")
    assert done.code == 0, done.err
    assert done.err == ""  # in a pipe there is no progress
    assert [line.split()[0] for line in done.out.splitlines() if line.startswith("  ")][1:3] == ["threads", "pool:2"]
    saved = json.loads((lab.folder / "x.json").read_text())
    assert [run["round"] for run in saved["runs"]] == [1, 1, 2, 2]
    assert lab("lab", "plot", "x.json", "x.html").code == 0


@needs_native
def test_what_fails_is_reported_and_is_a_finding(lab: Heddle) -> None:
    script = lab.folder / "mine.py"
    script.write_text(
        "from heddle.lab import Scenario\n"
        "lab = Scenario('mine')\n"
        "lab.load_url('http://127.0.0.1:1/', lab.memory('page'), timeout=5.0, name='the page')\n"
    )
    done = lab("lab", "run", "mine.py", "--model", "threads", "--repeat", "1")
    assert done.code == 1, done.err
    assert "the page failed:" in done.out


@needs_native
@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("x = 1\ny = undefined\n", "mine.py, line 2: NameError"),
        ("x = (\n", "mine.py, line 1: SyntaxError"),
        ("x = 1\n", "makes no scenario"),
    ],
)
def test_a_script_with_a_mistake_points_at_its_line(lab: Heddle, text: str, said: str) -> None:
    (lab.folder / "mine.py").write_text(text)
    done = lab("lab", "run", "mine.py")
    assert done.code == 2
    assert said in done.line


@needs_native
@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("run", "nothing"), "use one of page-load"),
        (("run", "primes", "--model", "fibers"), "there is no model 'fibers'"),
        (("run", "primes", "--json", "nowhere/x.json"), "cannot be written"),
        (("sweep", "primes", "--model", "threads", "--workers", "1,2"), "no number of workers"),
        (("sweep", "primes", "--workers", "a"), "--workers cannot be a"),
        (("run", "primes", "--repeat", "0"), "repeat"),
        (("counters", "--callgrind", "nothing"), "there is no scenario 'nothing'"),
    ],
)
def test_bad_input_says_what_to_do(lab: Heddle, words: tuple[str, ...], said: str) -> None:
    done = lab("lab", *words)
    assert done.code == 2
    assert said in done.line


@needs_native
@pytest.mark.parametrize(
    ("seconds", "runs"), [(0.2, range(2, 100)), (60.0, range(1, 2))], ids=["between", "in the first"]
)
def test_an_interrupt_keeps_what_was_measured(lab: Heddle, seconds: float, runs: range) -> None:
    command = [sys.executable, "-m", "heddle", *"lab run mine.py --model threads --repeat 100 --json x.json".split()]
    # It says by a file that it is on its way: not before then is there a run to interrupt.
    (lab.folder / "mine.py").write_text(
        "from heddle.lab import Scenario\nfrom pathlib import Path\nlab = Scenario('mine')\n"
        f"Path('begun').touch()\nlab.sleep({seconds}, name='rest')\n"
    )
    running = subprocess.Popen(
        command,
        cwd=lab.folder,
        env=lab.environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        # Ignored where the tests run in the background of a shell.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )
    while not (lab.folder / "begun").exists() and running.poll() is None:
        time.sleep(0.05)
    time.sleep(3)
    running.send_signal(signal.SIGINT)
    out, err = running.communicate(timeout=30)
    assert running.returncode == 130, err
    assert "Partial: interrupted" in out
    saved = json.loads((lab.folder / "x.json").read_text())
    assert saved["partial"] is True
    assert len(saved["runs"]) in runs


PATTERNS = (places.build() / "threadlab/patterns/heddle-lab-patterns").is_file()


@pytest.mark.skipif(not PATTERNS, reason="the program of the patterns is not built")
def test_patterns_lose_nothing_and_are_compared_with_the_bare_mutex() -> None:
    found = patterns.measure([1, 4], 1, 20_000)
    data = found.data()
    assert set(data["patterns"]) == set(patterns.PATTERNS)
    assert data["patterns"][patterns.BARE]["4"]["cpu_ratio"] == 1.0
    assert data["patterns"]["thread-specific"]["4"]["ns"] > 0
    assert len(patterns.lines(found)) >= 1 + len(patterns.PATTERNS)
