"""The benchmark of libevent's regression suite: what counts, and what makes it doubtful."""

from __future__ import annotations

from typing import Any

from bench import conformance


def found(**changed: Any) -> dict[str, Any]:  # noqa: ANN401 - parts of any kind
    usual = {
        "repetitions": 20,
        "tests": 314,
        "seconds": 900.0,
        "foreign": 0.01,
        "doubts": [],
        "failures": {},
        "passed_alone": {},
        "not_judged": [],
        "waivers": ["a"],
    }
    return usual | changed


def test_the_claims_are_those_that_are_announced_and_met_without_a_failure() -> None:
    claims = conformance.claims(found())
    assert [claim.id for claim in claims] == list(conformance.CLAIMS)
    assert all(claim.met and not claim.doubt for claim in claims)


def test_every_failure_in_every_repetition_counts() -> None:
    worse = found(failures={"main/a (inline)": 2, "main/b (forced)": 1})
    assert (conformance.claims(worse)[0].measured, conformance.claims(worse)[0].met) == (3, False)
    assert "  failed 2 times: main/a (inline)" in conformance.table(worse)


def test_fewer_repetitions_and_a_busy_machine_are_doubts() -> None:
    assert conformance.claims(found(repetitions=1))[0].doubt == "1 of 20 repetitions"
    assert conformance.claims(found(doubts=["others were busy"]))[0].doubt == "others were busy"
    assert not conformance.claims(found(waivers=list("abcdef")))[1].met


def test_what_was_run_again_and_what_was_not_judged_is_said_beside_the_figure() -> None:
    some = found(passed_alone={"main/c (forced)": 2, "main/c (plain libevent)": 1}, not_judged=["http/bad_headers"])
    assert conformance.claims(some)[0].what.endswith("20 repeats; 1 of 314 not judged, 2 passed only alone")
    assert conformance.table(some)[1:] == [
        "  passed only when run again alone, 2 times: main/c (forced)",
        "  passed only when run again alone, 1 times: main/c (plain libevent)",
        "  not judged, for plain libevent fails it, too: http/bad_headers",
    ]
