"""What imgserve says of itself."""

from __future__ import annotations

from testing.servers.server_process import Server


def stats(server: Server) -> dict[str, int]:
    lines = server.get("/stats").body.decode().splitlines()
    return {name: int(value) for name, value in (line.split() for line in lines)}
