"""The benchmark of ThreadSanitizer's reports: what counts, and what makes the figure doubtful."""

from __future__ import annotations

from typing import Any

from bench import tsan_servers

QUIET: dict[str, Any] = {
    "reports": 0,
    "first_report": "",
    "invocations": [900, 800],
    "peak_parallel": [2, 3],
    "pairs": 45,
    "always": 12,
    "causes": 3,
    "first_cause": "cache",
}


def servers(**changed: dict[str, Any]) -> dict[str, dict[str, Any]]:
    return {name: QUIET | changed.get(name, {}) for name in ("imgserve", *tsan_servers.REAL)}


def test_every_report_of_every_server_counts() -> None:
    (claim,) = tsan_servers.claims(servers(tmux={"reports": 2}, tor={"reports": 1}))
    assert (claim.id, claim.measured, claim.met, claim.doubt) == (tsan_servers.CLAIMS[0], 3, False, "")


def test_none_is_met_and_what_was_not_tried_is_a_doubt() -> None:
    found = servers()
    assert tsan_servers.claims(found)[0].met
    del found["tor"]
    found["pgbouncer"] = {"unfit": "not fetched: no mirror"}
    (claim,) = tsan_servers.claims(found)
    assert claim.doubt == "pgbouncer: not fetched: no mirror; tor not tried"
    assert "no mirror" in "\n".join(tsan_servers.table(found))


def test_a_row_counts_reports_in_the_text() -> None:
    text = f"{tsan_servers.REPORT}: data race\n...\n{tsan_servers.REPORT}: data race\n"
    figures = [{"handlers": [{"invocations": 7}], "peak_parallel": 2}]
    document: dict[str, Any] = {key: [] for key in ("handlers", "objects", "accesses", "pairs", "assumptions")}
    document |= {"program": {"name": "server", "build_id": "none"}, "summary": {}}
    found = tsan_servers.row([[], [text]], figures, document)
    assert (found["reports"], found["first_report"], found["invocations"]) == (2, text, [7])
