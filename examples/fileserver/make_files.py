"""Makes a tree of files as a file server has them: pages, pictures' worth of noise, and a few large ones.

The same seed makes the same bytes. `--large` and `--large-bytes` say how much there is beyond what fits into memory.

    python make_files.py files --small 200 --large 8 --large-bytes 2000000 --mix mix.txt
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FOLDERS = 8
LARGE_WEIGHT = 1  # in the list of URLs, against
SMALL_WEIGHT = 4
CHUNK = 1 << 20


@dataclass(frozen=True)
class Tree:
    """What is to be made; everything about it follows from these figures."""

    small: int
    large: int
    large_bytes: int
    seed: int

    def files(self) -> Iterator[tuple[str, int]]:
        """Each file's path and size, the small ones first."""
        source = random.Random(self.seed)
        endings = ("html", "txt", "css", "js", "jpg", "png")
        for index in range(self.small):
            # Most are a few KB, some are a hundred: sizes on the web are log-normal.
            size = min(int(source.lognormvariate(8.5, 1.2)), 500_000)
            yield f"d{index % FOLDERS}/file-{index:04d}.{endings[index % len(endings)]}", size
        for index in range(self.large):
            yield f"large/file-{index:04d}.bin", self.large_bytes


def _write(path: Path, size: int, seed: str) -> None:
    source = random.Random(seed)
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        for start in range(0, size, CHUNK):
            file.write(source.randbytes(min(CHUNK, size - start)))


def make(folder: Path, tree: Tree) -> dict[str, int]:
    """Writes the files; returns their paths and sizes."""
    made = dict(tree.files())
    for path, size in made.items():
        _write(folder / path, size, f"{tree.seed} {path}")
    return made


def mix(files: dict[str, int]) -> str:
    """A list of URLs for a load generator: every file, and every folder's listing once."""
    folders = sorted({path.split("/")[0] for path in files})
    lines = [f"{LARGE_WEIGHT if path.startswith('large/') else SMALL_WEIGHT} /{path}\n" for path in files]
    return "".join(lines + [f"1 /{folder}/\n" for folder in folders])


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Make a tree of files for a file server.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--small", type=int, default=200, help="how many of a few KB (default 200)")
    parser.add_argument("--large", type=int, default=8, help="how many large ones (default 8)")
    parser.add_argument("--large-bytes", type=int, default=2_000_000, help="bytes of a large one (default 2000000)")
    parser.add_argument("--seed", type=int, default=1, help="another seed, other files (default 1)")
    parser.add_argument("--mix", type=Path, help="write a list of URLs, one 'WEIGHT PATH' a line, to this file")
    options = parser.parse_args(arguments)
    if min(options.small, options.large, options.large_bytes) < 0 or options.small + options.large == 0:
        print("make_files: the numbers of files must be 0 or more, and not both 0", file=sys.stderr)
        return 2
    try:
        files = make(options.folder, Tree(options.small, options.large, options.large_bytes, options.seed))
        if options.mix is not None:
            options.mix.write_text(mix(files))
    except OSError as error:
        print(f"make_files: cannot write '{error.filename}' ({error.strerror}): name another folder", file=sys.stderr)
        return 2
    print(f"{len(files)} files, {sum(files.values()) / (1 << 20):.1f} MiB, in {options.folder}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
