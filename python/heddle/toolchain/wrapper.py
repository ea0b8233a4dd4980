"""The compiler that a build meets under `heddle build`: clang, which leaves each object's bitcode in the object.

Runs once per compiler call of a build, and many a file is compiled in 30 ms, hence: next to nothing is imported, for
the modules that others use for such work take longer than the interpreter itself. What it needs to know stands in the
stand-in (shims.py). The only other state is the environment variable HEDDLE_BUILD_LOG, a file to which each call
appends whole lines (`compiled SOURCE`, `linked PROGRAM`; O_APPEND keeps calls that run at once apart).
"""

import os

from heddle.toolchain import arguments, plugin, tracing


def main(called_as: str, command_line: list[str], tools: tuple[str, str, str]) -> int:
    """`tools`: clang, clang++, and the folder of the build that the plugin is from."""
    cplusplus = "++" in os.path.basename(called_as)  # noqa: PTH119
    compiler = tools[1 if cplusplus else 0]
    call = arguments.parse(command_line, cplusplus)
    if call.probe or not (call.sources or call.links):
        os.execv(compiler, [compiler, *call.whole()])
    flags = [*plugin.compile_flags(tools[2]), *tracing.compile_flags()] if call.sources else []
    command = [compiler, *flags, *call.with_bitcode(), *(tracing.link_flags() if call.links else ())]
    status = os.waitstatus_to_exitcode(os.waitpid(os.posix_spawn(compiler, command, os.environ), 0)[1])
    if status == 0:
        lines = [f"compiled {_absolute(name)}" for name in call.source_names()]
        if call.links:
            lines.append(f"linked {_absolute(call.program())}")
        _log("\n".join(lines))
    return status if status >= 0 else 128 - status


def _absolute(name: str) -> str:
    return os.path.join(os.getcwd(), name)  # noqa: PTH109, PTH118


def _log(line: str) -> None:
    path = os.environ.get("HEDDLE_BUILD_LOG")
    if path:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        os.write(descriptor, f"{line}\n".encode())
        os.close(descriptor)
