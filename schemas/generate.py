"""Writes the files from which C++, Python and TypeScript take what they have agreed on.

    python schemas/generate.py            writes them
    python schemas/generate.py --check    says which of them are not what they should be; exit code 1 if any
    python schemas/generate.py --freeze   writes them, and freezes layouts whose version is new

The contracts are described in schemas/contracts/. The files are kept in the repository, so that no build needs this
program; a test runs --check.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from generator import cpp, description, frozen, python, typescript

ROOT = description.SCHEMAS.parent


def outputs(contracts: description.Contracts) -> dict[Path, str]:
    made = {description.SCHEMAS / name: text for name, text in cpp.headers(contracts).items()}
    made[ROOT / "python/heddle/documents/contracts.py"] = python.module(contracts)
    made[ROOT / "node/src/shared/contracts.ts"] = typescript.module(contracts)
    return made


def main(words: list[str]) -> int:
    parser = argparse.ArgumentParser(description="Writes the contracts for C++, Python and TypeScript.")
    parser.add_argument("--check", action="store_true", help="only say what is not as it should be")
    parser.add_argument("--freeze", action="store_true", help="freeze layouts whose version is new")
    asked = parser.parse_args(words)
    contracts = description.load()
    made = outputs(contracts)
    if asked.check:
        problems = [
            f"{path.relative_to(ROOT)} is not what schemas/contracts/ say: run schemas/generate.py"
            for path, text in made.items()
            if not path.exists() or path.read_text() != text
        ] + frozen.problems(contracts)
        print("\n".join(problems), end="\n" if problems else "")
        return 1 if problems else 0
    for path, text in made.items():
        path.write_text(text)
    if asked.freeze:
        frozen.freeze(contracts)
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
