"""What heddle must know about a program file before it runs or analyses it.

Reads ELF of either byte order and word size, straight from the format (System V ABI, "Object Files"), with nothing but
the standard library: `heddle run` passes through here and must start fast. Anything malformed is an `ElfError`; no
field of the file is trusted as an offset or a size.
"""

import struct
from dataclasses import dataclass
from pathlib import Path

_SHT_SYMTAB = 2
_SHT_DYNAMIC = 6
_SHT_NOTE = 7
_SHT_NOBITS = 8
_SHT_DYNSYM = 11
_DT_NEEDED = 1
_NT_GNU_BUILD_ID = 3
_STT_FUNC = 2
_STB_WEAK = 2
_SHN_UNDEF = 0
_PT_INTERP = 3
_ET_REL, _ET_EXEC, _ET_DYN = 1, 2, 3


class ElfError(Exception):
    """Not an ELF file, or a damaged one."""


@dataclass(frozen=True)
class Section:
    name: str
    type: int
    offset: int
    size: int
    link: int


@dataclass(frozen=True)
class Symbol:
    name: str
    defined: bool
    function: bool
    weak: bool = False


class Elf:
    """One file, read whole: section contents are slices of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._data = path.read_bytes()
        ident = self._data[:16]
        if len(ident) < 16 or ident[:4] != b"\x7fELF":
            raise ElfError("not an ELF file")
        self.bits = {1: 32, 2: 64}.get(ident[4], 0)
        self._order = {1: "<", 2: ">"}.get(ident[5], "")
        if not self.bits or not self._order:
            raise ElfError("damaged ELF header")
        wide = self.bits == 64
        words = self._unpack("HHIQQQIHHHHHH" if wide else "HHIIIIIHHHHHH", 16)
        self.type, self.machine = words[0], words[1]
        program_offset, section_offset = words[4], words[5]
        program_size, program_count, section_size, section_count, names = words[8:13]
        self.interpreter = any(
            self._unpack("I", program_offset + i * program_size)[0] == _PT_INTERP for i in range(program_count)
        )
        self.sections = self._read_sections(section_offset, section_size, section_count, names)

    @property
    def is_program(self) -> bool:
        return self.type == _ET_EXEC or (self.type == _ET_DYN and self.interpreter)

    @property
    def is_object(self) -> bool:
        return self.type == _ET_REL

    @property
    def is_static(self) -> bool:
        return not self.interpreter

    def section(self, name: str) -> bytes | None:
        for section in self.sections:
            if section.name == name:
                return self._content(section)
        return None

    def build_id(self) -> str | None:
        """The GNU build id in lower-case hexadecimal."""
        for section in self.sections:
            if section.type != _SHT_NOTE:
                continue
            notes = self._content(section)
            at = 0
            while at + 12 <= len(notes):
                name_size, value_size, kind = struct.unpack_from(self._order + "III", notes, at)
                value_at = at + 12 + (name_size + 3) // 4 * 4
                if kind == _NT_GNU_BUILD_ID and notes[at + 12 : at + 12 + name_size] == b"GNU\0":
                    return notes[value_at : value_at + value_size].hex() or None
                at = value_at + (value_size + 3) // 4 * 4
        return None

    def needed(self) -> list[str]:
        """Shared libraries that the file names itself (not those that they name in turn)."""
        entry = struct.Struct(self._order + ("QQ" if self.bits == 64 else "II"))
        found = []
        for section in self.sections:
            if section.type == _SHT_DYNAMIC:
                names = self._content(self._linked(section))
                content = self._content(section)
                for tag, value in entry.iter_unpack(content[: len(content) // entry.size * entry.size]):
                    if tag == _DT_NEEDED:
                        found.append(_text_at(names, value))
        return found

    def has_symbol_table(self) -> bool:
        return any(section.type == _SHT_SYMTAB for section in self.sections)

    def symbols(self) -> list[Symbol]:
        """The full symbol table, or the dynamic one of a stripped file."""
        wanted = _SHT_SYMTAB if self.has_symbol_table() else _SHT_DYNSYM
        return [s for section in self.sections if section.type == wanted for s in self._symbols(section)]

    def dynamic_symbols(self) -> list[Symbol]:
        return [s for section in self.sections if section.type == _SHT_DYNSYM for s in self._symbols(section)]

    def _symbols(self, section: Section) -> list[Symbol]:
        names = self._content(self._linked(section))
        content = self._content(section)
        wide = self.bits == 64
        entry = struct.Struct(self._order + ("IBBHQQ" if wide else "IIIBBH"))
        found = []
        for words in entry.iter_unpack(content[: len(content) // entry.size * entry.size]):
            name, info, index = (words[0], words[1], words[3]) if wide else (words[0], words[3], words[5])
            function, weak = info & 15 == _STT_FUNC, info >> 4 == _STB_WEAK
            found.append(Symbol(_text_at(names, name), index != _SHN_UNDEF, function, weak))
        return found

    def _read_sections(self, offset: int, size: int, count: int, names: int) -> list[Section]:
        wide = self.bits == 64
        raw = [self._unpack("IIQQQQIIQQ" if wide else "IIIIIIIIII", offset + i * size) for i in range(count)]
        if not raw:
            return []
        if names >= len(raw):
            raise ElfError("damaged section table")
        table = Section("", raw[names][1], raw[names][4], raw[names][5], 0)
        texts = self._content(table)
        return [Section(_text_at(texts, w[0]), w[1], w[4], w[5], w[6]) for w in raw]

    def _linked(self, section: Section) -> Section:
        if section.link >= len(self.sections):
            raise ElfError("damaged section table")
        return self.sections[section.link]

    def _content(self, section: Section) -> bytes:
        if section.type == _SHT_NOBITS:
            return b""
        if section.offset + section.size > len(self._data):
            raise ElfError("cut short")
        return self._data[section.offset : section.offset + section.size]

    def _unpack(self, layout: str, offset: int) -> tuple[int, ...]:
        try:
            return struct.unpack_from(self._order + layout, self._data, offset)
        except struct.error:
            raise ElfError("cut short") from None


def _text_at(table: bytes, offset: int) -> str:
    end = table.find(b"\0", offset)
    return table[offset : end if end >= 0 else len(table)].decode("utf-8", "replace")
