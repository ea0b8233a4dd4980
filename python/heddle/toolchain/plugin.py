"""What `heddle build` adds to compiler calls: the plugin that puts the bitcode of a module into its object.

The plugin works on the module that becomes the object, before anything is optimised: so the bitcode is what the build's
own flags make of the source. With `--late` it also marks where rarely taken paths are entered, with `--sums` it makes
counters atomic; the bitcode has the very same marks and counters, for verdicts will rest on them. Imports nothing that
the wrapper does not need.
"""

import os

_FILE = "elyze/plugin/libheddle_compiler_plugin.so"


def environment(late: bool, sums: bool, scratch: bool) -> dict[str, str]:
    """What the build's environment gets; `late`: for late points, `sums`: for atomic sums,
    `scratch`: for static objects that threads may have their own of.
    """
    from heddle.documents import contracts
    from heddle.system import places

    places.built(places.compiler_plugin(), "the compiler's plugin")
    asked = {contracts.HEDDLE_LATE: late, contracts.HEDDLE_SUMS: sums, contracts.HEDDLE_SCRATCH: scratch}
    return {name: "1" for name, wanted in asked.items() if wanted}


def compile_flags(build: str) -> list[str]:
    """The flags that load the plugin, to stand before those of other plugins. Without a plugin, none."""
    plugin = f"{build}/{_FILE}"
    if not os.path.isfile(plugin):  # noqa: PTH113
        return []
    # Variables are described as in unoptimised bitcode, which the analyser reads.
    described = "-fexperimental-assignment-tracking=disabled"
    return [f"-fpass-plugin={plugin}", "-Xclang", described]
