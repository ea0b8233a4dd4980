"""Services on real frameworks answer the same under heddle-node as under node, with values that workers computed.

Each program is server and clients in one. Its handlers are reached in the ways that frameworks reach them: through
promises, behind hooks that wait, from a body, of text or of bytes, a message of a WebSocket, a line of a socket.
"""

from __future__ import annotations

import json
import subprocess
from dataclasses import dataclass
from pathlib import Path

import pytest

from testing.node.node_runs import HERE, VERSIONS, difference, installed, run

SERVICES = HERE / "services"
WORKERS = {"HEDDLE_WORKERS": "2"}
TRIES = 8  # on a busy machine workers come late


@dataclass(frozen=True)
class Service:
    """`matched`: sites and how many calls of each have to be answered by workers; `waited`: events that are put off."""

    name: str
    matched: dict[str, int]
    waited: int


CASES = [
    Service("fastify", {"heavy": 20, "summarise": 6}, 20),
    Service("koa", {"heavy": 20, "summarise": 6}, 20),
    Service("https", {"heavy": 20, "summarise": 6}, 20),
    Service("net", {"heavy": 60}, 60),
    Service("ws", {"heavy": 20}, 20),
    Service("frames", {"checksum": 12}, 12),
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Documents that services read, and a certificate."""
    made = tmp_path_factory.mktemp("services")
    for number in range(3):
        (made / f"{number}.txt").write_text("".join(f"line {line} of {number}\n" for line in range(800)))
    words = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-subj", "/CN=x"]
    files = ["-keyout", made / "key.pem", "-out", made / "cert.pem"]
    subprocess.run(["openssl", *words, *files], check=True, capture_output=True)
    return made


@pytest.mark.timeout(300)
@pytest.mark.parametrize("version", VERSIONS)
@pytest.mark.parametrize("service", CASES, ids=lambda service: service.name)
def test_a_service_answers_the_same_with_the_work_of_others(service: Service, version: int, folder: Path) -> None:
    packages = installed(HERE / "packages", "node-packages")
    overtakes = folder / "overtakes"
    words = [SERVICES / f"{service.name}.js", packages, folder, overtakes]
    report_file = folder / f"{service.name}-{version}.json"
    plain = run(version, None, words)
    assert plain.code == 0, plain.err
    for _ in range(TRIES):
        ours = run(version, {**WORKERS, "HEDDLE_REPORT": str(report_file)}, ["--ship=auto", *words])
        assert difference(plain, ours) == ""
        report = json.loads(report_file.read_text())
        matched = {site["name"]: site["matched"] for site in report["sites"]}
        missing = [f"{name} {matched[name]}" for name, least in service.matched.items() if matched[name] < least]
        overtaken = int(overtakes.read_text()) if overtakes.exists() else 1
        if not missing and report["put_off"] >= service.waited and overtaken > 0:
            return
    pytest.fail(f"{report['put_off']} waited, {overtaken} overtaken; too few from workers: {missing}")
