"""The analyser over the modules of a program: its document checked, written, and kept for the next time."""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from heddle.analysis import reuse
from heddle.analysis.joining import Taken
from heddle.analysis.target import Target, prepare
from heddle.documents import constraints, schemas, writing
from heddle.documents.constraints import Constraints
from heddle.documents.schemas import Document
from heddle.errors import BadInputError
from heddle.system import places

_ROOM = 16  # times the size of the inputs: room for the modules, those of the libraries, and the document


@dataclass(frozen=True)
class Analysis:
    document: Document
    written_to: Path
    without_bitcode: tuple[str, ...]
    fresh: bool = True  # made now, not read from a file
    built: bool = True  # of a program or a saved document: sources that were edited since then have other lines
    libraries: tuple[Taken, ...] = ()
    left_out: tuple[tuple[str, str], ...] = ()

    @property
    def constraints(self) -> Constraints:
        return Constraints(self.document)


def analyze(
    inputs: Sequence[str],
    compiler_flags: Sequence[str] = (),
    output: Path | None = None,
    specs: Sequence[Path] = (),
    use_cache: bool = True,
    assumed: Sequence[str] = (),
) -> Analysis:
    """Writes the document beside what was analysed, or to `output`; `specs` are files of the user's own.

    `assumed` are the analyser's options that say what may be taken for granted.

    With `use_cache`, what the last analysis of the same program found is used again where it still holds.
    """
    with tempfile.TemporaryDirectory(prefix="heddle-analyze-", dir=_memory(inputs)) as folder:
        scratch = Path(folder)
        target = prepare(inputs, compiler_flags, scratch)
        analyser = places.built(places.elyze(), "the analyser")
        parts = (*sorted(places.specs().glob("*.yaml")), *specs)
        cache = reuse.Cache(target, analyser, parts, assumed) if use_cache else None
        known = cache.find(scratch) if cache is not None else None
        if known is not None:
            # It was checked before it was kept.
            document, text = known.document, known.text
        else:
            written, numbers = scratch / "constraints.json", scratch / "numbers.json"
            run_elyze(target, written, numbers, specs, assumed)
            text = written.read_bytes()
            document = schemas.parse(text, "constraints", "what the analyser wrote")
            schemas.check(document, "constraints", "what the analyser wrote")
            constraints.check_references(document, "what the analyser wrote")
            if cache is not None:
                cache.keep(text, numbers.read_bytes())
        if target.libraries:
            document["program"]["libraries"] = [
                {"name": library.name, "build_id": library.build_id} for library in target.libraries
            ]
            text = None
        if text is None:
            text = writing.text(document).encode()
        where = output if output is not None else target.default_output
        try:
            where.write_bytes(text)
        except OSError as error:
            raise BadInputError(f"{where} cannot be written ({error.strerror})", "name a file with -o") from None
    built = target.build_id != "none"
    return Analysis(document, where, target.without_bitcode, True, built, target.libraries, target.left_out)


def read(file: Path) -> Analysis:
    """What an earlier analysis wrote."""
    return Analysis(constraints.load(file).document, file, (), fresh=False)


def _memory(inputs: Sequence[str]) -> Path | None:
    """A folder in memory, for the hundreds of modules of a large program; None where there is none with room enough.

    On a disk, writing so many files would take longer than finding out that none of the modules has changed.
    """
    folder = Path("/dev/shm")
    try:
        wanted = _ROOM * sum(Path(name).stat().st_size for name in inputs)
        return folder if os.access(folder, os.W_OK) and shutil.disk_usage(folder).free > wanted else None
    except OSError:
        return None


def run_elyze(
    target: Target,
    output: Path,
    numbers: Path | None = None,
    specs: Sequence[Path] = (),
    assumed: Sequence[str] = (),
) -> None:
    """Writes the document to `output`, and to `numbers` what `elyze compare` needs to know about this analysis."""
    analyser = places.built(places.elyze(), "the analyser")
    command = [str(analyser), *map(str, target.modules), "--program", target.name, "--build-id", target.build_id]
    command += ["--specs", str(places.specs()), "-o", str(output)]
    if numbers is not None:
        command += ["--numbers-read", str(numbers)]
    for file in specs:
        command += ["--spec", str(file)]
    command += assumed
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode == 0:
        return
    lines = [line for line in done.stderr.splitlines() if line.strip()]
    if done.returncode == 2 and lines:
        what, _, advice = lines[-1].removeprefix("heddle: ").removeprefix("elyze: ").partition(": ")
        raise BadInputError(what, advice or "see heddle analyze --help")
    how = f"was ended by signal {-done.returncode}" if done.returncode < 0 else f"failed with code {done.returncode}"
    last = f" ({lines[-1][:160]})" if lines else ""
    raise BadInputError(f"the analyser {how}{last}", "this is a fault of heddle: keep the program and report it")
