"""Machines in network namespaces: each has an address of its own on one bridge, and a link that can be cut.

Needs root. The namespaces, the bridge and their links bear the number of this process, and go with it.
"""

from __future__ import annotations

import ctypes
import os
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path


def why_not() -> str | None:
    """Why there can be no machines here; nothing if there can."""
    if os.geteuid() != 0:
        return "network namespaces need root"
    name = f"hd{os.getpid() % 100000}t"
    made = subprocess.run(["ip", "netns", "add", name], capture_output=True, text=True)
    if made.returncode != 0:
        return f"no network namespaces: {made.stderr.strip()}"
    veth = subprocess.run(
        ["ip", "-n", name, "link", "add", "a0", "type", "veth", "peer", "name", "b0"], capture_output=True, text=True
    )
    bridge = subprocess.run(["ip", "-n", name, "link", "add", "br0", "type", "bridge"], capture_output=True, text=True)
    subprocess.run(["ip", "netns", "del", name], check=False)
    return (veth.stderr + bridge.stderr).strip() or None


def _ip(*words: str) -> None:
    subprocess.run(["ip", *words], check=True, capture_output=True, text=True)


@dataclass(frozen=True)
class Machine:
    namespace: str
    address: str
    wire: str  # the bridge's end of its link, in the namespace of the bridge

    @property
    def command(self) -> list[str]:
        """What runs a command there."""
        return ["ip", "netns", "exec", self.namespace]


async def enter(machine: Machine) -> None:
    """The calling thread opens its sockets there from now on."""
    clone_newnet = 0x40000000
    with Path(f"/run/netns/{machine.namespace}").open() as namespace:
        if ctypes.CDLL(None, use_errno=True).setns(namespace.fileno(), clone_newnet) != 0:
            raise OSError(ctypes.get_errno(), "setns")


class Network:
    """A bridge in a namespace of its own, and machines at 10.93.0.1 and up."""

    def __init__(self) -> None:
        self._name = f"hd{os.getpid() % 100000}"
        self.machines: list[Machine] = []
        _ip("netns", "add", self._name)
        _ip("-n", self._name, "link", "add", "br0", "type", "bridge")
        _ip("-n", self._name, "link", "set", "br0", "up")

    def machine(self) -> Machine:
        number = len(self.machines) + 1
        made = Machine(f"{self._name}m{number}", f"10.93.0.{number}", f"v{number}")
        self.machines.append(made)
        _ip("netns", "add", made.namespace)
        _ip("-n", self._name, "link", "add", made.wire, "type", "veth", "peer", "name", "eth0", "netns", made.namespace)
        _ip("-n", self._name, "link", "set", made.wire, "master", "br0", "up")
        _ip("-n", made.namespace, "addr", "add", f"{made.address}/24", "dev", "eth0")
        _ip("-n", made.namespace, "link", "set", "eth0", "up")
        _ip("-n", made.namespace, "link", "set", "lo", "up")
        return made

    def more_addresses(self, machine: Machine, count: int) -> list[str]:
        """Of one machine, 10.93.1.1 and up."""
        addresses = [f"10.93.1.{number}" for number in range(1, count + 1)]
        for address in addresses:
            _ip("-n", machine.namespace, "addr", "add", f"{address}/16", "dev", "eth0")
        for other in self.machines:
            if other is not machine:
                _ip("-n", other.namespace, "route", "add", "10.93.1.0/24", "dev", "eth0")
        return addresses

    def cut(self, machine: Machine) -> None:
        _ip("-n", self._name, "link", "set", machine.wire, "down")

    def restore(self, machine: Machine) -> None:
        _ip("-n", self._name, "link", "set", machine.wire, "up")

    def remove(self) -> None:
        for name in [self._name, *(machine.namespace for machine in self.machines)]:
            subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)


@contextmanager
def network() -> Iterator[Network]:
    made = Network()
    try:
        yield made
    finally:
        made.remove()
