"""`heddle build`: any build keeps bitcode, and stays the build it was."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from cli_support import ROOT, TOY_SOURCE, Heddle

from heddle.program import bitcode
from heddle.program.elf import Elf
from heddle.toolchain import arguments


def modules_of(program: Path) -> list[bitcode.Module]:
    return bitcode.unpack(Elf(program).section(bitcode.SECTION) or b"")


def test_a_makefile_that_names_gcc_gets_bitcode_in_its_program(toy_with_bitcode: Path) -> None:
    modules = modules_of(toy_with_bitcode)
    assert sorted(Path(module.source).name for module in modules) == ["step.c", "toy.c"]
    assert all(module.content.startswith(b"BC\xc0\xde") for module in modules)


def test_the_program_keeps_its_symbols_and_has_a_build_id_though_the_build_strips(toy_with_bitcode: Path) -> None:
    elf = Elf(toy_with_bitcode)
    assert elf.build_id()
    assert "on_tick" in {symbol.name for symbol in elf.symbols()}


def test_the_program_works_as_before(toy_with_bitcode: Path) -> None:
    done = subprocess.run([toy_with_bitcode, "hello"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (3, "hello\n")


def test_the_bitcode_is_unoptimised_whatever_the_build_asks_for(toy_with_bitcode: Path, tmp_path: Path) -> None:
    module = next(m for m in modules_of(toy_with_bitcode) if m.source.endswith("toy.c"))
    (tmp_path / "toy.bc").write_bytes(module.content)
    text = subprocess.run(
        ["/usr/lib/llvm-19/bin/llvm-dis", "-o", "-", tmp_path / "toy.bc"], capture_output=True, text=True, check=True
    ).stdout
    assert "alloca" in text  # optimised code has its variables in registers
    assert "optnone" not in text  # and the analyser's own passes may still work on it
    assert "!DILocalVariable" in text


# Which branches of the C library's headers a program takes depends on its flags.
@pytest.mark.parametrize(
    ("flags", "called"),
    [
        ("-O0", "plain"),
        ("-O2", "optimised"),
        ("-O2 -D_FORTIFY_SOURCE=2 -g0", "optimised fortified"),
        ("-O2 -fno-integrated-as", "optimised"),
        ("-O1 -save-temps", "optimised"),
    ],
)
def test_the_bitcode_is_made_with_the_flags_of_the_build(
    heddle: Heddle, tmp_path: Path, flags: str, called: str
) -> None:
    (heddle.folder / "main.c").write_text(
        "void plain(void), optimised(void), fortified(void);\n"
        "int main(int count, char **texts) {\n"
        "  (void)texts;\n"
        "#ifdef __OPTIMIZE__\n  optimised();\n#else\n  plain();\n#endif\n"
        "#ifdef _FORTIFY_SOURCE\n  fortified();\n#endif\n"
        "  return count - 1;\n}\n"
    )
    (heddle.folder / "other.c").write_text("void plain(void) {}\nvoid optimised(void) {}\nvoid fortified(void) {}\n")
    done = heddle("build", "--", "sh", "-c", f"cc {flags} -c main.c && cc other.c main.o -o main && ./main")
    assert done.code == 0, done.err
    module = next(m for m in modules_of(heddle.folder / "main") if m.source.endswith(("main.c", "main.i")))
    (tmp_path / "main.bc").write_bytes(module.content)
    text = subprocess.run(
        ["/usr/lib/llvm-19/bin/llvm-dis", "-o", "-", tmp_path / "main.bc"], capture_output=True, text=True, check=True
    ).stdout
    found = {name for name in ("plain", "optimised", "fortified") if f"call void @{name}()" in text}
    assert found == set(called.split())
    assert "alloca" in text
    assert "!DILocalVariable" in text


# Many a file is compiled in 30 ms; modules that others use for such work take as long to load.
def test_a_call_of_the_compiler_loads_next_to_nothing() -> None:
    code = (
        "import sys\nbefore = set(sys.modules)\n"
        f"sys.path.insert(0, {str(ROOT / 'python')!r})\n"
        "from heddle.toolchain import wrapper\nprint(*set(sys.modules) - before)"
    )
    done = subprocess.run([sys.executable, "-IS", "-c", code], capture_output=True, text=True, check=True)
    loaded = {name.partition(".")[0] for name in done.stdout.split()}
    heavy = {"contextlib", "dataclasses", "json", "pathlib", "re", "shlex", "shutil", "subprocess", "typing"}
    assert "heddle" in loaded
    assert not loaded & heavy


def test_a_program_compiled_and_linked_by_one_command_gets_bitcode(heddle: Heddle) -> None:
    (heddle.folder / "toy.c").write_text(TOY_SOURCE)
    (heddle.folder / "step.c").write_text("int step(int by) { return by; }\n")
    done = heddle("build", "--", "cc", "toy.c", "-o", "toy", "step.c", "-levent")
    assert done.code == 0
    assert "heddle: ./toy carries the bitcode of 2 source files\n" in done.err
    assert done.err.endswith("heddle analyze ./toy\n")
    assert {path.name for path in heddle.folder.iterdir()} == {"toy.c", "step.c", "toy"}


def test_the_exit_code_is_the_builds_own(heddle: Heddle) -> None:
    done = heddle("build", "--", "sh", "-c", "exit 7")
    assert done.code == 7
    assert "exit code 7" in done.line


def test_a_signal_is_passed_on_to_the_build(heddle: Heddle) -> None:
    script = "trap 'echo stopped; exit 5' TERM; echo up; while :; do sleep 0.05; done"
    command = [sys.executable, "-m", "heddle", "build", "--", "sh", "-c", script]
    with subprocess.Popen(
        command, cwd=heddle.folder, env=heddle.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == "up\n"
        process.terminate()
        assert process.stdout.readline() == "stopped\n"
        assert process.wait(timeout=60) == 5


def test_a_compile_error_fails_the_build_as_it_would_without_us(heddle: Heddle) -> None:
    (heddle.folder / "bad.c").write_text("int f( {\n")
    done = heddle("build", "--", "gcc", "-c", "bad.c")
    assert done.code == 1
    assert "bad.c:1:8: error" in done.err


def test_a_build_with_nothing_to_do_says_what_to_do(heddle: Heddle) -> None:
    done = heddle("build", "--", "true")
    assert done.code == 0
    assert done.line == "heddle: nothing was rebuilt: run make clean first, so that the compilers are called again"


def test_a_program_linked_from_objects_of_an_earlier_build_is_reported(heddle: Heddle) -> None:
    (heddle.folder / "main.c").write_text("int main(void) { return 0; }\n")
    subprocess.run(["gcc", "-c", "main.c"], cwd=heddle.folder, check=True)
    done = heddle("build", "--", "cc", "main.o", "-o", "main")
    assert "./main carries no bitcode" in done.line


def test_a_build_of_many_programs_is_summed_up(heddle: Heddle) -> None:
    (heddle.folder / "main.c").write_text("int main(void) { return 0; }\n")
    done = heddle("build", "--", "sh", "-c", "gcc -c main.c; for i in $(seq 15); do gcc main.o -o p$i; done")
    assert "heddle: and 3 more programs\n" in done.err
    assert done.err.endswith("heddle analyze PROGRAM\n")


def test_a_build_command_that_does_not_exist_is_bad_input(heddle: Heddle) -> None:
    done = heddle("build", "--", "no-such-build-tool")
    assert (done.code, done.line) == (
        2,
        "heddle: no-such-build-tool was not found: give the build as you would type it",
    )


def test_bitcode_in_a_static_library_reaches_the_program(heddle: Heddle) -> None:
    (heddle.folder / "step.c").write_text("int step(int by) { return by; }\n")
    (heddle.folder / "main.c").write_text("int step(int);\nint main(void) { return step(0); }\n")
    script = "gcc -c step.c && ar rcs libstep.a step.o && gcc main.c -L. -lstep -o main && ./main"
    done = heddle("build", "--", "sh", "-c", script)
    assert done.code == 0, done.err
    assert "./main carries the bitcode of 2 source files" in done.err


def test_old_c_that_gcc_accepts_still_builds(heddle: Heddle) -> None:
    (heddle.folder / "old.c").write_text('main() { char *p = 5; puts("old"); return p != 5 ? 1 : 0; }\n')
    done = heddle("build", "--", "gcc", "-fno-ipa-cp", "old.c", "-o", "old")
    assert done.code == 0, done.err
    assert "./old carries the bitcode of 1 source file\n" in done.err


def test_section_records_survive_packing_and_the_linkers_padding() -> None:
    modules = [bitcode.Module("a.c", b"BC\xc0\xde" + b"\0" * 5), bitcode.Module("dir/\u00fc.c", b"")]
    assert bitcode.unpack(bitcode.pack(modules[0]) + b"\0\0\0" + bitcode.pack(modules[1])) == modules


@pytest.mark.parametrize("damage", [b"XX", bitcode.pack(bitcode.Module("a.c", b"12345"))[:-1], b"HEDBC001\xff"])
def test_a_damaged_section_is_noticed(damage: bytes) -> None:
    with pytest.raises(bitcode.BitcodeError):
        bitcode.unpack(damage)


def call(*words: str) -> arguments.CompilerCall:
    return arguments.parse(list(words), cplusplus=False)


def test_values_of_options_are_not_sources() -> None:
    found = call("-include", "config.c", "-MF", "dep.c", "-o", "out.c", "-c", "real.c")
    assert found.source_names() == ["real.c"]
    assert found.output == "out.c"


def test_a_source_without_an_ending_is_one_by_its_language() -> None:
    assert call("-x", "c", "program", "-x", "none", "other.o").source_names() == ["program"]


@pytest.mark.parametrize("flag", ["-E", "-S", "-M", "-MM", "-fsyntax-only", "-###"])
def test_calls_that_leave_no_object_are_left_alone(flag: str) -> None:
    found = call(flag, "a.c")
    assert not found.sources
    assert not found.links


def test_a_version_query_neither_compiles_nor_links() -> None:
    found = call("--version")
    assert not found.sources
    assert not found.links


def test_the_order_of_sources_objects_and_libraries_stays() -> None:
    words = ["-L.", "a.c", "-lfirst", "b.o", "-Wl,--as-needed", "c.c", "-o", "out", "-lsecond"]
    line = call(*words, "-s", "-Werror").with_bitcode()
    added = {*call("-c", "a.c").with_bitcode(), "-Wl,--build-id"}
    assert [word for word in line if word not in added or word in words] == words
    assert line[-2:] == ["-g", "-Wl,--build-id"]


def test_a_partial_link_gets_no_build_id() -> None:
    assert "-Wl,--build-id" not in call("-r", "a.o", "-o", "b.o").with_bitcode()


def test_configure_probes_keep_warnings_as_errors() -> None:
    found = call("-Werror", "-c", "conftest.c")
    assert found.probe
    assert "-Werror" in found.whole()


def test_arguments_from_a_file_are_read(tmp_path: Path) -> None:
    (tmp_path / "words").write_text("-c 'a b.c'\n-o out.o")
    found = call(f"@{tmp_path / 'words'}")
    assert (found.source_names(), found.output, found.compile_only) == (["a b.c"], "out.o", True)
