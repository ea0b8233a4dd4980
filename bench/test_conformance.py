"""The benchmark of libevent's regression suite: what counts, and what makes it doubtful."""

from __future__ import annotations

from typing import Any

import conformance


def found(**changed: Any) -> dict[str, Any]:  # noqa: ANN401 - parts of any kind
    usual = {
        "repetitions": 20,
        "tests": 314,
        "seconds": 900.0,
        "foreign": 0.01,
        "failures": {},
        "libevent_failures": [],
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
    assert "  failed 2 times, main/a (inline)" in conformance.table(worse)


def test_fewer_repetitions_and_failures_of_libevent_itself_are_doubts() -> None:
    assert conformance.claims(found(repetitions=1))[0].doubt == "1 of 20 repetitions"
    assert "http/bad_headers" in conformance.claims(found(libevent_failures=["http/bad_headers"]))[0].doubt
    assert conformance.claims(found(foreign=0.5))[0].doubt == "other programs took 50% of the machine"
    assert not conformance.claims(found(waivers=list("abcdef")))[1].met
