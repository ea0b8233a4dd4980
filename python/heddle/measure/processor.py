"""Whether somebody else used the machine during a measurement.

A figure that was measured beside other people's work is worth little. What counts as foreign is the processor time of
the whole machine less our own, time included that a virtual machine's host took from it (`steal` in proc(5)).
"""

import os
import resource
from dataclasses import dataclass
from pathlib import Path

_STAT = Path("/proc/stat")
MOST_FOREIGN = 0.05  # above this share a figure is doubtful


@dataclass(frozen=True)
class Foreign:
    """Shares of the machine's processor time."""

    share: float = 0.0  # other programs, and the machine's host
    stolen: float = 0.0  # the host alone

    def worse(self, other: "Foreign") -> "Foreign":
        return Foreign(max(self.share, other.share), max(self.stolen, other.stolen))

    def doubts(self) -> list[str]:
        if self.share <= MOST_FOREIGN:
            return []
        host = f", its host alone {self.stolen:.0%}" if self.stolen >= 0.01 else ""
        return [f"other programs took up to {self.share:.0%} of the machine{host}"]


class Watch:
    """Watches the machine from the moment when it is made.

    Children of this process are its own work once they have been waited for, so every server and load generator must
    have ended before `foreign` is read.
    """

    def __init__(self) -> None:
        self._own = _own_s()
        self._used, self._stolen, self._total = _machine_s()

    @property
    def foreign(self) -> Foreign:
        used, stolen, total = _machine_s()
        if total <= self._total:
            return Foreign()
        theirs = (used - self._used) - (_own_s() - self._own)
        of = total - self._total
        return Foreign(max(0.0, theirs / of), (stolen - self._stolen) / of)


def _machine_s() -> tuple[float, float, float]:
    """Processor seconds of the whole machine since it started: used or stolen, stolen, and all there were (proc(5))."""
    words = _STAT.read_text().split("\n", 1)[0].split()[1:9]
    user, nice, system, idle, iowait, irq, softirq, steal = (int(word) / os.sysconf("SC_CLK_TCK") for word in words)
    used = user + nice + system + irq + softirq + steal
    return used, steal, used + idle + iowait


def _own_s() -> float:
    usages = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(usage.ru_utime + usage.ru_stime for usage in usages)
