"""`heddle run`: every reason not to start is told in one line; what starts is the program itself."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from cli_support import TOY_SOURCE, Heddle, compile_c

from heddle.documents import contracts
from heddle.documents.contracts import VERSIONS
from heddle.errors import BadInputError
from heddle.program import executable
from heddle.program.elf import Elf
from heddle.run import launch, live
from heddle.system import machine, places

WriteConstraints = Callable[..., Path]


def settings(heddle: Heddle, *words: str) -> dict[str, str]:
    """What the runtime that was loaded into the toy found in its environment."""
    log = heddle.folder / "environment"
    done = heddle("run", *words, FAKE_RUNTIME_LOG=str(log))
    assert done.code == 3, done.err
    return dict(line.split("=", 1) for line in log.read_text().splitlines())


def build_id(path: Path) -> str:
    found = Elf(path).build_id()
    assert found
    return found


def test_the_program_gets_threads_and_constraints(heddle: Heddle, toy: Path, constraints_for: WriteConstraints) -> None:
    file = constraints_for(toy, build_id(toy))
    assert settings(heddle, "--threads", "4", "./toy") == {
        "HEDDLE_PROGRAM": "./toy",
        "HEDDLE_THREADS": "4",
        "HEDDLE_CONSTRAINTS": str(file),
        "HEDDLE_SUMMARY": "1",
        "HEDDLE_LIVE": str(live.folder()),
    }


def test_files_are_named_absolutely_because_the_program_may_change_its_folder(
    heddle: Heddle, toy: Path, constraints_for: WriteConstraints
) -> None:
    constraints_for(toy, build_id(toy))
    found = settings(heddle, "--threads", "2", "--trace", "t.bin", "--run-file", "r.json", "--quiet", "--", "./toy")
    assert found["HEDDLE_TRACE"] == str(heddle.folder / "t.bin")
    assert found["HEDDLE_RUN_FILE"] == str(heddle.folder / "r.json")
    assert found["HEDDLE_SUMMARY"] == "0"


def test_constraints_can_be_named(heddle: Heddle, toy: Path, constraints_for: WriteConstraints) -> None:
    elsewhere = constraints_for(toy, build_id(toy)).rename(heddle.folder / "other.json")
    assert settings(heddle, "--threads", "2", "--constraints", "other.json", "./toy")["HEDDLE_CONSTRAINTS"] == str(
        elsewhere
    )


def test_constraints_are_found_beside_the_file_that_a_link_leads_to(
    heddle: Heddle, toy: Path, constraints_for: WriteConstraints
) -> None:
    file = constraints_for(toy, build_id(toy))
    (heddle.folder / "bin").mkdir()
    (heddle.folder / "bin" / "server").symlink_to(toy)
    assert settings(heddle, "--threads", "2", "bin/server")["HEDDLE_CONSTRAINTS"] == str(file)


def test_without_constraints_the_program_gets_the_reason_why_there_are_none(heddle: Heddle, toy: Path) -> None:
    del toy
    found = settings(heddle, "--threads", "2", "./toy")
    assert "HEDDLE_CONSTRAINTS" not in found
    assert found["HEDDLE_NO_CONSTRAINTS"] == (
        "there is no toy.constraints.json beside it: run heddle analyze ./toy first"
    )


@pytest.mark.parametrize(
    ("words", "threads", "serial"),
    [(["--serial"], "auto", "1"), (["--threads", "1"], "1", None), (["--serial", "--threads", "4"], "4", "1")],
)
def test_what_is_asked_for_is_handed_over_as_it_is(
    heddle: Heddle, toy: Path, constraints_for: WriteConstraints, words: list[str], threads: str, serial: str | None
) -> None:
    file = constraints_for(toy, build_id(toy))
    found = settings(heddle, *words, "./toy")
    assert (found["HEDDLE_THREADS"], found.get("HEDDLE_SERIAL")) == (threads, serial)
    assert found["HEDDLE_CONSTRAINTS"] == str(file)  # for names and sessions in its figures


def test_auto_is_left_to_the_runtime(heddle: Heddle, toy: Path, constraints_for: WriteConstraints) -> None:
    constraints_for(toy, build_id(toy))
    assert settings(heddle, "./toy")["HEDDLE_THREADS"] == "auto"


def test_nothing_is_said_before_the_runtime_is_in_the_program(heddle: Heddle, toy: Path) -> None:
    del toy
    assert heddle("run", "./toy").err == ""  # a stand-in that says nothing


def test_arguments_streams_and_exit_code_are_the_programs_own(heddle: Heddle, toy: Path) -> None:
    del toy
    done = heddle("run", "--quiet", "./toy", "--threads", "-p 80", "--", "--help")
    assert (done.code, done.out, done.err) == (3, "--threads\n-p 80\n--\n--help\n", "")


def test_signals_reach_the_program(heddle: Heddle) -> None:
    source = TOY_SOURCE.replace(
        "if (ticks == 3) event_base_loopbreak(base);", 'if (ticks == 1) { puts("up"); fflush(stdout); }'
    )
    compile_c(source + "int step(int by) { return by; }", heddle.folder / "endless", "-levent")
    with subprocess.Popen(
        [sys.executable, "-m", "heddle", "run", "--quiet", "./endless"],
        cwd=heddle.folder,
        env=heddle.environment,
        stdout=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        process.send_signal(signal.SIGTERM)
        assert process.wait(timeout=30) == -signal.SIGTERM


def test_no_signal_is_ignored_that_the_program_would_not_ignore_alone(heddle: Heddle) -> None:
    source = """
    #include <event2/event.h>
    #include <signal.h>
    int main(void) {
      int ignored = 0;
      event_get_version();
      for (int number = 1; number < 32; ++number) {
        struct sigaction now;
        ignored += sigaction(number, NULL, &now) == 0 && now.sa_handler == SIG_IGN;
      }
      return ignored;
    }"""
    compile_c(source, heddle.folder / "signals", "-levent")
    # Under nohup, for instance, a program that is started alone ignores a signal, too.
    alone = subprocess.run([heddle.folder / "signals"], check=False).returncode
    assert heddle("run", "--quiet", "./signals").code == alone


def test_python_leaves_nothing_in_the_environment(heddle: Heddle) -> None:
    """Where no locale is named, Python names one for itself and what it starts (PEP 538)."""
    source = """
    #include <event2/event.h>
    #include <langinfo.h>
    #include <locale.h>
    #include <stdio.h>
    int main(void) {
      event_get_version();
      setlocale(LC_ALL, "");
      puts(nl_langinfo(CODESET));
      return 0;
    }"""
    compile_c(source, heddle.folder / "locale", "-levent")
    for name in ("LANG", "LC_ALL", "LC_CTYPE"):
        heddle.environment.pop(name, None)
    assert heddle("run", "--quiet", "./locale").out == "ANSI_X3.4-1968\n"
    assert heddle("run", "--quiet", "./locale", LC_CTYPE="C.UTF-8").out == "UTF-8\n"


def test_a_program_is_found_through_path_as_by_a_shell(heddle: Heddle, toy: Path) -> None:
    del toy
    done = heddle("run", "--quiet", "toy", "x", PATH=f"{heddle.folder}:{os.environ['PATH']}")
    assert (done.code, done.out) == (3, "x\n")


def test_what_the_user_preloads_stands_in_front_of_the_runtime(
    heddle: Heddle, toy: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HEDDLE_BUILD", heddle.environment["HEDDLE_BUILD"])
    monkeypatch.setenv("LD_PRELOAD", "libmine.so")
    plan = launch.plan(launch.Request(str(toy), threads="2"))
    assert (
        plan.environment["LD_PRELOAD"] == f"libmine.so:{heddle.environment['HEDDLE_BUILD']}/multivent/libmultivent.so"
    )


@pytest.mark.parametrize(
    ("preloaded", "serial"),
    [
        ("libmine.so", True),
        ("/lib/libjemalloc.so.2", False),
        ("/opt/libheddle_ipc.so", False),
        ("libasan.so.8 /opt/count.so", True),
        ("", False),
    ],
)
def test_a_run_with_code_that_nobody_has_analysed_is_serial(
    heddle: Heddle, toy: Path, monkeypatch: pytest.MonkeyPatch, preloaded: str, serial: bool
) -> None:
    monkeypatch.setenv("HEDDLE_BUILD", heddle.environment["HEDDLE_BUILD"])
    monkeypatch.setenv("LD_PRELOAD", preloaded)
    document = toy.with_name(f"{toy.name}.constraints.json")
    existed = document.exists()
    plan = launch.plan(launch.Request(str(toy), threads="2"))
    assert (contracts.HEDDLE_CONSTRAINTS in plan.environment) == (existed and not serial)
    why = plan.environment.get(contracts.HEDDLE_NO_CONSTRAINTS, "")
    assert ("was not analysed" in why) == serial


def test_settings_of_an_outer_run_do_not_leak_in(heddle: Heddle, toy: Path) -> None:
    del toy
    heddle.environment |= {"HEDDLE_TRACE": "/outer", "HEDDLE_ORACLE": "1"}
    found = settings(heddle, "./toy")
    assert "HEDDLE_TRACE" not in found
    assert found["HEDDLE_ORACLE"] == "1"


# Bad input: each one line on standard error, exit code 2, and nothing was started.


def refused(heddle: Heddle, *words: str | Path) -> str:
    done = heddle("run", *words)
    assert (done.code, done.out) == (2, "")
    assert done.line.startswith("heddle: ")
    return done.line.removeprefix("heddle: ")


@pytest.mark.parametrize("threads", ["0", "-1", "abc", "1.5", "100000", ""])
def test_an_impossible_thread_count_is_refused(heddle: Heddle, toy: Path, threads: str) -> None:
    del toy
    assert refused(heddle, "--threads", threads, "./toy") == (
        f"--threads {threads} is not possible: give a number from 1 to 1024, or auto"
    )


def test_a_script_is_refused(heddle: Heddle) -> None:
    (heddle.folder / "start.sh").write_text("#!/bin/sh\nexec ./toy\n")
    assert refused(heddle, "./start.sh") == ("./start.sh is a script, not an ELF file: name the program that it starts")


def test_what_is_not_an_elf_file_is_refused(heddle: Heddle) -> None:
    (heddle.folder / "notes").write_text("hello")
    assert refused(heddle, "./notes") == "./notes is not an ELF file: name a compiled program"


@pytest.mark.parametrize("size", [4, 17, 64, 3000])
def test_a_damaged_elf_file_is_refused(heddle: Heddle, toy: Path, size: int) -> None:
    (heddle.folder / "half").write_bytes(toy.read_bytes()[:size])
    assert refused(heddle, "./half").startswith("./half is a damaged ELF file (")


def test_a_directory_is_refused(heddle: Heddle) -> None:
    (heddle.folder / "folder").mkdir()
    assert refused(heddle, "./folder") == "./folder is a directory: name the program file in it"


def test_a_missing_program_is_refused(heddle: Heddle) -> None:
    assert refused(heddle, "./gone") == "./gone does not exist: name a compiled program"
    assert refused(heddle, "gone").startswith("gone was not found in PATH: ")


def test_a_program_of_this_folder_without_its_folder_is_refused_as_a_shell_does(heddle: Heddle, toy: Path) -> None:
    del toy
    assert refused(heddle, "toy") == "toy is not in PATH: write ./toy for the one in this folder"


def test_an_object_file_is_refused(heddle: Heddle) -> None:
    compile_c("int x;", heddle.folder / "x.o", "-c")
    assert refused(heddle, "./x.o") == "./x.o is an object file, not a program: name the linked program"


def test_a_file_without_execute_permission_is_refused(heddle: Heddle, toy: Path) -> None:
    toy.chmod(0o644)
    assert refused(heddle, "./toy") == "./toy may not be executed: chmod +x ./toy"


def test_a_stripped_program_is_refused_but_may_run_serial(heddle: Heddle, toy: Path) -> None:
    subprocess.run(["strip", toy], check=True)
    assert refused(heddle, "--threads", "2", "./toy") == (
        "./toy is stripped, so its handlers cannot be told apart: "
        "link it without -s and do not strip it, or use heddle run --serial"
    )
    assert heddle("run", "--serial", "./toy").code == 3


def test_a_program_with_libevent_linked_in_is_refused(heddle: Heddle) -> None:
    flags = ["-Wl,-Bstatic", "-levent", "-Wl,-Bdynamic"]
    compile_c(TOY_SOURCE + "int step(int by) { return by; }", heddle.folder / "fat", *flags)
    assert refused(heddle, "./fat") == (
        "./fat has libevent linked into it: link it with the shared library (-levent, not .a)"
    )


def test_a_static_program_is_refused(heddle: Heddle) -> None:
    compile_c("int main(void) { return 0; }", heddle.folder / "static", "-static")
    assert refused(heddle, "./static") == (
        "./static is statically linked, so nothing can be loaded into it: link it without -static"
    )


def test_a_program_that_does_not_use_libevent_is_refused(heddle: Heddle) -> None:
    compile_c("int main(void) { return 0; }", heddle.folder / "plain")
    assert refused(heddle, "./plain") == "./plain uses neither libevent nor libev: run it without heddle"


def with_libev(folder: Path, called: str) -> executable.Program:
    """A program that calls this function of something that goes by libev's name."""
    library = "".join(f"int {name}(void) {{ return 0; }}" for name in {"ev_run", called})
    compile_c(library, folder / "libev.so.4", "-shared", "-fPIC", "-Wl,-soname,libev.so.4")
    main = f"int {called}(void);\nint main(void) {{ return {called}(); }}"
    path = compile_c(main, folder / "user", f"-L{folder}", "-l:libev.so.4", f"-Wl,-rpath,{folder}")
    return executable.inspect("user", path)


def test_a_program_that_uses_libev_is_accepted(tmp_path: Path) -> None:
    executable.check_event_library(with_libev(tmp_path, "ev_run"), places.multivent())


@pytest.mark.parametrize(
    ("called", "why"),
    [
        ("event_add", "user calls event_add of libev, which stands for libevent's there"),
        ("ev_walk", "user calls ev_walk of libev, which the runtime does not have"),
    ],
)
def test_a_program_that_uses_more_of_libev_than_the_runtime_has_is_refused(
    called: str, why: str, tmp_path: Path
) -> None:
    with pytest.raises(BadInputError, match=why):
        executable.check_event_library(with_libev(tmp_path, called), places.multivent())


def test_a_program_with_libev_linked_in_is_refused(heddle: Heddle) -> None:
    source = "int ev_run(void *loop, int flags) { return loop != 0 && flags; } int main(void) { return ev_run(0, 0); }"
    compile_c(source, heddle.folder / "fat")
    assert refused(heddle, "./fat") == "./fat has libev linked into it: link it with the shared library (-lev, not .a)"


def test_a_program_that_uses_libevent_through_its_own_library_is_accepted(tmp_path: Path) -> None:
    library = TOY_SOURCE.replace("int main", "int inner_main") + "int step(int by) { return by; }"
    compile_c(library, tmp_path / "libinner.so", "-shared", "-fPIC", "-levent")
    link = [f"-L{tmp_path}", "-linner", f"-Wl,-rpath,{tmp_path}"]
    main = "int inner_main(int, char **);\nint main(int c, char **v) { return inner_main(c, v); }"
    path = compile_c(main, tmp_path / "outer", *link)
    executable.check_event_library(executable.inspect("outer", path), places.multivent())


def test_a_program_that_gains_privileges_is_refused(heddle: Heddle, toy: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("needs root to give a file away")
    os.chown(toy, 12345, 12345)
    toy.chmod(0o4755)
    assert "gains privileges when it starts" in refused(heddle, "--threads", "2", "./toy")


def test_constraints_of_another_build_are_refused(heddle: Heddle, toy: Path, constraints_for: WriteConstraints) -> None:
    constraints_for(toy, "0123abcd")
    assert refused(heddle, "--threads", "2", "./toy") == (
        "toy.constraints.json was made for another build of ./toy: run heddle analyze ./toy again"
    )


def test_constraints_made_without_a_program_are_refused(
    heddle: Heddle, toy: Path, constraints_for: WriteConstraints
) -> None:
    constraints_for(toy, "none")
    assert refused(heddle, "--threads", "2", "./toy") == (
        "toy.constraints.json was made from bitcode or C files, not from a program: run heddle analyze ./toy again"
    )


def test_constraints_of_another_schema_version_are_refused(
    heddle: Heddle, toy: Path, constraints_for: WriteConstraints
) -> None:
    file = constraints_for(toy, build_id(toy), version=99)
    assert refused(heddle, "--threads", "2", "./toy") == (
        f"{file} has version 99 of the constraints schema, this heddle knows version {VERSIONS['constraints']}: "
        "make it again: heddle analyze PROGRAM with this heddle"
    )


@pytest.mark.parametrize("text", ["", "{", "[1, 2]", '"text"', "\x00"])
def test_constraints_that_are_no_document_are_refused(heddle: Heddle, toy: Path, text: str) -> None:
    toy.with_name("toy.constraints.json").write_text(text)
    line = refused(heddle, "--threads", "2", "./toy")
    assert line.endswith("make it again: heddle analyze PROGRAM")


@pytest.mark.parametrize("program", [[], None, 5, {"libraries": 5}, {"libraries": ["libfoo.so"]}])
def test_constraints_of_a_program_that_is_none_are_refused(
    heddle: Heddle, toy: Path, constraints_for: WriteConstraints, program: object
) -> None:
    file = constraints_for(toy, build_id(toy))
    file.write_text(json.dumps(json.loads(file.read_text()) | {"program": program}))
    assert refused(heddle, "--threads", "2", "./toy") == (
        "toy.constraints.json is no whole document: run heddle analyze ./toy again"
    )


def test_a_missing_constraints_file_is_refused(heddle: Heddle, toy: Path) -> None:
    del toy
    line = refused(heddle, "--constraints", "gone.json", "./toy")
    assert "gone.json cannot be read (No such file or directory)" in line


def test_a_program_without_a_build_id_is_refused(heddle: Heddle, constraints_for: WriteConstraints) -> None:
    path = heddle.folder / "anonymous"
    compile_c(TOY_SOURCE + "int step(int by) { return by; }", path, "-levent", "-Wl,--build-id=none")
    constraints_for(path, "00")
    assert refused(heddle, "--threads", "2", "./anonymous") == (
        "./anonymous has no build id: link it with -Wl,--build-id, as heddle build does"
    )


@pytest.mark.parametrize("option", ["--trace", "--run-file"])
def test_a_file_that_cannot_be_written_is_refused_before_the_program_starts(
    heddle: Heddle, toy: Path, option: str
) -> None:
    del toy
    line = refused(heddle, option, "no/such/folder/file", "./toy")
    assert line == "no/such/folder/file cannot be written: name a file in a folder that exists and is yours"


def test_a_runtime_that_is_not_built_is_said(heddle: Heddle, toy: Path, tmp_path: Path) -> None:
    del toy
    heddle.environment["HEDDLE_BUILD"] = str(tmp_path / "nothing")
    assert refused(heddle, "--threads", "2", "./toy").startswith("the runtime is not built (")


def test_a_preload_path_that_the_dynamic_linker_would_split_is_refused(
    heddle: Heddle, toy: Path, tmp_path: Path
) -> None:
    del toy
    build = tmp_path / "a folder"
    build.symlink_to(heddle.environment["HEDDLE_BUILD"])
    heddle.environment["HEDDLE_BUILD"] = str(build)
    assert "has a blank or colon in its name: move heddle elsewhere" in refused(heddle, "--threads", "2", "./toy")


def test_the_run_file_names_what_was_asked_for(
    toy: Path, constraints_for: WriteConstraints, monkeypatch: pytest.MonkeyPatch, fake_build: Path
) -> None:
    monkeypatch.setenv("HEDDLE_BUILD", str(fake_build))
    constraints_for(toy, build_id(toy))
    plan = launch.plan(launch.Request(str(toy), ("a", "b"), threads="3"))
    assert plan.argv == (str(toy), "a", "b")
    assert plan.path == toy
    document = json.loads(Path(plan.environment["HEDDLE_CONSTRAINTS"]).read_text())
    assert document["program"]["build_id"] == build_id(toy)


def test_a_quota_below_the_affinity_mask_limits_the_cores(tmp_path: Path) -> None:
    group = tmp_path / "fs" / "outer" / "inner"
    group.mkdir(parents=True)
    (tmp_path / "cgroup").write_text("0::/outer/inner\n")
    assert machine.quota(tmp_path / "fs", tmp_path / "cgroup") is None
    (group / "cpu.max").write_text("max 100000\n")
    (group.parent / "cpu.max").write_text("350000 100000\n")
    assert machine.quota(tmp_path / "fs", tmp_path / "cgroup") == 3
    (group / "cpu.max").write_text("50000 100000\n")
    assert machine.quota(tmp_path / "fs", tmp_path / "cgroup") == 1
