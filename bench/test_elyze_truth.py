"""The benchmark of true verdicts: what counts as a failure, and what makes a figure doubtful."""

from __future__ import annotations

from typing import Any

from bench import elyze_truth


def found(**changed: Any) -> dict[str, Any]:  # noqa: ANN401 - parts of any kind
    seen = {"invocations": 10, "failures": 0, "pairs": 4, "pairs_witnessed": 3, "serial": False, "rests_on": "much"}
    parts = {
        "fixtures": {"programs": 235, "verdicts": 1000, "exact": 960, "unsound": []},
        "annotated": {"programs": 200, "invocations": 5000, "failures": 0},
        "random": {"programs": 10_000, "first_seed": 1, "pairs": 90, "pairs_witnessed": 80, "failing": []},
        "threads": {"programs": 200, "parallel": 180, "overlapped": 150, "different": []},
        "whole": {
            "programs": 10_000,
            "first_seed": 1,
            "pairs": 90,
            "pairs_witnessed": 80,
            "runs": 2000,
            "overlapped": 1500,
            "failing": [],
            "different": {},
            "unfit": {},
        },
        "servers": {"pgbouncer": seen, "tmux": seen},
    }
    return parts | changed


def test_the_claims_are_those_that_are_announced_and_met_without_a_failure() -> None:
    claims = elyze_truth.claims(found())
    assert [claim.id for claim in claims] == list(elyze_truth.CLAIMS)
    assert all(claim.met and not claim.doubt for claim in claims)
    assert claims[2].measured == 0.96


def test_failures_of_every_kind_count() -> None:
    worse = found()
    worse["fixtures"]["unsound"] = ["UNSOUND: on_a on_b"]
    worse["annotated"]["failures"] = 2
    worse["random"]["failing"] = [17]
    worse["servers"]["tmux"] = worse["servers"]["tmux"] | {"failures": 3}
    claim = elyze_truth.claims(worse)[0]
    assert (claim.measured, claim.met) == (7, False)
    worse["whole"]["failing"] = [3]
    assert elyze_truth.claims(worse)[0].measured == 8
    assert "failing seed: 17" in elyze_truth.table(worse)
    assert "UNSOUND: on_a on_b" in elyze_truth.table(worse)


def test_what_was_not_tried_is_a_doubt() -> None:
    few = found(servers={"tmux": {"unfit": "not built"}})
    few["random"]["programs"] = 250
    claim = elyze_truth.claims(few)[0]
    assert claim.doubt == "tmux: not built; 250 random programs of events only"
    assert elyze_truth.claims(found(servers={}))[0].doubt == "no real servers"


def test_outcomes_that_libevent_could_not_have_had_are_counted_by_themselves() -> None:
    worse = found()
    worse["threads"]["different"] = ["global_counter"]
    worse["whole"]["different"] = {"17": "2 threads: did not end"}
    soundness, *_, unsound = elyze_truth.claims(worse)
    assert (soundness.measured, unsound.id, unsound.measured, unsound.met) == (0, "real.unsound", 2, False)
    assert "differs from libevent: seed 17, 2 threads: did not end" in elyze_truth.table(worse)
    worse["whole"]["programs"], worse["whole"]["unfit"] = 100, {"5": "on libevent it did not end"}
    unsound = elyze_truth.claims(worse)[-1]
    assert unsound.doubt == "100 random programs with libraries only; 1 random programs could not be judged"


def test_a_server_that_ran_serially_is_no_proof() -> None:
    serial = found()
    serial["servers"]["tmux"] = serial["servers"]["tmux"] | {"serial": True, "rests_on": "it ran serially: no two may"}
    claim = elyze_truth.claims(serial)[0]
    assert claim.what.endswith(", pgbouncer under the oracle")
    assert claim.doubt == "tmux: it ran serially: no two may"
    assert "tmux on several threads: it ran serially: no two may" in elyze_truth.table(serial)
