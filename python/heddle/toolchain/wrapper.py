"""The compiler that a build meets under `heddle build`: clang, which leaves each object's bitcode in the object.

Runs once per compiler call of a build, hence: the standard library only, no state but the environment variable
HEDDLE_BUILD_LOG, a file to which each call appends whole lines (`compiled SOURCE`, `linked PROGRAM`; O_APPEND keeps
calls that run at once apart).
"""

import os
import subprocess
from pathlib import Path

from heddle.system import places
from heddle.toolchain import arguments, plugin, tracing


def main(called_as: str, command_line: list[str]) -> int:
    cplusplus = "++" in os.path.basename(called_as)  # noqa: PTH119
    compiler = places.needed_llvm_tool("clang++" if cplusplus else "clang")
    call = arguments.parse(command_line, cplusplus)
    if call.probe or not (call.sources or call.links):
        os.execv(compiler, [compiler, *call.whole()])
    flags = [*plugin.compile_flags(), *tracing.compile_flags()] if call.sources else []
    command = [compiler, *flags, *call.with_bitcode(), *(tracing.link_flags() if call.links else ())]
    status = subprocess.call(command)
    if status == 0:
        lines = [f"compiled {Path(name).absolute()}" for name in call.source_names()]
        if call.links:
            lines.append(f"linked {Path(call.program()).absolute()}")
        _log("\n".join(lines))
    return status


def _log(line: str) -> None:
    path = os.environ.get("HEDDLE_BUILD_LOG")
    if path:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        os.write(descriptor, f"{line}\n".encode())
        os.close(descriptor)
