"""How many cores this process may use: the affinity mask, cut down by the quota of its control groups."""

import os
from pathlib import Path


def cores() -> int:
    return max(1, min(len(os.sched_getaffinity(0)), quota() or 1_000_000))


def quota(hierarchy: Path = Path("/sys/fs/cgroup"), membership: Path = Path("/proc/self/cgroup")) -> int | None:
    """Whole cores granted by the tightest `cpu.max` on the way up (cgroup v2), or None where there is no limit."""
    try:
        group = next(line[3:] for line in membership.read_text().splitlines() if line.startswith("0::"))
    except (OSError, StopIteration):
        return None
    tightest: float | None = None
    folder = hierarchy / group.strip().lstrip("/")
    while folder.is_relative_to(hierarchy):
        try:
            granted, period = (folder / "cpu.max").read_text().split()
            if granted != "max":
                tightest = min(tightest or float("inf"), int(granted) / int(period))
        except (OSError, ValueError):
            pass  # the top group has no such file
        if folder == hierarchy:
            break
        folder = folder.parent
    # Half a core granted still runs one handler at a time; one and a half keep two busy in turns, but not for long.
    return None if tightest is None else max(1, int(tightest))
