"""The benchmark of sameness: what counts as a difference, and which packages count."""

from __future__ import annotations

from typing import Any

from bench import node_truth


def found(**changed: Any) -> dict[str, Any]:  # noqa: ANN401 - parts of any kind
    packages = {f"package{number}": {"passed": 10, "different": []} for number in range(8)}
    return {"random": {"programs": 10_000, "different": {}}, "packages": packages} | changed


def test_the_claims_are_those_that_are_announced_and_met_without_a_difference() -> None:
    claims = node_truth.claims(found())
    assert [claim.id for claim in claims] == list(node_truth.CLAIMS)
    assert all(claim.met and not claim.doubt for claim in claims)


def test_a_difference_fails_the_claim_and_is_shown() -> None:
    worse = found(random={"programs": 10_000, "different": {17: "python fuzzing.py 17"}})
    assert not node_truth.claims(worse)[0].met
    assert any("fuzzing.py 17" in line for line in node_truth.table(worse))


def test_a_package_of_which_nothing_passed_or_a_file_differs_does_not_count() -> None:
    worse = found()
    worse["packages"]["package0"] = {"passed": 0, "different": []}
    worse["packages"]["package1"] = {"passed": 9, "different": ["one.js"]}
    claim = node_truth.claims(worse)[1]
    assert (claim.measured, claim.met) == (6, False)
    assert "package0, package1" in claim.doubt


def test_fewer_programs_are_a_doubt() -> None:
    assert node_truth.claims(found(random={"programs": 300, "different": {}}))[0].doubt
