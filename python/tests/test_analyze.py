"""`heddle analyze`: what it accepts, what it writes, and what it says about what it cannot take."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest
from cli_support import ROOT, TOY_SOURCE, Done, Heddle, compile_c

from heddle.program.elf import Elf
from heddle.system import places


def refused(heddle: Heddle, *words: str | Path) -> str:
    done = heddle("analyze", *words)
    assert (done.code, done.out) == (2, "")
    assert done.line.startswith("heddle: ")
    return done.line.removeprefix("heddle: ")


def test_a_program_is_analysed_and_its_constraints_lie_beside_it(heddle: Heddle, toy: Path) -> None:
    done = heddle("analyze", "./toy")
    assert (done.code, done.err) == (0, "")
    assert "toy: 4 handlers, 10 pairs" in done.out
    assert done.out.endswith("heddle run ./toy\n")
    document = json.loads((heddle.folder / "toy.constraints.json").read_text())
    assert document["program"]["build_id"] == Elf(toy).build_id()
    assert len(document["program"]["sources"]) == 2  # the stand-in lists the modules it was given


def test_json_prints_the_document_and_nothing_else(heddle: Heddle, toy: Path) -> None:
    del toy
    done = heddle("analyze", "--json", "./toy")
    assert json.loads(done.out) == json.loads((heddle.folder / "toy.constraints.json").read_text())


def test_the_output_can_be_put_elsewhere(heddle: Heddle, toy: Path) -> None:
    del toy
    heddle("analyze", "toy", "-o", "there.json")
    assert (heddle.folder / "there.json").is_file()
    assert not (heddle.folder / "toy.constraints.json").exists()


def test_c_files_are_compiled_with_the_given_flags(heddle: Heddle) -> None:
    (heddle.folder / "a.c").write_text("int f(void) { return WANTED; }")
    (heddle.folder / "b.c").write_text("int main(void) { return 0; }")
    assert heddle("analyze", "--cflags", "-DWANTED=1 -I.", "a.c", "b.c").code == 0
    document = json.loads((heddle.folder / "a.c.constraints.json").read_text())
    assert document["program"] | {"sources": []} == {"name": "a", "build_id": "none", "sources": []}


def test_bitcode_files_are_taken_as_they_are(heddle: Heddle) -> None:
    clang = places.needed_llvm_tool("clang")
    subprocess.run(
        [clang, "-x", "c", "-", "-emit-llvm", "-c", "-o", heddle.folder / "a.bc"], input=b"int x;", check=True
    )
    assert heddle("analyze", "a.bc").code == 0
    assert (heddle.folder / "a.bc.constraints.json").is_file()


def test_why_explains_one_pair(heddle: Heddle, toy: Path) -> None:
    del toy
    done = heddle("analyze", "./toy", "--why", "on_render", "on_lookup")
    assert done.out.startswith("on_lookup x on_render: session\n")


def test_a_handler_that_does_not_exist_is_refused_with_those_that_do(heddle: Heddle, toy: Path) -> None:
    del toy
    assert refused(heddle, "./toy", "--why", "on_rendr", "on_lookup") == (
        "there is no handler on_rendr in toy: use one of on_render"
    )


def test_a_program_without_bitcode_is_refused(heddle: Heddle) -> None:
    compile_c(TOY_SOURCE + "int step(int by) { return by; }", heddle.folder / "plain", "-levent")
    assert refused(heddle, "./plain") == (
        "./plain carries no bitcode: build it with heddle build, such as: make clean; heddle build -- make"
    )


def test_a_stripped_program_is_refused(heddle: Heddle, toy: Path) -> None:
    subprocess.run(["strip", toy], check=True)
    assert refused(heddle, "./toy").startswith("./toy is stripped, so its handlers cannot be told apart: ")


def partly_built(heddle: Heddle, unseen: str) -> Done:
    """Analyses a program of which one function was compiled without us."""
    (heddle.folder / "toy.c").write_text(TOY_SOURCE.replace("step(", f"{unseen}("))
    compile_c(f"int {unseen}(int by) {{ return by; }}", heddle.folder / "unseen.o", "-c", "-fno-builtin")
    build = heddle("build", "--", "gcc", "-fno-builtin", "toy.c", "unseen.o", "-o", "toy", "-levent")
    assert build.code == 0, build.err
    return heddle("analyze", "./toy")


def test_functions_without_bitcode_are_named(heddle: Heddle) -> None:
    done = partly_built(heddle, "vendor_step")
    assert done.code == 0
    assert done.line == (
        "heddle: 1 function without bitcode (vendor_step), taken for a library's: compile everything with heddle build"
    )


@pytest.mark.skipif(not any(places.specs().glob("*.yaml")), reason="there are no specifications")
def test_a_function_without_bitcode_that_a_library_function_could_be_taken_for_is_refused(heddle: Heddle) -> None:
    done = partly_built(heddle, "strtok")
    assert (done.code, done.line) == (
        2,
        "heddle: ./toy has its own strtok() without bitcode, which would be taken for the library's: "
        "compile that file with heddle build too",
    )


def test_a_program_with_damaged_bitcode_is_refused(heddle: Heddle, toy: Path) -> None:
    content = bytearray(toy.read_bytes())
    content[content.index(b"HEDBC001")] = 0x55
    toy.write_bytes(content)
    assert refused(heddle, "./toy").startswith("the bitcode in ./toy is damaged (")


@pytest.mark.parametrize(
    ("name", "content", "line"),
    [
        ("x.sh", "#!/bin/sh\n", "./x.sh is a script, not an ELF file: name the program that it starts"),
        ("x.txt", "hello", "./x.txt is not an ELF file: name a compiled program"),
        ("x.bc", "hello", "./x.bc is not an ELF file: name a compiled program"),
    ],
)
def test_other_files_are_refused(heddle: Heddle, name: str, content: str, line: str) -> None:
    (heddle.folder / name).write_text(content)
    assert refused(heddle, f"./{name}") == line


def test_a_missing_file_is_refused(heddle: Heddle) -> None:
    assert refused(heddle, "./gone") == "./gone does not exist: name a compiled program"
    assert refused(heddle, "gone.c") == "gone.c does not exist: name a program, .bc or .ll files, or C files"


def test_a_directory_is_refused(heddle: Heddle) -> None:
    assert refused(heddle, "./") == "./ is a directory: name the program file in it"


def test_a_mixture_of_files_is_refused(heddle: Heddle, toy: Path) -> None:
    (heddle.folder / "a.c").write_text("int x;")
    assert refused(heddle, toy, "a.c") == (
        "several files that are not all C, C++ or bitcode: name one program, or such files of one program"
    )


def test_c_that_does_not_compile_is_refused(heddle: Heddle) -> None:
    (heddle.folder / "a.c").write_text("int f(void) { return UNKNOWN; }")
    line = refused(heddle, "a.c")
    assert "a.c does not compile (" in line
    assert "UNKNOWN" in line


@pytest.mark.parametrize(
    ("analyser", "line"),
    [
        ("echo 'heddle: x.bc is bad: make it again' >&2; exit 2", "x.bc is bad: make it again"),
        (
            "kill -SEGV $$",
            "the analyser was ended by signal 11: this is a fault of heddle: keep the program and report it",
        ),
        (
            "echo 'out of memory' >&2; exit 3",
            "the analyser failed with code 3 (out of memory): "
            "this is a fault of heddle: keep the program and report it",
        ),
    ],
)
def test_a_failing_analyser_is_one_line(heddle: Heddle, toy: Path, tmp_path: Path, analyser: str, line: str) -> None:
    del toy
    program = tmp_path / "build" / "elyze" / "elyze"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\n{analyser}\n")
    program.chmod(0o755)
    heddle.environment["HEDDLE_BUILD"] = str(tmp_path / "build")
    assert refused(heddle, "./toy") == line
    assert not (heddle.folder / "toy.constraints.json").exists()


def test_being_told_to_stop_stops_the_analyser_too(heddle: Heddle, toy: Path, tmp_path: Path) -> None:
    del toy
    program = tmp_path / "build" / "elyze" / "elyze"
    program.parent.mkdir(parents=True)
    program.write_text(f"#!/bin/sh\necho $$ >{tmp_path}/pid.new\nmv {tmp_path}/pid.new {tmp_path}/pid\nexec sleep 60\n")
    program.chmod(0o755)
    environment = heddle.environment | {"HEDDLE_BUILD": str(tmp_path / "build")}
    command = [sys.executable, "-m", "heddle", "analyze", "./toy"]
    with subprocess.Popen(command, cwd=heddle.folder, env=environment) as process:
        while not (tmp_path / "pid").exists():
            assert process.poll() is None
            time.sleep(0.01)
        process.terminate()
        assert process.wait(timeout=60) == 128 + signal.SIGTERM
    assert not Path("/proc", (tmp_path / "pid").read_text().strip()).exists()


def test_an_analyser_that_breaks_the_schema_is_noticed(heddle: Heddle, toy: Path, tmp_path: Path) -> None:
    del toy
    program = tmp_path / "build" / "elyze" / "elyze"
    program.parent.mkdir(parents=True)
    document = '{"schema": "heddle/constraints", "version": 3}'
    program.write_text(f'#!/bin/sh\nwhile [ "$1" != -o ]; do shift; done\necho \'{document}\' >"$2"\n')
    program.chmod(0o755)
    heddle.environment["HEDDLE_BUILD"] = str(tmp_path / "build")
    assert refused(heddle, "./toy").startswith("what the analyser wrote breaks the constraints schema (")


def real_build() -> Path | None:
    build = places.build()
    return build if (build / "elyze" / "elyze").is_file() else None


@pytest.mark.skipif(real_build() is None, reason="the analyser is not built")
def test_the_real_analyser_finds_the_toys_handler(heddle: Heddle, toy: Path) -> None:
    del toy
    heddle.environment["HEDDLE_BUILD"] = str(real_build())
    done = heddle("analyze", "--json", "./toy")
    assert done.code == 0, done.err
    document = json.loads(done.out)
    assert [handler["name"] for handler in document["handlers"]] == ["on_tick"]
    assert ROOT.is_dir()
