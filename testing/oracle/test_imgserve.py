"""imgserve under load, traced, as a user would do it: no overlap that its verdicts would have allowed.

The little cache makes it evict; the short idle time makes the sweep close connections under load.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from heddle.measure.serving import serving
from testing.oracle.small_programs import BUILD, ROOT

REQUESTS = 800
ENVIRONMENT = {**os.environ, "HEDDLE_ROOT": str(ROOT), "HEDDLE_BUILD": str(BUILD)}


def heddle(*arguments: str | Path, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "heddle", *map(str, arguments)]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True, env=ENVIRONMENT, check=False)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """imgserve, its constraints, and `trace`, what its handlers did under load."""
    folder = tmp_path_factory.mktemp("imgserve")
    source, pictures = folder / "source", folder / "pictures"
    shutil.copytree(ROOT / "examples/imgserve", source, ignore=shutil.ignore_patterns("*.o", "*.d", "imgserve"))
    built = heddle("build", "--trace", "--", "make", "-s", cwd=source)
    assert built.returncode == 0, built.stderr
    analysed = heddle("analyze", "./imgserve", cwd=source)
    assert analysed.returncode == 0, analysed.stderr
    assert "without bitcode" not in analysed.stderr, "the tracing itself must not be part of the program"
    subprocess.run([sys.executable, source / "make_pictures.py", "--count", "12", pictures], check=True)
    names = sorted(path.name for path in pictures.glob("*.jpg"))
    routes = [word for name in names for word in ("--path", f"/thumb/{name}?w=80=1")]
    command = [source / "imgserve", "-p", "0", "-d", pictures, "-c", "1", "-i", "1", "-l", folder / "access.log"]
    with serving(command, {**ENVIRONMENT, "HEDDLE_ACCESSES": str(folder / "trace")}) as server:
        load = [BUILD / "testing/load/heddle-load", "--port", str(server.port), "--connections", "8", *routes]
        load += ["--requests", str(REQUESTS), "--path", "/hello=20", "--path", "/missing=1", "--any-status"]
        subprocess.run(load, stdout=subprocess.DEVNULL, check=True)
    return folder


@pytest.mark.timeout(300)
def test_no_overlap_that_the_verdicts_would_have_allowed(folder: Path) -> None:
    done = heddle("check", "trace", "source/imgserve.constraints.json", "--json", cwd=folder)
    assert done.returncode == 0, done.stdout + done.stderr
    outcome = json.loads(done.stdout)
    predicted = outcome["predicted"]
    witnessed = f"{predicted['pairs_witnessed']} of {predicted['pairs']} pairs"
    witnessed += f", {predicted['conflicts_witnessed']} of {len(predicted['conflicts'])} pairs and objects"
    print(f"{outcome['invocations']} invocations; witnessed {witnessed}")
    assert outcome["failures"] == []
    assert outcome["not_listed"] == []
    assert predicted["pairs_witnessed"] >= 0.4 * predicted["pairs"]


@pytest.mark.timeout(300)
def test_a_verdict_that_is_too_weak_is_shown_with_both_places(folder: Path) -> None:
    document = json.loads((folder / "source/imgserve.constraints.json").read_text())
    names = [handler["name"] for handler in document["handlers"]]
    (pair,) = (p for p in document["pairs"] if names[p["a"]] == names[p["b"]] == "on_lookup")
    assert pair["verdict"] == "always"
    pair["verdict"] = "session"
    (folder / "wrong.json").write_text(json.dumps(document))
    done = heddle("check", "trace", "wrong.json", cwd=folder)
    assert done.returncode == 1
    assert "on_lookup and on_lookup: session, with different sessions" in done.stdout
    assert "cache.c:" in done.stdout


def test_a_trace_that_was_cut_short_is_an_error(folder: Path) -> None:
    (folder / "cut").write_bytes((folder / "trace").read_bytes()[:100_000])
    done = heddle("check", "cut", "source/imgserve.constraints.json", cwd=folder)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.startswith("heddle: cut is cut short: ")
