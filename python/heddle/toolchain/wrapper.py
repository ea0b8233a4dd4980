"""The compiler that a build meets under `heddle build`: clang, which leaves each object's bitcode in the object.

Runs once per compiler call of a build, hence: the standard library only, no state but the environment variable
HEDDLE_BUILD_LOG, a file to which each call appends whole lines (`compiled SOURCE`, `linked PROGRAM`; O_APPEND keeps
calls that run at once apart).

A build must not fail because of us: if only the bitcode cannot be made, the object stays and a line on stderr says so.
"""

import os
import subprocess
import tempfile
from pathlib import Path

from heddle.program import bitcode
from heddle.system import places
from heddle.toolchain import arguments, late, tracing


def main(called_as: str, command_line: list[str]) -> int:
    cplusplus = "++" in os.path.basename(called_as)  # noqa: PTH119
    compiler = places.needed_llvm_tool("clang++" if cplusplus else "clang")
    call = arguments.parse(command_line, cplusplus)
    if call.probe or not (call.sources or call.links):
        os.execv(compiler, [compiler, *call.whole()])
    with tempfile.TemporaryDirectory(prefix="heddle-cc-") as scratch:
        if call.compile_only:
            for source in call.sources:
                name = call.arguments[source]
                status = _compile(compiler, call, source, call.object_of(name), Path(scratch))
                if status:
                    return status
            return 0
        objects: dict[int, str] = {}
        for source in call.sources:
            objects[source] = str(Path(scratch, f"{len(objects)}-{Path(call.arguments[source]).stem}.o"))
            status = _compile(compiler, call, source, objects[source], Path(scratch))
            if status:
                return status
        status = subprocess.call([compiler, *tracing.link_flags(), *call.link(objects)])
    if status == 0:
        _log(f"linked {Path(call.program()).absolute()}")
    return status


def _compile(compiler: str, call: arguments.CompilerCall, source: int, target: str, scratch: Path) -> int:
    made = scratch / "module.bc"
    made.unlink(missing_ok=True)
    flags = [*late.compile_flags(), *tracing.compile_flags()]
    status = subprocess.call([compiler, *flags, *call.compile(source, target)], env=late.compile_environment(str(made)))
    if status or not Path(target).is_file():
        return status
    name = call.arguments[source]
    if not late.wanted():
        # What the compiler says was already said when the object was made.
        bitcode_run = subprocess.run(
            [compiler, *call.to_bitcode(source, str(made))], stderr=subprocess.PIPE, text=True, check=False
        )
        if bitcode_run.returncode:
            _warn(f"{name}: no bitcode for it: {(bitcode_run.stderr.strip().splitlines() or ['clang failed'])[-1]}")
            return 0
    elif not made.is_file():
        _warn(f"{name}: no bitcode for it: the compiler made the object without its passes")
        return 0
    record = scratch / "record"
    record.write_bytes(bitcode.pack(bitcode.Module(str(Path(name).absolute()), made.read_bytes())))
    attach = [places.needed_llvm_tool("llvm-objcopy"), "--add-section", f"{bitcode.SECTION}={record}", target]
    if subprocess.call(attach):
        _warn(f"{name}: its bitcode could not be put into {target}")
        return 0
    _log(f"compiled {Path(name).absolute()}")
    return 0


def _warn(text: str) -> None:
    os.write(2, f"heddle: {text}\n".encode())


def _log(line: str) -> None:
    path = os.environ.get("HEDDLE_BUILD_LOG")
    if path:
        descriptor = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT, 0o666)
        os.write(descriptor, f"{line}\n".encode())
        os.close(descriptor)
