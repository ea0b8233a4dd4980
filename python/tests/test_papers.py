"""`heddle papers`: published figures beside saved ones, as a table, as data and as a picture."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from cli_support import ROOT, Heddle

from heddle.papers import comparison, published

MACHINE = {"cores": 2, "model": "Some Processor"}


def saved(folder: Path, bench: str, details: dict[str, object], claims: list[dict[str, object]] | None = None) -> None:
    document = {"bench": bench, "claims": claims or [], "machine": MACHINE, "commit": "c0ffee", "details": details}
    (folder / f"{bench}.json").write_text(json.dumps(document))


def batches(**changed: dict[str, float]) -> dict[str, object]:
    """Batch sizes with a speed-up of their own each."""
    sizes = {
        f"batch_{size}": {"speed_up": 1 + number / 10, "begun": 1000, "in_vain": 7 * number}
        for number, size in enumerate(published.BATCHES)
    }
    return {**sizes, **changed}


def row(text: str, start: str) -> str:
    return next(line for line in text.splitlines() if line.strip().startswith(start))


def test_what_was_published_stands_beside_what_was_measured(heddle: Heddle) -> None:
    saved(heddle.folder, "node_primes", batches())
    done = heddle("papers", "primes", "--results", ".")
    assert done.code == 0, done.err
    best = row(done.out, "speed-up, 1,000")
    for part in ("6.50 on 7 cores", "1.20 on 2 cores", "figure 5.1, page 40"):
        assert part in best
    aborts = row(done.out, "in vain, 10")
    for part in ("100,000 of 100,000", "0 of 1,000 begun", "figure 5.3, page 41"):
        assert part in aborts
    assert "Measured at c0ffee on 2 cores (Some Processor)" in done.out


def test_a_quotient_and_a_median_are_made_of_what_was_saved(heddle: Heddle) -> None:
    ratios = [{"measured": 1.5}, {"measured": 0.9}]
    saved(heddle.folder, "papers_onion", {"unchanged": {"before_per_s": 100, "after_per_s": 103}}, ratios)
    saved(heddle.folder, "elyze_corpus", {"programs": {"tor": {"elyze_s": [9.0, 6.5, 6.0]}}})
    done = heddle("papers", "onion", "analysis", "--results", ".")
    assert "1.03 times" in row(done.out, "as it is / libevent")
    assert "0.90 times" in row(done.out, "counters made atomic / pool")
    assert "6.50 s" in row(done.out, "tor, the whole analysis")


def test_the_crawlers_have_their_table_below_the_figures(heddle: Heddle) -> None:
    table = ["threads  pico  system", "1,000    11.8  16.4"]
    saved(heddle.folder, "papers_crawler", {"sizes": {"1 KB": {"gain": {"system": 1.5}}}, "table": table})
    done = heddle("papers", "crawler", "--results", ".")
    assert done.code == 0, done.err
    for part in ("3 to 15 times", "1.50 times"):
        assert part in row(done.out, "bandwidth / system threads, 1 KB")
    assert "\n".join(table) in done.out
    done = heddle("papers", "crawler", "--json", "--results", ".")
    assert json.loads(done.out)["experiments"][0]["table"] == table


def test_what_was_not_measured_says_how(heddle: Heddle) -> None:
    done = heddle("papers", "--results", ".")
    assert done.code == 0, done.err
    for bench in ("node_primes", "papers_fileserver", "papers_onion", "elyze_corpus", "papers_crawler", "lab"):
        assert f"bench {bench} --json {bench}.json" in done.out


def test_the_same_as_data(heddle: Heddle) -> None:
    saved(heddle.folder, "node_primes", batches(batch_100={"speed_up": 1.75}))
    done = heddle("papers", "--json", "--results", ".")
    experiments = {one["name"]: one for one in json.loads(done.out)["experiments"]}
    assert experiments.keys() == {
        *("primes", "fileserver", "onion", "analysis", "crawler"),
        *("pages", "counters", "downloads", "patterns"),
    }
    assert experiments["fileserver"]["result"] is None
    assert experiments["primes"]["result"]["commit"] == "c0ffee"
    figures = {one["what"]: one for one in experiments["primes"]["figures"]}
    assert figures["speed-up, 100 an event"]["measured"]["value"] == 1.75
    assert figures["in vain, 100 an event"]["measured"] == {"value": None, "unit": "begun", "among": None}
    assert figures["in vain, 10 an event"]["published"]["value"] == 100_000


@pytest.mark.parametrize(("name", "start"), [("curve.svg", b"<?xml"), ("curve.png", b"\x89PNG")])
def test_the_curve_is_drawn(heddle: Heddle, name: str, start: bytes) -> None:
    saved(heddle.folder, "node_primes", batches())
    done = heddle("papers", "primes", "--results", ".", "--plot", name)
    assert done.code == 0, done.err
    assert (heddle.folder / name).read_bytes().startswith(start)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("prims",), "use one of primes, fileserver, onion, analysis, crawler"),
        (("--results", "none"), "none is not a folder"),
        (("--plot", "curve.doc"), "ends in .svg or .png"),
        (("primes", "--results", ".", "--plot", "curve.svg"), "there is no batch-size curve to draw"),
        (("fileserver", "--results", "."), "papers_fileserver.json is not a result of heddle bench"),
    ],
)
def test_bad_input_is_one_line(heddle: Heddle, words: tuple[str, ...], told: str) -> None:
    (heddle.folder / "papers_fileserver.json").write_text('{"bench": ')
    done = heddle("papers", *words)
    assert done.code == 2
    assert told in done.line


@pytest.mark.parametrize("experiment", published.EXPERIMENTS, ids=lambda experiment: experiment.name)
def test_every_saved_result_has_the_figures_that_are_shown(experiment: published.Experiment) -> None:
    """The paths into the documents are those that the benchmarks write."""
    measured = comparison.load(experiment, ROOT / "docs/results")
    if measured.document is None:
        pytest.skip(f"{measured.file.name} is not saved here")
    missing = [figure.what for figure in experiment.figures if figure.measured and measured.of(figure) is None]
    assert missing == []


def test_threadlabs_models_stand_beside_ours(heddle: Heddle) -> None:
    page_load = {"threads": {"seconds": 4.0}, "pool:8": {"seconds": 3.0}, "cooperative": {"seconds": 1.0}}
    ratios = {"scoped": {"2": {"cpu_ratio": 1.01}}}
    saved(heddle.folder, "lab", {"page_load": page_load, "patterns": {"patterns": ratios}})
    done = heddle("papers", "pages", "patterns", "--results", ".")
    assert done.code == 0, done.err
    for part in ("0.75 times", "figure 7.9"):
        assert part in row(done.out, "pool of 8 / threaded serial")
    assert row(done.out, "pool of 8 / threaded serial").count("0.75 times") == 2  # theirs was 3.84 / 5.14
    assert "1.01 times" in row(done.out, "scoped locking / bare mutex, 2")


def test_a_page_has_every_experiment_and_what_is_missing(heddle: Heddle) -> None:
    saved(heddle.folder, "node_primes", batches())
    done = heddle("papers", "--results", ".", "--markdown", "papers.md")
    assert done.code == 0, done.err
    written = (heddle.folder / "papers.md").read_text()
    assert "| speed-up, 1,000 an event | 6.50 on 7 cores | 1.20 on 2 cores | figure 5.1, page 40 |" in written
    assert written.count("**Not measured yet**") == 8
    assert heddle("papers", "--results", ".", "--markdown", "nowhere/papers.md").code == 2


def test_the_saved_page_is_what_the_results_say() -> None:
    """After a new result: heddle papers --markdown docs/results/papers.md."""
    folder = ROOT / "docs/results"
    pairs = [(experiment, comparison.load(experiment, folder)) for experiment in comparison.chosen([])]
    assert (folder / "papers.md").read_text() == comparison.markdown(pairs)
