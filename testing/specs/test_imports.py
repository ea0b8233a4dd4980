"""What a library looks up by name is what `imports` in its file of specs says: the linker's own list decides.

A library looks up most of its own functions by name as well, and finds the program's definition first (ld.so(8)).
"""

from __future__ import annotations

import os
import re
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
LIBRARIES = Path("/usr/lib/x86_64-linux-gnu")
OF = {
    "libevent": ["libevent-2.1.so.7", "libevent_openssl-2.1.so.7", "libevent_pthreads-2.1.so.7"],
    "openssl": ["libssl.so.3", "libcrypto.so.3"],
    "c-ares": ["libcares.so.2"],
    "compression": ["libz.so.1", "liblzma.so.5", "libzstd.so.1"],
    "libjpeg": ["libjpeg.so.62"],
    "libev": ["libev.so.4"],
    "terminal": ["libncursesw.so.6", "libtinfo.so.6"],
    "system": ["libsystemd.so.0", "libwrap.so.0", "libcap.so.2", "libseccomp.so.2", "libtirpc.so.3"],
    "libstdcxx": ["libstdc++.so.6"],
    "multivent": [str(Path(os.environ["HEDDLE_BUILD"]) / "multivent/libmultivent.so")],
}
# The compiler's and C++'s own names.
WEAK, VARIABLES = "wv", "BbDdRrVvA"
OF_THE_COMPILER = re.compile(r"_Z|_ITM|__gmon|__cxa|__gxx|_Unwind")


def names(library: Path, which: str, not_of: str) -> set[str]:
    """All but those with symbols of the kinds `not_of` (nm(1))."""
    listed = subprocess.run(["nm", "-D", which, library], check=True, capture_output=True, text=True).stdout
    return {line.split()[-1].split("@")[0] for line in listed.splitlines() if line.split()[-2] not in not_of}


def own_that_are_looked_up(library: Path) -> set[str]:
    listed = subprocess.run(["objdump", "-R", library], check=True, capture_output=True, text=True).stdout
    places = [line.split()[-1] for line in listed.splitlines() if line]
    return names(library, "--defined-only", VARIABLES) & {place.split("@")[0].split("+")[0] for place in places}


@pytest.mark.parametrize("library", OF)
def test_imports_are_what_the_linker_lists(library: str) -> None:
    files = [LIBRARIES / name for name in OF[library]]
    present = [file for file in files if file.exists()]
    if not present:
        pytest.skip(f"{library} is not installed")
    text = re.search(r"^imports: \[(.*?)\]", (ROOT / f"elyze/specs/{library}.yaml").read_text(), re.S | re.M)
    assert text, "no list of imports"
    said = {name.strip() for name in text[1].split(",")}
    own = set().union(*(names(file, "--defined-only", WEAK) for file in present))
    used = set().union(*(names(file, "--undefined-only", WEAK) for file in present)) - own
    used |= set().union(*(own_that_are_looked_up(file) for file in present))
    assert sorted(name for name in used - said if not OF_THE_COMPILER.match(name)) == []


def test_each_library_says_what_it_imports() -> None:
    # The C library calls only the program's allocator by name (glibc manual, "Replacing malloc").
    files = {path.stem.split(".")[0] for path in (ROOT / "elyze/specs").glob("*.yaml")}
    assert files - {"libc", "posix"} == set(OF)
