"""Where a program's processor time goes, by `perf record -e cpu-clock`: to threads, to the network, or to the program.

perf interrupts the program so many times for each second of its processor time and notes where it is: the functions of
the kernel, from the innermost outwards, and of the program itself the one that runs. A call of the kernel counts by its
name. What the kernel does to change threads counts as theirs, whatever call it happens in: a system thread that waits
for the network is switched away from inside recv().
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from heddle.measure.commands import call

KINDS = THREADS, NETWORK, PROGRAM = "threads", "network", "program"
PER_SECOND = 1999

_SWITCHES = re.compile(r"^(__schedule|schedule|schedule_\w+|ret_from_fork\w*|schedule_tail|finish_task_switch.*)$")
_SYSTEM_CALL = re.compile(r"^__(?:x64|arm64|se)_sys_(\w+)$")
_CALLS = {
    THREADS: "clone clone3 epoll_ctl epoll_pwait epoll_pwait2 epoll_wait exit exit_group futex madvise mmap mprotect "
    "munmap rseq rt_sigprocmask sched_yield set_robust_list set_tid_address".split(),
    NETWORK: "close connect fcntl getpeername getsockopt recvfrom recvmsg sendmsg sendto setsockopt shutdown "
    "socket".split(),
}
_KIND_OF_CALL = {name: kind for kind, names in _CALLS.items() for name in names}
# The program's own functions, by how perf writes them.
_OWN = (
    (re.compile(r"heddle::pico::(Socket|Endpoint|connect|\(anonymous namespace\)::(new_socket|attempt))"), NETWORK),
    (re.compile(r"heddle::pico::|heddle::workers::|_fcontext$"), THREADS),
    (re.compile(r"pthread|start_thread|^(__)?clone3?$|allocate_stack|_dl_(de)?allocate_tls|__nptl"), THREADS),
    (re.compile(r"lll_lock_wait|mutex_lock|mutex_unlock|epoll"), THREADS),
    (re.compile(r"^(__)?(GI_)?_*(libc_)?(recv|send|connect|socket|close)$"), NETWORK),
)


def kind_of(stack: Sequence[str]) -> str:
    """Of one sample: its functions, the innermost first."""
    if any(_SWITCHES.match(function) for function in stack):
        return THREADS
    for function in stack:
        if named := _SYSTEM_CALL.match(function):
            return _KIND_OF_CALL.get(named[1], PROGRAM)
    for function in stack:
        for pattern, kind in _OWN:
            if pattern.search(function):
                return kind
    return PROGRAM


def stacks(script: Iterable[str]) -> Iterator[list[str]]:
    """Of what `perf script -F ip,sym` prints: an address and a function in each line, an empty line behind a stack."""
    stack: list[str] = []
    for line in script:
        words = line.split(maxsplit=1)
        if words:
            stack.append(words[1].strip() if len(words) > 1 else "")
        elif stack:
            yield stack
            stack = []
    if stack:
        yield stack


def available() -> bool:
    """perf is there and may look into the kernel."""
    if shutil.which("perf") is None:
        return False
    tried = subprocess.run(
        ["perf", "record", "-q", "-e", "cpu-clock", "-g", "-o", "/dev/null", "true"], capture_output=True, check=False
    )
    return tried.returncode == 0


def shares(command: Sequence[str | Path], samples: Path) -> dict[str, float]:
    """Runs the command; the share of its processor time for each of the three."""
    call(["perf", "record", "-q", "-e", "cpu-clock", "-F", str(PER_SECOND), "-g", "-o", samples, "--", *command])
    counts = Counter(
        kind_of(stack) for stack in stacks(call(["perf", "script", "-i", samples, "-F", "ip,sym"]).splitlines())
    )
    total = max(counts.total(), 1)
    return {kind: counts[kind] / total for kind in KINDS}
