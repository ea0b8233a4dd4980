"""What `heddle build --trace` adds to compiler calls: a pass that instruments, and the runtime it calls.

The wrapper learns of it from the environment of the build. Imports nothing that the wrapper does not need.
"""

import os

_PASS = "HEDDLE_TRACE_PASS"
_RUNTIME = "HEDDLE_TRACE_RUNTIME"


def environment() -> dict[str, str]:
    """What the build's environment gets."""
    from heddle.documents import contracts
    from heddle.system import places

    plugin = places.built(places.oracle_pass(), "the tracing pass")
    runtime = places.built(places.oracle_runtime(), "the tracing runtime")
    return {_PASS: str(plugin), _RUNTIME: str(runtime), contracts.HEDDLE_SPECS: str(places.specs())}


def compile_flags() -> list[str]:
    plugin = os.environ.get(_PASS)
    return [f"-fpass-plugin={plugin}", "-Xclang", "-disable-O0-optnone"] if plugin else []


def link_flags() -> list[str]:
    """The runtime, to be linked before every other library: it interposes functions of the C library and libevent."""
    runtime = os.environ.get(_RUNTIME)
    if not runtime:
        return []
    search = f"-Wl,-rpath,{os.path.dirname(runtime)}"  # noqa: PTH120
    return [search, "-Wl,--push-state,--no-as-needed", runtime, "-Wl,--pop-state"]
