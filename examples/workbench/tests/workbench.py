"""Runs a workbench and speaks to it as its page does."""

from __future__ import annotations

import contextlib
import http.client
import json
import os
import re
import signal
import subprocess
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from testing.servers.matrix import ROOT

EXAMPLE = Path(__file__).resolve().parents[1]
PROGRAM = Path(os.environ.get("HEDDLE_BUILD", ROOT / "build/dev")) / "examples/workbench/workbench"
TRANSPORTS = ("V1", "V1c", "V2", "V3a", "V3b", "V4")
SECONDS = 60

Object = dict[str, Any]


def run(*words: str | Path) -> subprocess.CompletedProcess[str]:
    if not PROGRAM.exists():
        pytest.skip("the workbench is not built")
    return subprocess.run([PROGRAM, *words], capture_output=True, text=True, timeout=SECONDS, check=False)


def done(*words: str | Path) -> str:
    result = run(*words)
    assert (result.returncode, result.stderr) == (0, ""), result
    return result.stdout


class Page:
    """What the page has been told, and what it may ask."""

    def __init__(self, address: str) -> None:
        matched = re.fullmatch(r"http://(127\.0\.0\.1:(\d+))(/\?key=\w+)", address)
        assert matched
        self.host, self.port, entry = matched[1], int(matched[2]), matched[3]
        response = self.ask("GET", entry, cookie="")
        assert response.status == 303
        self.cookie = response.headers["Set-Cookie"].split(";")[0]
        self.objects: dict[int, Object] = {}
        self.commit = 0
        self.changes: list[tuple[list[Object], list[int]]] = []
        self.away = ""
        self._told = threading.Condition()
        self._stream = http.client.HTTPConnection("127.0.0.1", self.port)
        self._stream.request("GET", "/events", headers={"Cookie": self.cookie})
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        self.until(lambda: self.commit > 0)

    def ask(
        self, method: str, path: str, body: bytes | str | None = None, cookie: str | None = None, **headers: str
    ) -> http.client.HTTPResponse:
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=SECONDS)
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        headers.setdefault("Host", self.host)
        cookie = self.cookie if cookie is None else cookie
        if cookie:
            headers["Cookie"] = cookie
        connection.request(method, path, body, headers)
        response = connection.getresponse()
        response.body = response.read()  # type: ignore[attr-defined]
        connection.close()
        return response

    def propose(self, *changes: Object, seen: int | None = None) -> tuple[int, Object]:
        body = json.dumps({"seen": self.commit if seen is None else seen, "changes": changes})
        headers = {"Content_Type": "application/json", "Origin": f"http://{self.host}"}
        response = self.ask("POST", "/edit", body, **headers)
        answer: Object = json.loads(response.body)  # type: ignore[attr-defined]
        if response.status == 200:
            self.until(lambda: self.commit >= answer["commit"])
        return response.status, answer

    def edit(self, *changes: Object) -> Object:
        """One that is accepted."""
        status, answer = self.propose(*changes)
        assert status == 200, answer
        return answer

    def refused(self, *changes: Object, seen: int | None = None) -> str:
        status, answer = self.propose(*changes, seen=seen)
        assert status in (400, 409), answer
        return str(answer["refused"])

    def until(self, condition: Callable[[], bool]) -> None:
        with self._told:
            assert self._told.wait_for(condition, SECONDS), (self.away, list(self.objects.values())[-9:])

    def all(self, kind: str, **slots: object) -> list[Object]:
        """Objects of a class; an empty slot is `None`."""
        with self._told:
            found = list(self.objects.values())
        return [
            each for each in found if each["class"] == kind and all(each.get(name) == slots[name] for name in slots)
        ]

    def one(self, kind: str, **slots: object) -> Object:
        found = self.all(kind, **slots)
        assert len(found) == 1, (kind, slots, found)
        return found[0]

    def notes(self, section: Object) -> list[str]:
        return sorted(note["text"] for note in self.all("Note", on=section["id"]))

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._stream.sock.shutdown(2)
        self._reader.join()

    def _read(self) -> None:
        with contextlib.suppress(OSError, http.client.HTTPException, ValueError, AttributeError):
            stream = self._stream.getresponse()
            name = ""
            while line := stream.readline():
                if line.startswith(b"event: "):
                    name = line[7:].strip().decode()
                elif line.startswith(b"data: "):
                    with self._told:
                        self._hear(name, json.loads(line[6:]))
                        self._told.notify_all()

    def _hear(self, name: str, said: Any) -> None:  # noqa: ANN401 - JSON
        if name == "away":
            self.away = said["why"]
            return
        if name == "state":
            self.objects.clear()
        for each in said["objects"]:
            self.objects[each["id"]] = each
        for number in said.get("gone", ()):
            self.objects.pop(number, None)
        if name == "change":
            self.changes.append((said["objects"], said["gone"]))
        self.commit = said["commit"]


class Bench:
    """A workbench that runs."""

    def __init__(self, process: subprocess.Popen[str], store: Path) -> None:
        self.process, self.store = process, store
        self.said: list[str] = []
        self._said = threading.Condition()
        self._reader = threading.Thread(target=self._listen, daemon=True)
        self._reader.start()
        self.address = self.says(r"the Editor is at (\S+)")[1]

    def _listen(self) -> None:
        assert self.process.stdout
        for line in self.process.stdout:
            with self._said:
                self.said.append(line)
                self._said.notify_all()

    def says(self, pattern: str) -> re.Match[str]:
        with self._said:
            found = self._said.wait_for(lambda: re.search(pattern, "".join(self.said)), SECONDS)
            assert found, self.said
            return found

    def end(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        code = self.process.wait(SECONDS)
        self._reader.join()
        return code


@contextmanager
def started(store: Path, transport: str = "V4", *options: str | Path) -> Iterator[Bench]:
    words = [PROGRAM, "serve", store, "--transport", transport, *options]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    try:
        bench = Bench(process, store)
        yield bench
        assert bench.end() == 0, bench.said
    finally:
        process.kill()
        process.wait()


@contextmanager
def opened(store: Path, transport: str = "V4", *options: str | Path) -> Iterator[tuple[Bench, Page]]:
    with started(store, transport, *options) as bench:
        page = Page(bench.address)
        try:
            yield bench, page
        finally:
            page.close()


def imported(folder: Path, files: dict[str, str | bytes]) -> tuple[Path, Path]:
    """A source tree of these files, and a store of it."""
    tree = folder / "tree"
    for name, text in files.items():
        path = tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(text.encode() if isinstance(text, str) else text)
    store = folder / "store"
    done("import", tree, store)
    return tree, store


def contents(folder: Path) -> dict[str, tuple[bytes, int]]:
    return {
        str(path.relative_to(folder)): (path.read_bytes(), path.stat().st_mode)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
