"""Two calls that touch one byte, one of them writing it, are never said to be apart: links through a library."""

from __future__ import annotations

import os
import random
import shutil
from pathlib import Path

import pytest

from testing.specs import generate, link_programs, link_verdicts, links, running
from testing.specs.test_specs import ELYZE

HERE = Path(__file__).parent
# How many scenarios of each library an ordinary run tries, and how many pairs of each one are analysed alone.
_FEW = {"libevent": 3, "openssl": 2, "libc": 2, "others": 2}
_ALONE = 1
_STEPS = 3000
_SEED = int(os.environ.get("HEDDLE_LINK_SEED", "1"))
_MANY = int(os.environ.get("HEDDLE_LINKS", "1000000"))


def _library(name: str) -> links.Library:
    (harness,) = [one for one in running.HARNESSES if one.name == name]
    return links.Library(harness, running.read_specs(ELYZE), generate.read_table(HERE / "not_run.txt").not_run)


def _sample(count: int):  # noqa: ANN202
    def choose(found: list[links.Scenario]) -> list[links.Scenario]:
        return random.Random(_SEED).sample(found, min(count, len(found)))

    return choose


def _judged(name: str, count: int, alone: int, steps: int, folder: Path) -> tuple[link_verdicts.Judged, dict[str, str]]:
    library = _library(name)
    wanted = link_programs.build(library, _sample(count), folder)
    traces = link_programs.run(library, folder, steps)
    judged = link_verdicts.Judged()
    analyser = link_verdicts.Analyser(library, ELYZE, folder)
    for scenario in wanted:
        link_verdicts.judge(scenario, traces.get(scenario.name, {}), analyser, judged, alone)
    why = link_programs.without_a_trace(library, wanted, traces)
    print(
        f"{name}: {len(wanted)} scenarios, {judged.pairs} pairs, {judged.touching} touch a common byte, "
        f"{judged.alone} analysed alone, {judged.left} left; {len(why)} functions not executed"
    )
    (folder / "not-executed.txt").write_text("".join(f"{function}: {reason}\n" for function, reason in why.items()))
    return judged, why


@pytest.mark.timeout(600)
@pytest.mark.parametrize("name", list(_FEW))
def test_calls_that_touch_a_common_byte_are_not_said_to_be_apart(name: str, tmp_path: Path) -> None:
    judged, _ = _judged(name, _FEW[name], _ALONE, _STEPS, tmp_path)
    assert judged.pairs > 0, "nothing was executed"
    assert judged.holes == [], "\n".join(map(str, judged.holes))


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("name", list(_FEW))
def test_all_calls_that_touch_a_common_byte_are_not_said_to_be_apart(name: str, tmp_path: Path) -> None:
    judged, why = _judged(name, _MANY, 40, 20 * _STEPS, tmp_path)
    print("\n".join(f"not executed: {function}: {reason}" for function, reason in sorted(why.items())))
    assert judged.holes == [], "\n".join(map(str, judged.holes))


# A link that a spec does not tell: the limits that a bufferevent keeps.
_LEFT_OUT = ("bufferevent_get_read_limit, bufferevent_get_write_limit: {effects: [free 0, read 0 at 5032]}", " at 5032")


def test_a_link_that_a_spec_leaves_out_is_noticed(tmp_path: Path) -> None:
    specs = tmp_path / "specs"
    shutil.copytree(running.ROOT / "elyze/specs", specs)
    file = specs / "libevent.bufferevent.yaml"
    line, part = _LEFT_OUT
    assert line in file.read_text()
    file.write_text(file.read_text().replace(line, line.replace(part, "")))
    library = _library("libevent")

    def choose(found: list[links.Scenario]) -> list[links.Scenario]:
        return [one for one in found if one.what == "bufferevent_set_rate_limit"]

    (scenario,) = link_programs.build(library, choose, tmp_path)
    traces = link_programs.run(library, tmp_path, _STEPS)[scenario.name]
    for folder, expected in ((running.ROOT / "elyze/specs", False), (specs, True)):
        judged = link_verdicts.Judged()
        link_verdicts.judge(scenario, traces, link_verdicts.Analyser(library, ELYZE, tmp_path, folder), judged, 0)
        pairs = {(hole.one, hole.other) for hole in judged.holes}
        assert (("bufferevent_get_read_limit(a)", "ev_token_bucket_cfg_free(b)") in pairs) == expected
