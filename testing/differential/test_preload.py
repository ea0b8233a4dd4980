"""Who is run by Heddle when a program is started through others, and what its children find in their environment."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
BUILD = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
PROGRAM = BUILD / "testing/differential/random_events"
SHOW_CHILD = BUILD / "testing/differential/show_child_environment"
LIBRARY = BUILD / "multivent/libmultivent.so"

LAUNCHERS = {
    "none": [],
    "shell": ["/bin/sh", "-c", 'exec "$@"', "sh"],
    "shell that waits": ["/bin/sh", "-c", '"$@"; exit $?', "sh"],
    "timeout": ["timeout", "60"],
    "env": ["env", "UNUSED=1"],
    "python": [sys.executable, "-c", "import os, sys; os.execv(sys.argv[1], sys.argv[1:])"],
    "several": ["timeout", "60", "/bin/sh", "-c", '"$@"; exit $?', "sh"],
}


def settings(preload: str) -> dict[str, str]:
    return {**os.environ, "LD_PRELOAD": preload, "HEDDLE_SERIAL": "1", "HEDDLE_SUMMARY": "0"}


@pytest.mark.parametrize("launcher", LAUNCHERS)
def test_the_program_is_run_by_heddle_and_its_launchers_are_left_alone(launcher: str, tmp_path: Path) -> None:
    run_file = tmp_path / "run.json"
    ended = subprocess.run(
        [*LAUNCHERS[launcher], PROGRAM, "serial", "2"],
        env={**settings(str(LIBRARY)), "HEDDLE_RUN_FILE": str(run_file)},
        capture_output=True,
        text=True,
        check=False,
    )
    plain = subprocess.run([PROGRAM, "serial", "2"], capture_output=True, text=True, check=False)
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, plain.stdout, "")
    assert '"random_events"' in run_file.read_text()


def test_the_library_is_loaded_into_processes_without_libevent_however_symbols_are_bound() -> None:
    """A release is linked so that all of them are bound when it is loaded; LD_BIND_NOW does that to any build."""
    ended = subprocess.run(
        ["/bin/sh", "-c", "echo here"],
        env={**settings(str(LIBRARY)), "LD_BIND_NOW": "1"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (0, "here\n", "")


@pytest.mark.parametrize(
    ("preload", "left"),
    [
        ("{ours}", None),
        ("{ours}:{other}", "{other}"),
        ("{other} {ours}", "{other}"),
        ("{other}::{link}:{third}", "{other}:{third}"),
    ],
)
def test_children_keep_what_the_user_preloads(preload: str, left: str | None, tmp_path: Path) -> None:
    link = tmp_path / "link.so"
    link.symlink_to(LIBRARY)
    names = {"ours": LIBRARY, "link": link, "other": "libm.so.6", "third": "libdl.so.2"}
    ended = subprocess.run(
        [SHOW_CHILD], env=settings(preload.format(**names)), capture_output=True, text=True, check=False
    )
    assert (ended.returncode, ended.stderr) == (0, "")
    found = [line for line in ended.stdout.splitlines() if line.startswith(("LD_PRELOAD=", "HEDDLE_S"))]
    assert found == ([] if left is None else [f"LD_PRELOAD={left.format(**names)}"])


def test_a_wrong_setting_stops_the_program_and_not_its_launcher() -> None:
    ended = subprocess.run(
        ["/bin/sh", "-c", f"{PROGRAM} serial 2; echo code $?"],
        env={**settings(str(LIBRARY)), "HEDDLE_SERIAL": "maybe"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert ended.stdout == "code 2\n"
    assert ended.stderr == 'heddle: HEDDLE_SERIAL is "maybe": give 0 or 1\n'


def test_a_library_of_the_program_keeps_its_own_function_of_a_name_that_is_not_reserved(tmp_path: Path) -> None:
    """C leaves names such as `error` to programs; the C library's functions of these names are replaced, no others."""
    library = """
    #include <stdio.h>
    void error(const char *first, double second) { printf("error: %s %g\\n", first, second); }
    void complain(void) { error("own", 1.5); }
    """
    program = """
    #include <err.h>
    #include <event2/event.h>
    void complain(void);
    int main(void) {
      event_get_version();
      complain();
      err(3, "number %d", 7);
    }
    """
    flags = ["-fPIC", "-shared", "-o", str(tmp_path / "libown.so")]
    subprocess.run(["gcc", "-x", "c", "-", *flags], input=library, text=True, check=True)
    flags = ["-o", str(tmp_path / "program"), f"-L{tmp_path}", f"-Wl,-rpath,{tmp_path}", "-lown", "-levent"]
    subprocess.run(["gcc", "-x", "c", "-", *flags], input=program, text=True, check=True)
    plain, ours = (
        subprocess.run([tmp_path / "program"], env=environment, capture_output=True, text=True, check=False)
        for environment in (dict(os.environ), settings(str(LIBRARY)))
    )
    assert plain.stdout == "error: own 1.5\n"
    assert (ours.returncode, ours.stdout, ours.stderr) == (plain.returncode, plain.stdout, plain.stderr)
