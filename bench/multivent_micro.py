"""What the runtime costs where there is nothing to gain, and what it gains where there is: small programs, no clients.

Against plain libevent, the same binary, in turn. All run under the constraints that elyze finds in them; none is
written by hand.

  light      handlers with next to nothing to do, several sessions, nothing shared. Twice: one that reads and writes
             an eventfd, the least that an event can be, where every tenth of a microsecond shows; and one that answers
             a message of eight bytes over TCP, the least that a server can do
  bench, cascade   libevent's own benchmarks, from Debian's source package; everything in them conflicts, so they run
             on one thread
  us50, cpu_per_core   handlers that compute for 50 us, for 1 ms
  blocking_per_thread  handlers that sleep for 5 ms, on 16 threads
  all_conflict   handlers that compute for 50 us and count in one variable
  idle_memory    10,000 connections on which nothing happens, to bench/servers/sleeper.c
  stats_cost     light again, with figures per handler and without; also on one thread, where runs differ less
"""

from __future__ import annotations

import os
import resource
import socket
import statistics
import subprocess
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from _http import Contender, Server, build, call, check_parallel, may_overlap, running
from _measure import Alternation, BenchError, Claim, Result, Tools, alternate, median_interval, ratio_claim
from imgserve import C11, cores

CLAIMS = (
    "multivent.light",
    "multivent.bench",
    "multivent.cascade",
    "multivent.us50",
    "multivent.cpu_per_core",
    "multivent.blocking_per_thread",
    "multivent.all_conflict",
    "multivent.idle_memory",
    "multivent.stats_cost",
)
BLOCKING_THREADS = 16
SESSIONS = 8
EVENTFD_US = 2.5  # more than a call takes
SETTLE_S = 60.0


@dataclass(frozen=True)
class Effort:
    rounds: int
    seconds: float  # that a run on libevent should take
    connections: int


FULL = Effort(rounds=7, seconds=2.0, connections=10_000)
QUICK = Effort(rounds=3, seconds=0.5, connections=2_000)


class Micro:
    def __init__(self, tools: Tools, effort: Effort) -> None:
        self.tools, self.effort = tools, effort
        self.threads = max(2, cores())
        # Where a few per cent decide, which is less than two runs differ by.
        self.many = 3 * effort.rounds
        self.details: dict[str, Any] = {"threads": self.threads}
        rings = tools.root / "bench/servers/rings.c"
        self.rings = build(tools, tools.work / "rings", "rings", [rings], C11, ["-levent"])
        for handler, verdict in (("on_own", "session"), ("on_shared", "always")):
            if self.rings.verdict(handler, handler) != verdict:
                raise BenchError(f"{handler} of rings.c is {self.rings.verdict(handler, handler)}, not {verdict}")
        self.rounds_per_ms = int(call([self.rings.program, "rounds"]))

    def run_s(
        self,
        server: Server,
        arguments: Sequence[str],
        threads: int | None,
        read: Callable[[str], float],
        **settings: str,
    ) -> float:
        """One run to its end; `read` makes of its output what took how long."""
        run_file = self.tools.work / "run.json"
        run_file.unlink(missing_ok=True)
        contender = Contender(server, tuple(arguments), threads)
        environment = contender.environment(self.tools, run_file) | settings
        done = subprocess.run(
            [server.program, *arguments], env=environment, capture_output=True, text=True, check=False, timeout=600
        )
        if done.returncode != 0:
            raise BenchError(f"{server.program.name} ended with {done.returncode}: {done.stderr.strip()[-200:]}")
        if threads is not None and threads > 1 and may_overlap(server):
            check_parallel(run_file)
        return read(done.stdout)

    def compare(
        self,
        name: str,
        server: Server,
        arguments: Sequence[str],
        threads: int,
        read: Callable[[str], float] = float,
        rounds: int | None = None,
    ) -> Alternation[float]:
        self.tools.say(name)
        take = partial(self.run_s, server, arguments)
        found = alternate(rounds or self.effort.rounds, lambda: take(None, read), lambda: take(threads, read))
        self._note(name, found)
        return found

    def turn(
        self,
        name: str,
        work: str,
        each_us: float,
        threads: int,
        who: str = "own",
        sessions: int = SESSIONS,
        longer: int = 1,
        rounds: int | None = None,
    ) -> Alternation[float]:
        """`rings` with handlers that take so long, on libevent and on so many threads."""
        amount = {"spin": int(each_us * self.rounds_per_ms / 1000), "sleep": int(each_us)}.get(work, 0)
        calls = int(longer * self.effort.seconds * 1e6 / each_us / sessions)
        return self.compare(
            name, self.rings, [str(sessions), str(calls), work, str(amount), who], threads, rounds=rounds
        )

    def _note(self, name: str, found: Alternation[float]) -> None:
        self.details[name] = {
            "libevent": statistics.median(before for before, _ in found.pairs),
            "heddle": statistics.median(after for _, after in found.pairs),
            "foreign_cpu": found.foreign,
        }

    # ---- one claim each ----

    def faster(self, name: str, what: str, goal: float, found: Alternation[float], per: float = 1) -> Claim:
        """Speed against libevent, divided by `per`; the alternation has times."""
        ratios = [1 / ratio / per for ratio in found.ratios(lambda seconds: seconds)]
        return ratio_claim(f"multivent.{name}", what, goal, ratios, found.doubts())

    def rings_claims(self) -> list[Claim]:
        few = self.threads
        return [
            self.faster(
                "light",
                "light handlers (eventfd), throughput / libevent",
                0.97,
                self.turn("light: eventfd", "none", EVENTFD_US, few, rounds=self.many),
            ),
            self.faster(
                "light",
                "light handlers (TCP, 8 bytes), throughput / libevent",
                0.97,
                self.turn("light: TCP", "answer", 7, few),
            ),
            self.faster("us50", "50 us handlers, throughput / libevent", 0.97, self.turn("us50", "spin", 50, few)),
            self.faster(
                "cpu_per_core",
                "1 ms CPU handlers, speed-up / cores",
                0.90,
                self.turn("cpu", "spin", 1000, few),
                per=cores(),
            ),
            self.faster(
                "blocking_per_thread",
                f"5 ms blocking handlers, speed-up / threads ({BLOCKING_THREADS})",
                0.95,
                self.turn("blocking", "sleep", 5000, BLOCKING_THREADS, sessions=2 * BLOCKING_THREADS, longer=4),
                per=BLOCKING_THREADS,
            ),
            self.faster(
                "all_conflict",
                "all-conflict, throughput / libevent",
                0.97,
                self.turn("conflict", "spin", 50, few, who="shared"),
            ),
        ]

    def libevents_own(self) -> list[Claim]:
        """Time of libevent's bench programs, the median of the runs that each makes."""
        cache = self.tools.root / "build/third_party"
        call([self.tools.root / "tools/fetch_debian_source", "libevent", cache])
        private = self.tools.work / "private"
        private.mkdir(exist_ok=True)
        (private / "evconfig-private.h").touch()  # what its configure would say of the library's own build
        flags = ["-w", "-D_GNU_SOURCE", "-I", str(private), "-I", str(cache / "libevent/compat")]
        claims = []
        for claim, name, arguments in (
            ("bench", "bench", ["-n", "1000", "-a", "100", "-w", "20000"]),
            ("cascade", "bench_cascade", ["-n", "4000"]),
        ):
            source = cache / f"libevent/test/{name}.c"
            server = build(self.tools, self.tools.work / name, name, [source], flags, ["-levent"])
            found = self.compare(name, server, arguments, self.threads, _median_of_lines, self.many)
            what, ratios = f"libevent's {name}, time / libevent", found.ratios(lambda microseconds: microseconds)
            claims.append(ratio_claim(f"multivent.{claim}", what, 1.05, ratios, found.doubts(), better="lower"))
        return claims

    def stats_costs(self) -> list[Claim]:
        """Once per way to run a call: shared by threads, on one thread, and with a message through the kernel."""

        def calls(each_us: float) -> str:
            return str(int(self.effort.seconds * 1e6 / each_us / SESSIONS))

        eventfd = [str(SESSIONS), calls(EVENTFD_US), "none", "0", "own"]
        answer = [str(SESSIONS), calls(7), "answer", "0", "own"]
        return [
            self._stats_cost("eventfd", eventfd, self.threads, 3 * self.many),
            self._stats_cost("eventfd, one thread", eventfd, 1, self.many),
            self._stats_cost("TCP", answer, self.threads, self.many),
        ]

    def _stats_cost(self, name: str, arguments: Sequence[str], threads: int, rounds: int) -> Claim:
        """Runs differ by more than statistics take: how far the median can be trusted is among the details."""
        self.tools.say(f"figures on and off: {name}")
        take = partial(self.run_s, self.rings, arguments, threads, float)
        found = alternate(rounds, lambda: take(HEDDLE_STATS="0"), lambda: take(HEDDLE_STATS="1"))
        self._note(f"stats, {name}: without and with", found)
        lost = [1 - 1 / ratio for ratio in found.ratios(lambda seconds: seconds)]
        self.details[f"stats, {name}: lost, 95 % interval of the median"] = median_interval(lost)
        return Claim(
            "multivent.stats_cost",
            f"throughput lost to statistics, light handlers ({name})",
            "ratio",
            "lower",
            0.02,
            statistics.median(lost),
            (max(lost) - min(lost)) / 2,  # of all throughput, not of what is lost
            len(lost),
            "; ".join(found.doubts()),
        )

    def idle_memory(self) -> Claim:
        self.tools.say(f"{self.effort.connections} idle connections")
        source = self.tools.root / "bench/servers/sleeper.c"
        server = build(self.tools, self.tools.work / "sleeper", "sleeper", [source], C11, ["-levent"])
        plain, parallel = Contender(server, ()), Contender(server, (), self.threads)
        found = alternate(min(3, self.effort.rounds), lambda: self._idle_kb(plain), lambda: self._idle_kb(parallel))
        self._note(f"kB with {self.effort.connections} idle connections", found)
        what = f"{self.effort.connections:,} idle connections, memory / libevent"
        return ratio_claim("multivent.idle_memory", what, 1.2, found.ratios(lambda kb: kb), [], better="lower")

    def _idle_kb(self, contender: Contender) -> float:
        """Resident memory of a server with so many connections."""
        count = self.effort.connections
        least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most < count + 100:
            raise BenchError(
                f"at most {most} descriptors are allowed here: raise that to {count + 100} with ulimit -Hn"
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (count + 100, most))
        peers: list[socket.socket] = []
        try:
            with running(self.tools, contender, self.tools.work / "run.json") as (port, pid):
                peers += [socket.create_connection(("127.0.0.1", port)) for _ in range(count)]
                deadline = time.monotonic() + SETTLE_S
                while len(os.listdir(f"/proc/{pid}/fd")) < count:  # noqa: PTH208 - names only, many times
                    if time.monotonic() > deadline:
                        raise BenchError("the server does not take all connections: look for its limits")
                    time.sleep(0.05)
                status = Path(f"/proc/{pid}/status").read_text()
                for peer in peers:
                    peer.close()
                return float(status.split("VmRSS:")[1].split()[0])
        finally:
            for peer in peers:
                peer.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))


def _median_of_lines(text: str) -> float:
    """Without the first five, in which memory is touched for the first time."""
    return statistics.median(int(line) for line in text.split()[5:])


def run(quick: bool, tools: Tools) -> Result:
    tools.work.mkdir(parents=True, exist_ok=True)
    tools.need(tools.multivent)
    tools.say("building and analysing")
    micro = Micro(tools, QUICK if quick else FULL)
    claims = [*micro.rings_claims(), *micro.libevents_own(), *micro.stats_costs(), micro.idle_memory()]
    claims.sort(key=lambda claim: CLAIMS.index(claim.id))
    return Result(bench="multivent_micro", claims=claims, details=micro.details)
