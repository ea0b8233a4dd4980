"""The machine: how many cores this process may use of it, and what it says of itself."""

import os
import platform
from pathlib import Path


def cores() -> int:
    """The cores of the affinity mask, cut down by the quota of the control groups."""
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
    # Half a core still runs one handler at a time. Of one and a half cores the half is not counted: a second thread
    # would use the granted time up early, and both would stand still for the rest of the period.
    return None if tightest is None else max(1, int(tightest))


def model() -> str:
    """The processor's name."""
    try:
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.partition(":")[2].strip()
    except OSError:
        pass
    return platform.processor() or "unknown"


def description() -> dict[str, str | int]:
    """In the words of schemas/run.schema.json."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "architecture": platform.machine(),
        "cores": cores(),
        "model": model(),
    }
