"""`heddle build`: any build, unchanged, with compilers that keep bitcode."""

from pathlib import Path
from typing import Annotated

import typer

_PROGRAMS_SHOWN = 12

_HELP = """Run a build so that every object it makes carries LLVM bitcode, which heddle analyze reads.

The build is not changed: compilers it calls by name (cc, gcc, clang, g++ ...) or through CC and CXX are replaced by
clang with the same flags. Ends with the exit code of the build.

Example: heddle build -- make -j4

Example: heddle build -- sh -c './configure && make'

Example: heddle build --trace -- make

With --late, the program has a mark wherever a rarely taken path is entered. Where heddle analyze proves that two
handlers meet only behind such marks, heddle run lets them run together until one of them gets there. Without heddle
run the marks do nothing.

Example: heddle build --late -- make

With --sums, counters that the program adds to without looking at them are added to in one step, so that handlers which
count keep nobody back. Reading them is as before.

Example: heddle build --sums -- make

With --scratch, heddle run gives each thread its own of those static buffers of which heddle analyze proves that every
invocation writes what it reads of them, and keeps no pointer to them. All three may be given.

Example: heddle build --sums --scratch -- make
"""


def register(app: typer.Typer) -> None:
    app.command(
        "build",
        help=_HELP,
        short_help="Run a build and keep bitcode with every object.",
        context_settings={"allow_interspersed_args": False},
    )(build)


def build(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND...", help="The build, such as: make -j4")],
    trace: Annotated[
        bool, typer.Option("--trace", help="Make a program that logs what its handlers touch, for heddle check.")
    ] = False,
    late: Annotated[
        bool, typer.Option("--late", help="Mark rarely taken paths, so that what only they touch holds nobody back.")
    ] = False,
    sums: Annotated[
        bool, typer.Option("--sums", help="Add to counters in one step, so that counting holds nobody back.")
    ] = False,
    scratch: Annotated[
        bool, typer.Option("--scratch", help="Let threads have static buffers of their own, where nobody can tell.")
    ] = False,
) -> int:
    import signal
    import subprocess
    import sys
    import tempfile

    from heddle.errors import BadInputError
    from heddle.system import places
    from heddle.toolchain import cmake, plugin, shims, tracing

    places.needed_llvm_tool("clang")
    with tempfile.TemporaryDirectory(prefix="heddle-build-") as folder:
        log = Path(folder, "log")
        log.touch()
        stand_ins = shims.install()
        environment = shims.environment(stand_ins, log) | (tracing.environment() if trace else {})
        environment |= plugin.environment(late, sums, scratch)
        # The build decides what a signal means; we pass it on, also one that comes before it runs. Ctrl-C reaches it
        # without us.
        running: list[subprocess.Popen[bytes]] = []
        early: list[int] = []
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda got, _frame: running[0].send_signal(got) if running else early.append(got))
        try:
            process = subprocess.Popen(command, env=environment)
        except FileNotFoundError:
            raise BadInputError(f"{command[0]} was not found", "give the build as you would type it") from None
        except PermissionError:
            raise BadInputError(f"{command[0]} may not be executed", "chmod +x it, or name its interpreter") from None
        running.append(process)
        for got in early:
            process.send_signal(got)
        signal.signal(signal.SIGINT, signal.SIG_IGN)
        status = process.wait()
        lines = log.read_text().splitlines()
    past = cmake.compiler_past_us(command, stand_ins) if not lines and status == 0 else None
    if past is not None:
        # Said before anything else that could explain an empty log, for CMake keeps the compiler for good.
        cache, compiler = past
        advice = f"configure a fresh folder: {places.command()} build -- cmake -S SOURCE -B FRESH"
        sys.stderr.write(f"heddle: {cache} has the compiler {compiler}, which leaves no bitcode: {advice}\n")
        return 0
    for line in summary(lines, status):
        sys.stderr.write(f"heddle: {line}\n")
    return status if status >= 0 else 128 - status


def summary(log: list[str], status: int) -> list[str]:
    """What the build left, in words: the programs with bitcode, or what to do to get some."""
    import os

    from heddle.output.layout import plural
    from heddle.program import bitcode
    from heddle.program.elf import Elf, ElfError
    from heddle.system import places

    compiled = sum(line.startswith("compiled ") for line in log)
    if status:
        return [f"the build failed with exit code {status}"]
    lines: list[str] = []
    analysable: list[str] = []
    for path in dict.fromkeys(Path(line.removeprefix("linked ")) for line in log if line.startswith("linked ")):
        try:
            elf = Elf(path)
            if not elf.is_program:
                continue
            count = len(bitcode.unpack(elf.section(bitcode.SECTION) or b""))
        except (OSError, ElfError, bitcode.BitcodeError):
            continue  # a build may remove or pack what it linked
        shown = os.path.relpath(path)
        shown = str(path) if shown.startswith("..") else f"./{shown}"
        if count:
            analysable.append(shown)
            lines.append(f"{shown} carries the bitcode of {plural(count, 'source file')}")
        else:
            lines.append(f"{shown} carries no bitcode: its objects are older: clean the build and run it again")
    if len(lines) > _PROGRAMS_SHOWN:
        lines[_PROGRAMS_SHOWN:] = [f"and {len(lines) - _PROGRAMS_SHOWN} more programs"]
    if analysable:
        lines.append(f"next: {places.command()} analyze {analysable[0] if len(analysable) == 1 else 'PROGRAM'}")
    if lines:
        return lines
    if compiled:
        return [f"{compiled} objects with bitcode, but no program was linked"]
    return ["nothing was rebuilt: run make clean first, so that the compilers are called again"]
