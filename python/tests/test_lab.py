"""`heddle lab` on trials that are known: what it shows, what it keeps, and what it says of bad input."""

from __future__ import annotations

import html.parser
import json
from pathlib import Path
from typing import Any

import pytest
from cli_support import Heddle
from lab_documents import MS, command, document, loads, one_after_the_other, part, pool, trial

from heddle.lab import trial as trials
from heddle.lab.output import plot, text, timeline
from heddle.lab.output.page import page
from heddle.lab.recorded import read as record
from heddle.lab.trial import Trial
from testing import browser


def of(*records: tuple[str, Any], **fields: Any) -> Trial:  # noqa: ANN401
    return trials.read(trial(list(records), **fields), "made up")


def saved(folder: Path, *records: tuple[str, Any], name: str = "trial.json", **fields: Any) -> Path:  # noqa: ANN401
    file = folder / name
    file.write_text(json.dumps(trial(list(records), **fields)))
    return file


def row(lines: list[str], start: str) -> str:
    return next(line for line in lines if line.strip().startswith(start))


# Trials


def test_a_table_has_median_interval_and_ratio() -> None:
    runs = [("pool:1", pool(1, seconds)) for seconds in (1.0, 2.0, 4.0)]
    runs += [("pool:2", pool(2, seconds)) for seconds in (0.9, 1.0, 1.5)]
    lines = text.of_trial(of(*runs), 100)
    assert "2.000  1.000 to 4.000" in row(lines, "pool:1")
    assert row(lines, "pool:2").split()[5] == "0.50"
    assert any("3 runs of each model" in line for line in lines)


def test_a_run_beside_other_programs_is_doubtful_but_not_for_its_own_server() -> None:
    busy = {**pool(1, 1.0), "foreign_cpu": 0.2}
    made = trial([("pool:1", busy)])
    assert "doubtful" in row(text.of_trial(trials.read(made, ""), 100), "pool:1")
    made["runs"][0]["server_cpu_seconds"] = 0.36  # of two cores in a second
    series = trials.read(made, "").series()[0]
    assert series.foreign == pytest.approx(0.02)
    assert not series.doubtful


def test_a_trial_is_kept_as_it_was() -> None:
    made = trial([("pool:1", pool(1, 1.0)), ("pool:2", pool(2, 1.0))], counters_missing={"cycles": "none"})
    assert trials.read(made, "").document() == made


def test_what_failed_is_named() -> None:
    failed = document([command(0, [part(0, MS)], error="LoadError: refused"), *one_after_the_other(2, MS)[1:]])
    assert any("compute 0 failed: LoadError" in line for line in text.of_trial(of(("pool:1", failed)), 100))


# Timelines


def test_a_row_has_a_bar_for_each_part_that_can_be_seen() -> None:
    run = record(document(loads(3, 8 * MS, MS)), "")
    rows = timeline.rows(run)
    assert [row.name for row in rows] == ["worker 0"]
    assert len(rows[0].bars) == 6
    assert rows[0].bars[1].start == pytest.approx(30.0)
    assert rows[0].busy == pytest.approx(0.2)


def test_parts_too_short_to_be_seen_are_shown_together() -> None:
    commands = one_after_the_other(10_000, 1e-5)
    rows = timeline.rows(record(document(commands), ""))
    assert len(rows[0].bars) <= 801
    assert sum(bar.width for bar in rows[0].bars) == pytest.approx(100)


def test_perfetto_reads_the_timeline(tmp_path: Path) -> None:
    from perfetto.protos.perfetto.trace.perfetto_trace_pb2 import Trace, TrackEvent

    file = tmp_path / "x.pftrace"
    timeline.write_perfetto(record(pool(2, 8 * MS), ""), file)
    packets = Trace.FromString(file.read_bytes()).packet
    begun = [p.track_event.name for p in packets if p.track_event.type == TrackEvent.TYPE_SLICE_BEGIN]
    assert sorted(begun) == [f"compute {n}" for n in range(8)]
    names = {p.track_descriptor.thread.thread_name for p in packets if p.HasField("track_descriptor")}
    assert {"worker 0", "worker 1"} <= names
    counted = [p.track_event.counter_value for p in packets if p.track_event.type == TrackEvent.TYPE_COUNTER]
    assert max(counted) == 2
    assert counted[-1] == 0


# Pages and pictures


class Balanced(html.parser.HTMLParser):
    """Checks that what is opened is closed; gathers elements."""

    VOID = frozenset("meta img br".split())

    def __init__(self, page_text: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.found: list[str] = []
        self.feed(page_text)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        del attrs
        self.found.append(tag)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def sweep() -> list[tuple[str, Any]]:
    return [(f"pool:{workers}", pool(workers, 1.0 / workers)) for workers in (1, 2, 4, 8)]


def test_the_page_is_whole_and_needs_nothing_else() -> None:
    made = of(*sweep(), window="iVBORw0KGgo=", counters_missing={"cycles": "no such counter"})
    written = page(made)
    found = Balanced(written).found
    assert "script" not in found
    assert 'src="http' not in written
    assert found.count("polyline") == 1
    assert found.count("details") == 5
    assert "data:image/png;base64,iVBORw0KGgo=" in written
    assert "no such counter" in written


@pytest.mark.slow
@pytest.mark.skipif(browser.find() is None, reason="no Chromium: apt-get install chromium-headless-shell")
@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_a_browser_shows_the_page_and_asks_for_nothing(tmp_path: Path, dark: bool) -> None:
    pixel = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
    file = tmp_path / "page.html"
    file.write_text(page(of(*sweep(), window=pixel)))
    (tmp_path / "profile").mkdir()
    with browser.browser(tmp_path / "profile") as shown:
        shown.open(file, dark)
        names = [node["name"]["value"] for node in shown.tree() if node["role"]["value"] == "rowheader"]
        assert names[:4] == ["pool:1", "pool:2", "pool:4", "pool:8"]
        assert shown.value("document.images[0].naturalWidth") == 1
        assert shown.value("document.querySelectorAll('details[open]').length") == 3
        # What is painted stands out from the page behind it, in both schemes.
        colour = "getComputedStyle(document.querySelector('td.bar rect')).fill"
        assert shown.value(colour) != shown.value("getComputedStyle(document.body).backgroundColor")
        assert [said for said in shown.errors if "data:image" not in said] == []


def test_a_hostile_name_does_not_get_into_the_page() -> None:
    made = document([command(0, [part(0, MS)], name="<script>alert(1)</script>")])
    written = page(of(("<b>x", made), scenario="<i>y"))
    assert "<script" not in written
    assert "<b>x" not in written
    assert "<i>y" not in written


def test_a_sweep_is_a_curve_and_other_trials_are_bars() -> None:
    assert list(plot.swept(of(*sweep()).series())) == ["pool"]
    assert plot.swept(of(*sweep()[:2]).series()) == {}


@pytest.mark.parametrize("ending", ["svg", "png", "html", "pftrace"])
def test_what_was_measured_can_be_shown(heddle: Heddle, ending: str) -> None:
    file = saved(heddle.folder, *sweep())
    done = heddle("lab", "plot", file, f"out.{ending}")
    assert (done.code, done.out) == (0, f"Written to out.{ending}\n")
    assert (heddle.folder / f"out.{ending}").stat().st_size > 500


# The command line


def test_a_prediction_is_checked_by_other_runs_of_the_file(heddle: Heddle) -> None:
    file = saved(heddle.folder, *sweep()[:2])
    done = heddle("lab", "predict", file, "--cores", "2,4")
    assert done.code == 0, done.err
    two = row(done.out.splitlines(), "2")
    assert two.split() == ["2", "2", "0.500", "2.00x", "0.500", "+0.0%"]
    data = json.loads(heddle("lab", "predict", file, "--cores", "2,4", "--json").out)
    assert [point["measured"] for point in data["points"]] == [0.5, None]


def test_one_record_is_enough_for_a_prediction(heddle: Heddle) -> None:
    (heddle.folder / "one.json").write_text(json.dumps(pool(1, 1.0)))
    assert "0.125" in heddle("lab", "predict", "one.json", "--cores", "8").out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("predict", "nothing.json"), "cannot be read"),
        (("predict", "trial.json", "--cores", "none"), "--cores cannot be none"),
        (("predict", "trial.json", "--cores", "0"), "from 1"),
        (("predict", "trial.json", "--model", "pico:9"), "it has pool:1, pool:2"),
        (("predict", "busy.json"), "other programs took 50%"),
        (("plot", "trial.json", "out.gif"), "nothing that can be made"),
        (("plot", "trial.json", "nowhere/out.svg"), "cannot be written"),
        (("plot", "trial.json", "nowhere/out.pftrace"), "cannot be written"),
        (("plot", "cut.json", "out.svg"), "not valid JSON"),
        (("plot", "other.json", "out.svg"), "not a heddle lab_trial document"),
        (("plot", "empty.json", "out.svg"), "nothing to draw"),
    ],
)
def test_bad_input_is_one_line_and_says_what_to_do(heddle: Heddle, words: tuple[str, ...], said: str) -> None:
    saved(heddle.folder, *sweep()[:2])
    saved(heddle.folder, ("pool:1", {**pool(1, 1.0), "foreign_cpu": 0.5}), name="busy.json")
    saved(heddle.folder, name="empty.json")
    (heddle.folder / "cut.json").write_text('{"schema": "heddle/lab_trial", ')
    (heddle.folder / "other.json").write_text('{"schema": "heddle/run", "version": 2}')
    done = heddle("lab", *words)
    assert done.code == 2
    assert said in done.line


def test_counters_say_what_this_machine_has(heddle: Heddle) -> None:
    done = heddle("lab", "counters")
    assert done.code == 0, done.err
    assert "context-switches" in done.out
    assert "Of the 15 ratios" in done.out
    data = json.loads(heddle("lab", "counters", "--json").out)
    assert len(data["ratios"]) == 15
