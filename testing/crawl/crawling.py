"""Runs the crawler as a program, and reads what it wrote."""

from __future__ import annotations

import json
import os
import signal
import subprocess
from dataclasses import dataclass
from pathlib import Path
from typing import Any

Record = dict[str, Any]
ROOT = Path(__file__).resolve().parents[2]
PATIENCE_S = 60.0
FIELDS = ("url status error depth referrer type bytes sha256 redirect links attempts ms").split()
ERRORS = frozenset(
    "dns connect tls timeout reset protocol too_large redirect_loop decode robots refused_address scheme".split()
)


def program() -> Path:
    """HEDDLE_CRAWL, else the built one."""
    named = os.environ.get("HEDDLE_CRAWL")
    build = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev"))
    return Path(named) if named else build / "crawler" / "heddle-crawl"


@dataclass(frozen=True)
class Crawl:
    """A crawl that has ended."""

    code: int
    out: str
    err: str
    records: list[Record]

    @property
    def by_url(self) -> dict[str, Record]:
        found = {record["url"]: record for record in self.records}
        assert len(found) == len(self.records), "a URL has two records"
        return found

    @property
    def urls(self) -> set[str]:
        return set(self.by_url)

    def record(self, url: str) -> Record:
        found = self.by_url
        assert url in found, f"no record of {url}; there are {sorted(found)}; {self.err}"
        return found[url]


class Crawler:
    """Starts the program in a folder of the test's own. Results go to `results` unless the words say where."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.results = folder / "results.jsonl"
        self.environment = {name: value for name, value in os.environ.items() if "proxy" not in name.lower()}
        self.before: list[str] = []  # a command that runs the program

    def __call__(self, *words: str | Path, code: int = 0) -> Crawl:
        """The crawl, which must end with this code."""
        running = self.start(*words)
        try:
            out, err = running.communicate(timeout=PATIENCE_S)
        except subprocess.TimeoutExpired:
            running.kill()
            out, err = running.communicate()
            raise AssertionError(f"it does not end: {' '.join(map(str, words))}\n{err[-2000:]}") from None
        assert running.returncode == code, f"exit code {running.returncode}, not {code}: {err[-2000:]}{out[-500:]}"
        return Crawl(running.returncode, out, err, self.read())

    def start(self, *words: str | Path) -> subprocess.Popen[str]:
        chosen = [] if "--json" in words else ["--json", str(self.results)]
        command = [*self.before, str(program()), *chosen, *map(str, words)]
        pipe = subprocess.PIPE
        return subprocess.Popen(
            command,
            cwd=self.folder,
            env=self.environment,
            stdout=pipe,
            stderr=pipe,
            stdin=subprocess.DEVNULL,
            text=True,
        )

    def read(self) -> list[Record]:
        return read(self.results) if self.results.exists() else []

    def kill(self, running: subprocess.Popen[str]) -> None:
        """As kill -9 does; whether or not it still runs."""
        running.send_signal(signal.SIGKILL)
        running.communicate(timeout=PATIENCE_S)


def read(file: Path) -> list[Record]:
    text = file.read_text(encoding="utf-8")
    assert text == "" or text.endswith("\n"), f"the last record is cut off: {text[-200:]!r}"
    return [json.loads(line) for line in text.splitlines()]
