"""clang-tidy over sources, and only over those that it has not passed before.

A source takes it many seconds, most of them for what is in headers. So sources of one target are looked at together, as
one unit that includes them; where that finds anything, or does not compile, each is looked at by itself. What it has
once found nothing in, preprocessed and with the same configuration and version, is remembered in the user's cache, and
not looked at again.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shlex
import subprocess
import tempfile
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from project_files import ROOT

TIDY = "clang-tidy-19"
COMPILER = "clang++-19"
TOGETHER = 16  # sources in one unit
# These look at the main file only, and there at this.
MAIN_FILE_CHECKS = "-*,misc-unused-using-decls,misc-unused-alias-decls"
MAIN_FILE_ONLY = re.compile(rb"^\s*(using [\w:]+::\w+;|namespace \w+ = )", re.MULTILINE)


class Tidy:
    """Findings of clang-tidy, with the compile commands in `build` (compile_commands.json)."""

    def __init__(self, build: Path) -> None:
        base = os.environ.get("XDG_CACHE_HOME")
        self._passed = (Path(base) if base else Path.home() / ".cache") / "heddle" / "clang-tidy"
        self._passed.mkdir(parents=True, exist_ok=True)
        self._build = build
        commands = json.loads((build / "compile_commands.json").read_text())
        self._commands = {Path(entry["directory"], entry["file"]).resolve(): entry for entry in commands}
        version = subprocess.run([TIDY, "--version"], capture_output=True, check=True).stdout
        self._settings = version + (ROOT / ".clang-tidy").read_bytes()

    def over(self, paths: Iterable[Path]) -> str:
        """One line per finding, empty if there is none. A file that no preset compiles is passed over."""
        known = [path for path in sorted((ROOT / path).resolve() for path in paths) if path in self._commands]
        with ThreadPoolExecutor(os.cpu_count() or 2) as pool:
            keys = dict(zip(known, pool.map(self._key, known), strict=True))
            new = [path for path in known if not self._has_passed(keys[path])]
            found = list(pool.map(lambda group: self._look(group, keys), self.groups(new)))
        return "\n".join(sorted({line for lines in found for line in lines}))

    def _has_passed(self, key: str | None) -> bool:
        return key is not None and (self._passed / key).exists()

    def groups(self, paths: Iterable[Path]) -> Iterator[list[Path]]:
        """Sources that are compiled in one way."""
        alike = defaultdict(list)
        for path in paths:
            alike[self._commands[path]["directory"], *self._arguments(path)].append(path)
        for found in alike.values():
            for begin in range(0, len(found), TOGETHER):
                yield found[begin : begin + TOGETHER]

    def _look(self, group: Sequence[Path], keys: dict[Path, str | None]) -> list[str]:
        findings = self.check(group)
        if findings and len(group) > 1:
            return [line for path in group for line in self._look([path], keys)]
        for path in () if findings else group:
            hidden = len(group) > 1 and MAIN_FILE_ONLY.search(path.read_bytes())
            alone = self.check([path], f"--checks={MAIN_FILE_CHECKS}") if hidden else []
            findings += alone
            key = keys[path]
            if key and not alone:
                (self._passed / key).touch()
        return findings

    def check(self, group: Sequence[Path], *options: str) -> list[str]:
        """Findings in these sources, as one unit; options are clang-tidy's."""
        first = group[0]
        with tempfile.NamedTemporaryFile("w", suffix=".cpp") as unit:
            for path in group:
                unit.write(f'#include "{path}"  // NOLINT(bugprone-suspicious-include)\n')
            unit.flush()
            # GCC's precompiled headers lie beside what they are made of; clang reads the latter, and need not say so.
            source = first if len(group) == 1 else unit.name
            command = [TIDY, "--quiet", f"--config-file={ROOT / '.clang-tidy'}", *options, str(source)]
            folder = self._commands[first]["directory"]
            arguments = ["--", *self._arguments(first), "-Wno-ignored-gch"]
            # What one source names may be hidden in another that knows nothing of it. GCC says it of each by itself.
            arguments += ["-Wno-shadow"] if len(group) > 1 else []
            done = subprocess.run([*command, *arguments], cwd=folder, capture_output=True, text=True)
        findings = [line for line in done.stdout.splitlines() if " error: " in line]
        if done.returncode != 0 and not findings:
            findings = [f"{first}: {TIDY} ended with {done.returncode}: {done.stderr[-2000:]}"]
        return findings

    def _arguments(self, path: Path) -> list[str]:
        """Those of the compile command that do not name the file or what is made of it."""
        entry = self._commands[path]
        words = iter(shlex.split(entry["command"])[1:])
        return [word for word in words if word not in ("-c", entry["file"]) and (word != "-o" or not next(words))]

    def _key(self, path: Path) -> str | None:
        """A digest of all that the findings depend on; None if the file cannot be preprocessed."""
        entry = self._commands[path]
        arguments = self._arguments(path)
        # With comments, for some of them silence a check, and without line markers, which name this folder.
        command = [COMPILER, "-w", *arguments, "-E", "-P", "-C", "-o", "-", str(path)]
        source = subprocess.run(command, cwd=entry["directory"], capture_output=True)
        if source.returncode != 0:
            return None
        parts = [self._settings, path.name.encode(), "\0".join(arguments).encode(), source.stdout]
        # Another clone has the same files in another folder.
        return hashlib.sha256(b"\0".join(parts).replace(bytes(ROOT), b".")).hexdigest()
