"""ThreadSanitizer over real servers at real work under multivent: no report, and the work is done."""

from __future__ import annotations

import pytest

from testing.servers.debian_programs import UnfitError
from testing.servers.instrumented import BUILD, TSAN_BUILD
from testing.servers.real_servers import WORK
from testing.servers.servers_in_parallel import Server, observe, sanitized
from testing.servers.tor_network import tor_at_work

ALL = WORK | {"tor": tor_at_work}
# Why the runtime calls all handlers of a server on one thread.
ALONE = {
    ("tor", "adaptive"): "none of its handlers may run beside another one",
    ("tmux", "adaptive"): "none of its handlers may run beside another one",
    ("pgbouncer", "adaptive"): "none of its handlers may run beside another one",
}
LEAST = {"pgbouncer": 3_000, "tmux": 500, "tor": 500}  # invocations; fewer are no work


@pytest.fixture(scope="module", params=sorted(ALL))
def built(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> tuple[str, Server]:
    name: str = request.param
    try:
        return name, sanitized(name, BUILD, tmp_path_factory.mktemp(name))
    except UnfitError as error:
        if str(error).startswith("not fetched"):
            pytest.skip(str(error))
        raise


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("promote", ["adaptive", "always"])
def test_thread_sanitizer_has_nothing_to_report(built: tuple[str, Server], promote: str) -> None:
    name, server = built
    try:
        found = observe(server, ALL[name], TSAN_BUILD, promote)
    except UnfitError as error:
        if "not installed" in str(error):
            pytest.skip(str(error))
        raise
    assert "\n".join(found.reports) == ""
    reason = ALONE.get((name, promote))
    assert found.figures["mode"] == ("serial" if reason else "parallel")
    assert (reason or "") in found.figures.get("why", "")
    assert sum(handler["invocations"] for handler in found.figures["handlers"]) >= LEAST[name]
