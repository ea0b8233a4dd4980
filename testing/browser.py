"""A headless Chromium for tests of pages, spoken to over a pipe in its own DevTools protocol.

No driver stands between: the protocol over `--remote-debugging-pipe` is JSON with a zero byte after each message, and
whatever Chromium the system has understands it.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

NAMES = ("chromium-headless-shell", "chromium")
_SECONDS = 60


def find() -> str | None:
    return next((path for name in NAMES if (path := shutil.which(name))), None)


class Page:
    def __init__(self, send: int, receive: int) -> None:
        self._send, self._receive = send, receive
        self._buffer = b""
        self._number = 0
        self._session = ""
        self.errors: list[str] = []
        self._allowed = "file:"

    def open(self, file: Path, dark: bool = False, width: int = 1000) -> None:
        self.go(file.absolute().as_uri(), "file:", dark, width)

    def go(self, address: str, allowed: str, dark: bool = False, width: int = 1000) -> None:
        """Opens an address. To ask for what does not begin with `allowed` is an error."""
        self._allowed = allowed
        target = self._call("Target.createTarget", url="about:blank")["targetId"]
        self._session = self._call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network", "Accessibility"):
            self._call(f"{domain}.enable")
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self._call("Emulation.setEmulatedMedia", features=[scheme])
        self._call("Emulation.setDeviceMetricsOverride", width=width, height=800, deviceScaleFactor=1, mobile=False)
        self._call("Page.navigate", url=address)
        deadline = time.monotonic() + _SECONDS
        while self.value("document.readyState") != "complete":
            assert time.monotonic() < deadline, "the page does not load"
            time.sleep(0.02)

    def value(self, expression: str) -> Any:  # noqa: ANN401 - whatever the script gives
        found = self._call("Runtime.evaluate", expression=expression, returnByValue=True)
        assert "exceptionDetails" not in found, found
        return found["result"].get("value")

    def key(self, name: str, text: str = "") -> None:
        codes = {"Enter": 13, "Escape": 27, "Tab": 9, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40}
        codes |= {"Home": 36, "End": 35}
        common = {"key": name, "code": name, "windowsVirtualKeyCode": codes.get(name, 0)}
        self._call("Input.dispatchKeyEvent", type="keyDown", **common, **({"text": text} if text else {}))
        self._call("Input.dispatchKeyEvent", type="keyUp", **common)

    def type(self, text: str) -> None:
        self._call("Input.insertText", text=text)

    def tree(self) -> list[dict[str, Any]]:
        """What a screen reader is told: role, name and state of each node."""
        nodes: list[dict[str, Any]] = self._call("Accessibility.getFullAXTree")["nodes"]
        return [node for node in nodes if not node.get("ignored")]

    def _call(self, method: str, **parameters: Any) -> dict[str, Any]:  # noqa: ANN401
        self._number += 1
        message: dict[str, Any] = {"id": self._number, "method": method, "params": parameters}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._send, json.dumps(message).encode() + b"\0")
        while True:
            answer = self._read()
            if answer.get("id") == self._number:
                assert "error" not in answer, answer
                result: dict[str, Any] = answer["result"]
                return result
            if answer.get("method") == "Runtime.exceptionThrown":
                self.errors.append(str(answer["params"]["exceptionDetails"]))
            if answer.get("method") == "Log.entryAdded":
                self.errors.append(str(answer["params"]["entry"]["text"]))
            if answer.get("method") == "Network.requestWillBeSent":
                url = answer["params"]["request"]["url"]
                if not url.startswith(self._allowed):
                    self.errors.append(f"asks for {url}")

    def _read(self) -> dict[str, Any]:
        while b"\0" not in self._buffer:
            more = os.read(self._receive, 1 << 16)
            assert more, "the browser has gone"
            self._buffer += more
        message, self._buffer = self._buffer.split(b"\0", 1)
        answer: dict[str, Any] = json.loads(message)
        return answer


@contextmanager
def browser(folder: Path) -> Iterator[Page]:
    program = find()
    assert program is not None, "no Chromium"
    to_browser, from_browser = os.pipe(), os.pipe()

    def hand_over() -> None:
        # The browser reads at 3 and writes at 4.
        os.dup2(to_browser[0], 13)
        os.dup2(from_browser[1], 14)
        os.dup2(13, 3)
        os.dup2(14, 4)

    command = [program, "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--no-first-run"]
    command += [f"--user-data-dir={folder}", "--remote-debugging-pipe"]
    with (folder / "browser.log").open("wb") as log:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=log, stderr=log, close_fds=False, preexec_fn=hand_over
        )
    try:
        yield Page(to_browser[1], from_browser[0])
    finally:
        process.kill()
        process.wait()
        for end in (*to_browser, *from_browser):
            os.close(end)
