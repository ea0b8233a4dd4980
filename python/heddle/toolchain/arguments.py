"""A compiler command line, understood as far as is needed for objects that the analyser and the runtime can use.

The command of the build stays what it is, with these differences, each of which either cannot change what the program
does or is needed to analyse it:
  - warnings are no errors: the build may have been written for another compiler with other warnings;
  - no link-time optimisation, because an object must be ELF to carry bitcode;
  - no stripping, because the runtime finds handlers by their symbols;
  - debug information and a build id are added.
Probes of a configure step keep even their warnings as errors, for there a warning is the answer.

Imports next to nothing, as the wrapper does.
"""

import os

# Options whose value is the next argument; it must not be taken for an input file.
_TAKES_VALUE = frozenset(
    "-o -D -U -I -L -l -x -T -u -e -z -A -G -b -V -include -imacros -isystem -iquote -idirafter -iprefix -iwithprefix "
    "-iwithprefixbefore -isysroot -imultilib -MF -MT -MQ -MJ -Xclang -Xlinker -Xpreprocessor -Xassembler -arch -target "
    "--target --param -mllvm -aux-info -rpath -soname -wrapper -dumpbase -dumpdir --sysroot -specs".split()
)
_C_FAMILY = frozenset(("c", "i", "cc", "cp", "cpp", "cxx", "c++", "C", "CPP", "ii"))
_LANGUAGES = frozenset(("c", "cpp-output", "c++", "c++-cpp-output"))
# Nothing is compiled, or what is compiled is not kept.
_NO_OBJECT = frozenset(("-E", "-S", "-M", "-MM", "-fsyntax-only", "-###", "-emit-llvm", "--analyze", "--precompile"))
_DROPPED = frozenset(
    ("-Werror", "-s", "-Wl,-s", "-Wl,--strip-all", "-Wl,-S", "-Wl,--strip-debug", "-Wl,-x", "-Wl,--discard-all")
)
_DROPPED_PREFIXES = ("-Werror=", "-pedantic-errors", "-flto", "-fwhole-program")
_PROBES = (
    "conftest",
    "CMakeCCompiler",
    "CMakeCXXCompiler",
    "testCCompiler",
    "testCXXCompiler",
    "_configtest",
    "meson-",
)
# GCC 12 accepts these with a warning, clang 19 does not; refusing them would refuse programs that build today.
_LENIENT_C = (
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=return-mismatch",
    # Asked for by -pedantic: GCC says nothing about `main ()`, which configure scripts are full of.
    "-Wno-strict-prototypes",
    "-Wno-deprecated-non-prototype",
)
_LENIENT = (
    "-Qunused-arguments",
    "-Wno-unused-command-line-argument",
    "-Wno-unknown-warning-option",
    "-Wno-ignored-optimization-argument",
)


class CompilerCall:
    """One call of the compiler. `sources` are the positions in `arguments` of inputs that get bitcode."""

    def __init__(self, arguments: list[str], cplusplus: bool) -> None:
        self.arguments = arguments
        self.cplusplus = cplusplus
        self.sources: list[int] = []
        self.output: str | None = None
        self.compile_only = False
        self.links = False
        self.probe = False

    def source_names(self) -> list[str]:
        return [self.arguments[position] for position in self.sources]

    def program(self) -> str:
        return self.output or "a.out"

    def whole(self) -> list[str]:
        """The call as it stands, for probes and for everything that leaves no object."""
        return [*_LENIENT, *self._lenient_c(), *self.arguments]

    def with_bitcode(self) -> list[str]:
        """The call with the user's own flags, as the plugin and the analyser need it."""
        cleaned = [*_LENIENT, *self._lenient_c()]
        position = 0
        while position < len(self.arguments):
            argument = self.arguments[position]
            value = self.arguments[position + 1 : position + 2] if argument in _TAKES_VALUE else []
            if argument not in _DROPPED and not argument.startswith(_DROPPED_PREFIXES):
                cleaned += [argument, *value]
            position += 1 + len(value)
        relocatable = "-r" in cleaned or "-Wl,-r" in cleaned
        return [*cleaned, "-g", *(["-Wl,--build-id"] if self.links and not relocatable else [])]

    def _lenient_c(self) -> tuple[str, ...]:
        return () if self.cplusplus else _LENIENT_C


def parse(arguments: list[str], cplusplus: bool) -> CompilerCall:
    call = CompilerCall(_expand_response_files(arguments), cplusplus)
    language: str | None = None
    inputs = 0
    leaves_object = True
    position = 0
    while position < len(call.arguments):
        argument = call.arguments[position]
        value = (
            call.arguments[position + 1] if argument in _TAKES_VALUE and position + 1 < len(call.arguments) else None
        )
        if argument == "-":
            leaves_object = False
        elif argument == "-c":
            call.compile_only = True
        elif argument in _NO_OBJECT:
            leaves_object = False
        elif argument == "-o":
            call.output = value
        elif argument.startswith("-o") and not argument.startswith("-object"):
            call.output = argument[2:]
        elif _names_language(argument):
            language = value if argument == "-x" else argument[2:]
            language = None if language == "none" else language
        elif not argument.startswith("-"):
            inputs += 1
            suffix = argument.rpartition(".")[2]
            if language in _LANGUAGES or (language is None and suffix in _C_FAMILY and argument != suffix):
                call.sources.append(position)
        position += 1 if value is None else 2
    if not leaves_object:
        call.sources.clear()
    call.links = inputs > 0 and leaves_object and not call.compile_only
    call.probe = any(os.path.basename(name).startswith(_PROBES) for name in call.source_names())  # noqa: PTH119
    return call


def _names_language(argument: str) -> bool:
    return argument == "-x" or (argument.startswith("-x") and argument[2:] in {*_LANGUAGES, "none"})


def _expand_response_files(arguments: list[str]) -> list[str]:
    expanded: list[str] = []
    for argument in arguments:
        if argument.startswith("@") and os.path.isfile(argument[1:]):  # noqa: PTH113
            import shlex

            with open(argument[1:]) as file:  # noqa: PTH123
                expanded += _expand_response_files(shlex.split(file.read()))
        else:
            expanded.append(argument)
    return expanded
