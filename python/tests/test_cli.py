"""The command line as a whole: help, errors, exit codes, and what a verb costs to start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from cli_support import ROOT, Heddle

from heddle import __version__
from heddle.cli.app import VERBS
from heddle.system import health

# Packages that only some verbs need, each slow to import. None may be loaded before the program starts.
HEAVY = {"rich", "pydantic", "jsonschema", "numpy", "PIL", "pygments", "markdown_it", "asyncio"}


@pytest.mark.parametrize("verb", VERBS)
def test_the_help_of_every_verb_has_an_example(heddle: Heddle, verb: str) -> None:
    done = heddle(verb, "--help")
    assert (done.code, done.err) == (0, "")
    assert f"Example: heddle {verb}" in done.out
    assert max(map(len, done.out.splitlines())) <= 80


def test_help_lists_every_verb(heddle: Heddle) -> None:
    done = heddle("--help")
    assert [verb for verb in VERBS if f"\n  {verb} " not in done.out] == []


def test_version_is_the_packages(heddle: Heddle) -> None:
    assert heddle("--version").out == f"heddle {__version__}\n"
    assert f'version = "{__version__}"' in (ROOT / "pyproject.toml").read_text()


def test_an_unknown_verb_is_one_line(heddle: Heddle) -> None:
    done = heddle("rnu")
    assert done.code == 2
    assert done.line.startswith("heddle: there is no verb 'rnu': use one of ")


@pytest.mark.parametrize("words", [("run",), ("analyze",), ("build",), ("bench",)])
def test_a_missing_argument_is_one_line(heddle: Heddle, words: tuple[str, ...]) -> None:
    done = heddle(*words)
    assert done.code == 2
    assert "missing argument" in done.line


@pytest.mark.parametrize("words", [("run", "--no-such"), ("doctor", "--no-such"), ("--no-such",)])
def test_an_unknown_option_is_one_line(heddle: Heddle, words: tuple[str, ...]) -> None:
    done = heddle(*words)
    assert done.code == 2
    assert done.line.startswith("heddle: no such option")


def modules_loaded(heddle: Heddle, *words: str) -> set[str]:
    """Top-level packages that are loaded when the verb has done its work (or become the program)."""
    code = (
        "import os, sys\n"
        "def note(*_): print('\\n' + ' '.join(sorted({name.partition('.')[0] for name in sys.modules}))); sys.exit(0)\n"
        "os.execve = note\n"
        "from heddle.cli.app import main\n"
        f"main({list(words)!r})\n"
        "note()\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        cwd=heddle.folder,
        env=heddle.environment,
        capture_output=True,
        text=True,
        check=False,
    )
    return set(done.stdout.splitlines()[-1].split())


def test_run_starts_without_heavy_packages(heddle: Heddle, toy: Path) -> None:
    del toy
    loaded = modules_loaded(heddle, "run", "--quiet", "./toy")
    assert "typer" in loaded
    assert not loaded & HEAVY
    assert len(loaded) < 170


@pytest.mark.parametrize("option", ["--help", "--version"])
def test_help_and_version_start_without_heavy_packages(heddle: Heddle, option: str) -> None:
    assert not modules_loaded(heddle, option) & (HEAVY - {"rich", "pygments", "markdown_it"})


def test_one_verb_does_not_load_the_others(heddle: Heddle) -> None:
    code = "import sys; from heddle.cli.app import make_app; make_app(('run',)); print(*sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", code], env=heddle.environment, capture_output=True, text=True, check=True
    )
    assert "heddle.cli.run" in done.stdout
    assert "heddle.cli.analyze" not in done.stdout


def test_the_compiler_wrapper_starts_with_the_standard_library_only() -> None:
    code = f"import sys; sys.path.insert(0, {str(ROOT / 'python')!r}); import heddle.toolchain.wrapper"
    subprocess.run([sys.executable, "-SEs", "-c", code], check=True)


def test_doctor_says_what_each_missing_thing_costs(heddle: Heddle) -> None:
    done = heddle("doctor", "--json")
    findings = {finding["what"]: finding for finding in json.loads(done.out)}
    assert findings["analyser"]["state"] == "ok"
    assert findings["load generator"]["state"] == "missing"
    assert all(finding["cost"] for finding in findings.values() if finding["state"] != "ok")
    assert done.code == 1
    plain = heddle("doctor")
    assert "load generator" in plain.out
    assert "no heddle demo and no benchmarks of servers" in plain.out


def test_doctor_notes_parts_that_are_built_when_first_needed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HEDDLE_ROOT", str(tmp_path))
    monkeypatch.setenv("HEDDLE_BUILD", str(tmp_path / "build" / "release"))
    found = {finding.what: finding for finding in health.findings()}
    for what, verb in {"analyser": "analyze", "runtime": "run", "load generator": "demo"}.items():
        assert (found[what].state, found[what].cost) == ("note", f"built when first needed: ./heddle {verb}")
    monkeypatch.setattr(health, "findings", lambda: [found["analyser"], found["runtime"], found["load generator"]])
    from heddle.cli.doctor import doctor

    assert doctor(as_json=False) == 0


def test_doctor_names_each_missing_debian_package_and_what_it_is_for(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "tools").mkdir()
    (tmp_path / "tools" / "debian-packages.txt").write_text(
        "# a comment\nbase-files  # every system\nno-such-package-1.2+x  # nothing\n"
    )
    (tmp_path / "requirements.lock").write_text("typer==0.0.1\nno-such-package-either==1.0\n")
    monkeypatch.setenv("HEDDLE_ROOT", str(tmp_path))
    found = {finding.what: finding for finding in health.findings()}
    assert "base-files" not in found
    package = found["no-such-package-1.2+x"]
    assert (package.state, package.cost) == (
        "missing",
        "needed for: nothing: apt-get install no-such-package-1.2+x",
    )
    assert found["python packages"].found == "no-such-package-either"


def test_doctor_is_content_when_nothing_is_missing(monkeypatch: pytest.MonkeyPatch, heddle: Heddle) -> None:
    monkeypatch.setattr(health, "findings", lambda: [health.Finding("cores", "ok", "2")])
    from heddle.cli.doctor import doctor

    assert doctor(as_json=False) == 0
    assert heddle.folder.is_dir()


def test_output_cut_off_by_its_reader_is_no_error(heddle: Heddle, toy: Path) -> None:
    del toy
    command = f"{sys.executable} -m heddle analyze --json ./toy | head -c 1 >/dev/null; exit ${{PIPESTATUS[0]}}"
    done = subprocess.run(
        ["bash", "-c", command], cwd=heddle.folder, env=heddle.environment, capture_output=True, text=True, check=False
    )
    assert done.returncode in (0, 141)  # the whole output may have gone into the pipe
    assert done.stderr == ""
