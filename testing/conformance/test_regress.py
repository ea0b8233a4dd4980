"""libevent's own regression suite on our core: whatever passes on plain libevent passes here, but for WAIVERS.md."""

from __future__ import annotations

import os
import subprocess
from collections import Counter
from pathlib import Path

import pytest

from testing.conformance import regress

ROOT = Path(__file__).resolve().parents[2]
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
WAIVED = regress.waivers((regress.HERE / "WAIVERS.md").read_text())
# `heddle bench conformance` makes twenty.
REPETITIONS = 3


@pytest.fixture(scope="session")
def program() -> Path:
    return regress.build(ROOT / "build/third_party/conformance")


@pytest.fixture(scope="session")
def environments(program: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict[str, str]]:
    document = tmp_path_factory.mktemp("conformance") / "constraints.json"
    return regress.ways(program, BUILD / "multivent/libmultivent.so", document)


def test_parser_tells_passed_failed_and_crashed_apart() -> None:
    output = "main/a: [forking] OK\nmain/b: \n  FAIL x.c:1: assert(y)\n  [b FAILED]\nmain/c: SKIPPED\nmain/d: \n"
    assert regress.parse(output) == {"main/a": "OK", "main/b": "FAILED", "main/c": "SKIPPED", "main/d": "CRASHED"}


def test_a_failure_needs_a_waiver_for_its_mode_unless_libevent_fails_too() -> None:
    waived = regress.waivers("# Waivers\n\n## `main/a`: inline, forced\n\nBecause.\n")
    said = {"main/a": "FAILED", "main/b": "TIMEOUT", "main/c": "OK"}
    passed = dict.fromkeys(said, "OK")
    also = regress.Round({regress.PLAIN: {**said, "main/a": "OK"}, "inline": said, "conflict": said, "forced": said})
    ours = regress.Round({regress.PLAIN: passed, "inline": passed, "conflict": said, "forced": passed})
    assert regress.not_judged([also]) == {"main/b"}
    assert regress.unexplained([also], waived) == {("conflict", "main/a"): 1}
    assert regress.unexplained([ours], waived) == {("conflict", "main/a"): 1, ("conflict", "main/b"): 1}


def test_what_libevent_fails_once_only_is_judged() -> None:
    failed, passed = {"main/b": "FAILED"}, {"main/b": "OK"}
    once = regress.Round({regress.PLAIN: failed, "inline": failed, "conflict": passed, "forced": passed})
    again = regress.Round({regress.PLAIN: passed, "inline": passed, "conflict": passed, "forced": passed})
    assert regress.not_judged([once, again]) == set()
    assert regress.unexplained([once, again], []) == {("inline", "main/b"): 1}


def test_what_passes_only_alone_is_counted(tmp_path: Path) -> None:
    """A suite of two tests, of which one fails for as long as it is not run by itself."""
    program = tmp_path / "regress"
    program.write_text(
        "#!/bin/sh\n"
        "[ $1 != --list-tests ] || { echo '  main/a'; echo '  main/b'; exit; }\n"
        "for name; do\n"
        "  if [ $name = main/a ] && [ -e $0.busy ]; then rm $0.busy; echo 'main/a: [a FAILED]'; continue; fi\n"
        "  echo $name: OK\n"
        "done\n"
    )
    program.chmod(0o755)
    (tmp_path / "regress.busy").touch()
    found = regress.run_suite(program, {regress.PLAIN: {}})
    assert found.verdicts == {regress.PLAIN: {"main/a": "OK", "main/b": "OK"}}
    assert regress.passed_alone([found, found]) == {(regress.PLAIN, "main/a"): 2}


def test_what_plain_libevent_passes_by_chance_is_not_judged(tmp_path: Path) -> None:
    program = tmp_path / "regress"
    program.write_text(
        "#!/bin/sh\n"
        '[ $1 != --list-tests ] || { for name in a b c d e f g h; do echo "  main/$name"; done; exit; }\n'
        "alone=$([ $# -gt 1 ] || echo 1)\n"
        "for name; do\n"
        "  said=OK\n"
        "  [ $name != main/a ] || [ -z $OURS$alone ] || said='[a FAILED]'\n"
        "  [ $name != main/b ] || [ -z $OURS ] || said='[b FAILED]'\n"
        "  echo $name: $said\n"
        "done\n"
    )
    program.chmod(0o755)
    ours = {"OURS": "1"}
    found = regress.run_suite(program, {regress.PLAIN: {}, **dict.fromkeys(regress.MODES, ours)})
    assert found.unreliable == {"main/a"}
    assert set(regress.unexplained([found], [])) == {(mode, "main/b") for mode in regress.MODES}


def test_waivers_are_few_and_argued() -> None:
    assert len(WAIVED) <= regress.MOST_WAIVERS
    assert len({waiver.test for waiver in WAIVED}) == len(WAIVED)
    for waiver in WAIVED:
        assert len(waiver.argument) > 50, f"{waiver.test}: say why"


def test_each_way_runs_as_its_name_says(program: Path, environments: dict[str, dict[str, str]]) -> None:
    for mode in regress.MODES:
        said = subprocess.run(
            [program, "--no-fork", "main/simpletimeout"],
            env={**os.environ, **environments[mode], "HEDDLE_SUMMARY": "1"},
            capture_output=True,
            text=True,
            check=True,
        )
        assert ("heddle: serial, because" in said.stderr) == (mode == "inline"), said.stderr


@pytest.mark.timeout(1200)
@pytest.mark.parametrize("repetitions", [1, pytest.param(REPETITIONS, marks=pytest.mark.slow)])
def test_what_passes_on_libevent_passes_on_our_core(
    program: Path, environments: dict[str, dict[str, str]], repetitions: int, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = []
    for _ in range(repetitions):
        found = regress.run_suite(program, environments)
        with capsys.disabled():
            for way, said in found.verdicts.items():
                print(f"\n  {way}: {dict(sorted(Counter(said.values()).items()))}", end="")
            for way, test in sorted(found.alone):
                print(f"\n  {way}: {test} passed only when it was run again alone", end="")
            print()
        rounds.append(found)
    seen = regress.unexplained(rounds, WAIVED)
    assert seen == {}, f"these pass on libevent and fail here, so often: {dict(seen)}"
