"""clang-tidy over single files, and only over those that it has not passed before.

A file takes it many seconds, most of them for LLVM's headers. What it has once found nothing in, preprocessed and with
the same configuration and version, is remembered in the user's cache, and not looked at again.
"""

from __future__ import annotations

import hashlib
import json
import os
import shlex
import subprocess
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from project_files import ROOT

TIDY = "clang-tidy-19"
COMPILER = "clang++-19"


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
            said = {line for findings in pool.map(self._unless_passed, known) for line in findings}
        return "\n".join(sorted(said))

    def _unless_passed(self, path: Path) -> list[str]:
        key = self._key(path)
        if key is not None and (self._passed / key).exists():
            return []
        findings = self.check(path)
        if not findings and key is not None:
            (self._passed / key).touch()
        return findings

    def check(self, path: Path) -> list[str]:
        # GCC's precompiled headers lie beside what they are made of; clang reads the latter, and need not say so.
        command = [TIDY, "--quiet", "--extra-arg=-Wno-ignored-gch", "-p", self._build, path]
        done = subprocess.run(command, capture_output=True, text=True)
        findings = [line for line in done.stdout.splitlines() if " error: " in line]
        if done.returncode != 0 and not findings:
            findings = [f"{path}: {TIDY} ended with {done.returncode}: {done.stderr[-2000:]}"]
        return findings

    def _key(self, path: Path) -> str | None:
        """A digest of all that the findings depend on; None if the file cannot be preprocessed."""
        entry = self._commands[path]
        words = iter(shlex.split(entry["command"])[1:])
        arguments = [word for word in words if word != "-c" and (word != "-o" or not next(words))]
        # With comments, for some of them silence a check, and without line markers, which name this folder.
        command = [COMPILER, "-w", *arguments, "-E", "-P", "-C", "-o", "-"]
        source = subprocess.run(command, cwd=entry["directory"], capture_output=True)
        if source.returncode != 0:
            return None
        parts = [self._settings, path.name.encode(), "\0".join(arguments).encode(), source.stdout]
        # Another clone has the same files in another folder.
        return hashlib.sha256(b"\0".join(parts).replace(bytes(ROOT), b".")).hexdigest()
