"""Documents of real programs: C files through clang and the analyser, each analysed once in a run of the tests."""

from __future__ import annotations

import contextlib
import functools
import subprocess
import tempfile
from pathlib import Path
from typing import Any

import pytest
from cli_support import ROOT

from heddle.analysis import analyser
from heddle.documents import schemas
from heddle.documents.constraints import Constraints
from heddle.system import places

Document = dict[str, Any]

PROGRAMS = Path(__file__).parent / "programs"
ELYZE_PROGRAMS = ROOT / "elyze" / "tests" / "programs"
IMGSERVE = ROOT / "examples" / "imgserve"


def is_built() -> bool:
    return places.elyze().is_file()


needs_analyser = pytest.mark.skipif(not is_built(), reason="the analyser is not built")


@functools.cache
def document(*files: Path) -> Document:
    # From the folder of the files, as a build would: then they go by their names alone.
    with tempfile.TemporaryDirectory() as scratch, contextlib.chdir(files[0].parent):
        out = Path(scratch, "constraints.json")
        analyser.analyze([str(file) for file in files], [f"-I{files[0].parent}"], out)
        return schemas.load(out, "constraints")


def constraints(*files: Path) -> Constraints:
    return Constraints(document(*files))


def imgserve() -> Document:
    return document(*sorted(IMGSERVE.glob("*.c")))


def of_text(text: str, folder: Path) -> Document:
    """A program that a test writes itself; always under the same name, so that two versions can be compared."""
    file = folder / "server.c"
    file.write_text(text)
    out = folder / "out.json"
    with contextlib.chdir(folder):
        analyser.analyze([str(file)], [], out)
    return schemas.load(out, "constraints")


def has_libjpeg() -> bool:
    probe = subprocess.run(
        ["cc", "-E", "-"], input="#include <stdio.h>\n#include <jpeglib.h>\n", text=True, capture_output=True
    )
    return probe.returncode == 0
