"""LLVM bitcode inside ELF files: how `heddle build` stores it and `heddle analyze` finds it again.

Every object that the compiler makes under `heddle build` carries its module in a section that is never loaded; the
compiler's plugin (elyze/plugin) writes it. The linker
concatenates these sections, so a linked program carries the modules of exactly the objects it was linked from: there is
no path that could go stale, and the program's build id covers the bitcode.

Layout of the section, repeated once per module; the linker may put zero bytes between records:

    byte  0  'HEDBC001'
          8  length of the name, n   (little-endian uint32)
         12  length of the module, m (little-endian uint64)
         20  name of the source file, n bytes of UTF-8
     20 + n  the module, m bytes
"""

import struct
from dataclasses import dataclass

from heddle.documents import contracts

SECTION = contracts.BITCODE_SECTION
_MAGIC = contracts.BITCODE_MAGIC.encode()
_LENGTHS = struct.Struct("<IQ")


class BitcodeError(Exception):
    """The section does not follow the layout."""


@dataclass(frozen=True)
class Module:
    source: str
    content: bytes


def pack(module: Module) -> bytes:
    name = module.source.encode()
    return _MAGIC + _LENGTHS.pack(len(name), len(module.content)) + name + module.content


def unpack(section: bytes) -> list[Module]:
    modules = []
    at = 0
    while at < len(section):
        if section[at] == 0:
            at += 1
            continue
        start = at + len(_MAGIC) + _LENGTHS.size
        if section[at : at + len(_MAGIC)] != _MAGIC or start > len(section):
            raise BitcodeError(f"no module at byte {at}")
        name_length, length = _LENGTHS.unpack_from(section, at + len(_MAGIC))
        end = start + name_length + length
        if end > len(section):
            raise BitcodeError(f"the module at byte {at} is cut short")
        name = section[start : start + name_length].decode("utf-8", "replace")
        modules.append(Module(name, section[start + name_length : end]))
        at = end
    return modules
