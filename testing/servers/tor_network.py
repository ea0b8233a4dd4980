"""A private network of tor on loopback, at work: an authority, relays, and a client that fetches pages through them.

One relay, which every circuit ends at, is the server that it is about; the others are plain. tor's test mode
(TestingTorNetwork, tor(1)) lets all of them live at one address and agree on a directory within seconds.
"""

from __future__ import annotations

import http.server
import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from testing.servers.debian_programs import UnfitError
from testing.servers.real_servers import Scene, free_port

PAGE = bytes(range(256)) * 2048  # 512 KiB
PAGES = 24
_VOTES_S = 20

COMMON = """
TestingTorNetwork 1
DataDirectory {data}
Nickname {name}
ProtocolWarnings 1
Log notice file {data}/notices
ShutdownWaitLength 0
PidFile {data}/pid
"""
RELAY = """
Address 127.0.0.1
ORPort 127.0.0.1:{orport} IPv4Only
SocksPort 0
AssumeReachable 1
PathsNeededToBuildCircuits 0.67
"""
AUTHORITY = """
DirPort 127.0.0.1:{dirport} IPv4Only
AuthoritativeDirectory 1
V3AuthoritativeDirectory 1
ContactInfo nobody@127.0.0.1
ExitPolicy reject *:*
V3AuthVotingInterval {votes}
V3AuthVoteDelay 4
V3AuthDistDelay 4
TestingV3AuthInitialVotingInterval {votes}
TestingV3AuthInitialVoteDelay 4
TestingV3AuthInitialDistDelay 4
TestingDirAuthVoteExit *
TestingDirAuthVoteGuard *
TestingDirAuthVoteHSDir *
TestingMinExitFlagThreshold 0
"""
EXIT = """
ExitRelay 1
ExitPolicy accept 127.0.0.0/8:*
ExitPolicyRejectPrivate 0
"""
NO_EXIT = "ExitPolicy reject *:*\n"
CLIENT = """
SocksPort 127.0.0.1:{socks}
ClientOnly 1
ClientRejectInternalAddresses 0
NewCircuitPeriod 5
MaxCircuitDirtiness 10
"""


class _Pages(http.server.BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", str(len(PAGE)))
        self.end_headers()
        self.wfile.write(PAGE)

    def log_message(self, format: str, *arguments: object) -> None:
        pass


@contextmanager
def _pages() -> Iterator[int]:
    """An HTTP server; its port."""
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), _Pages) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield int(server.server_address[1])
        finally:
            server.shutdown()
            thread.join()


def fetch(socks: int, port: int, who: str, timeout_s: float = 60) -> bytes:
    """What 127.0.0.1:port answers, through tor. Each `who` gets circuits of its own.

    SOCKS 5 (RFC 1928) with a user name (RFC 1929), by which tor keeps streams apart. Empty if it did not work out.
    """
    try:
        with socket.create_connection(("127.0.0.1", socks), timeout=timeout_s) as stream:
            name = who.encode()
            stream.sendall(b"\x05\x01\x02")
            _expect(stream, b"\x05\x02")
            stream.sendall(b"\x01" + bytes([len(name)]) + name + b"\x01x")
            _expect(stream, b"\x01\x00")
            stream.sendall(b"\x05\x01\x00\x01\x7f\x00\x00\x01" + port.to_bytes(2, "big"))
            _expect(stream, b"\x05\x00\x00\x01", more=6)
            stream.sendall(b"GET / HTTP/1.0\r\n\r\n")
            answer = b""
            while part := stream.recv(65536):
                answer += part
            return answer.partition(b"\r\n\r\n")[2]
    except OSError:
        return b""


def _expect(stream: socket.socket, wanted: bytes, more: int = 0) -> None:
    got = b""
    while len(got) < len(wanted) + more:
        part = stream.recv(len(wanted) + more - len(got))
        if not part:
            raise OSError("the connection was closed")
        got += part
    if not got.startswith(wanted):
        raise OSError(f"unexpected answer {got!r}")


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if found is None:
        raise UnfitError(f"tor did not say {pattern}")
    return found[1]


def _authority(stage: Scene, tor: Path, ports: tuple[int, int]) -> tuple[Path, str]:
    """Its configuration, and the line that tells others of it."""
    data = stage.folder / "authority"
    orport, dirport = ports
    keys = data / "keys"
    stage.call("mkdir", "-p", "-m", "700", data, keys)
    files = (f"{keys}/authority_identity_key", f"{keys}/authority_signing_key", f"{keys}/authority_certificate")
    script = '"$1" --create-identity-key -m 12 -a "$2" -i "$3" -s "$4" -c "$5" --passphrase-fd 3 3<<END\nany\nEND\n'
    stage.call("sh", "-c", script, "sh", stage.beside / "tor-gencert", f"127.0.0.1:{dirport}", *files)
    identity = _found(r"fingerprint ([0-9A-F]{40})", stage.call("cat", files[2]))
    values = {"data": data, "name": "authority", "orport": orport, "dirport": dirport, "votes": _VOTES_S}
    text = (COMMON + RELAY + AUTHORITY).format(**values)
    # Asked for its fingerprint, tor refuses to run without an authority; any will do.
    some = f"DirAuthority x orport=1 v3ident={'0' * 40} 127.0.0.1:2 {'1' * 40}\n"
    config = _configuration(stage, "authority", text + some)
    said = stage.call(tor, "-f", config, "--list-fingerprint", "--hush")
    fingerprint = _found(r"authority ([0-9A-F ]{40,})", said).replace(" ", "")
    line = f"DirAuthority authority orport={orport} no-v2 v3ident={identity} 127.0.0.1:{dirport} {fingerprint}\n"
    return _configuration(stage, "authority", text + line), line


def _configuration(stage: Scene, name: str, text: str) -> Path:
    path = stage.folder / f"{name}.rc"
    stage.call("sh", "-c", 'printf %s "$1" >"$2"', "sh", text, path)
    return path


def tor_at_work(stage: Scene) -> None:
    tor = stage.folder / "tor"
    ports = iter([free_port() for _ in range(12)])
    config, authority = _authority(stage, tor, (next(ports), next(ports)))
    stage.start([tor, "-f", config], stage.plain())

    def member(name: str, text: str) -> Path:
        data = stage.folder / name
        stage.call("mkdir", "-p", "-m", "700", data)
        values = {"data": data, "name": name, "orport": next(ports)}
        return _configuration(stage, name, (COMMON + text).format(**values) + authority)

    for number in range(3):
        stage.start([tor, "-f", member(f"relay{number}", RELAY + NO_EXIT)], stage.plain())
    last = member("exit", RELAY + EXIT)
    stage.call("env", *(f"{name}={value}" for name, value in stage.server.items()), tor, "-f", last, "--verify-config")
    served = stage.serve([tor, "-f", last], stage.plain())
    socks = next(ports)
    stage.start([tor, "-f", member("client", CLIENT.replace("{socks}", str(socks)))], stage.plain())
    with _pages() as port:
        stage.until("tor's start", lambda: fetch(socks, port, "first", timeout_s=10) == PAGE)
        answers: list[bytes] = []
        people = [
            threading.Thread(
                target=lambda who=str(person): answers.extend(fetch(socks, port, who) for _ in range(PAGES // 4))
            )
            for person in range(4)
        ]
        for person in people:
            person.start()
        for person in people:
            person.join()
    served.send_signal(1)  # SIGHUP: reads its configuration again
    stage.end(served)
    wrong = sum(answer != PAGE for answer in answers)
    if wrong or len(answers) != PAGES:
        raise AssertionError(f"{wrong} of {len(answers)} pages came wrong through tor")
