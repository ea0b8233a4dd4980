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

from bench import servers
from bench.imgserve import threads as computing_threads
from heddle.errors import BadInputError
from heddle.measure.alternation import Alternation, alternate, median_interval
from heddle.measure.benchmark import Claim, Result, Tools, ratio_claim
from heddle.measure.commands import call
from heddle.measure.libevent import Contender, Program, build
from heddle.measure.serving import serving
from heddle.system import machine, places

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
MEASURES = (
    "base",
    "bench/servers/rings.c",
    "bench/servers/sleeper.c",
    "elyze",
    "multivent",
    "scheduler",
    "schemas",
    "telemetry",
)
BLOCKING_THREADS = 16
SESSIONS = 8
EVENTFD_US = 2.5  # taken for a call when calls are counted out; a real one takes less
SETTLE_S = 60.0


@dataclass(frozen=True)
class Effort:
    rounds: int
    seconds: float  # how long a run on libevent should take
    connections: int


FULL = Effort(rounds=7, seconds=2.0, connections=10_000)
QUICK = Effort(rounds=3, seconds=0.5, connections=2_000)


class Micro:
    def __init__(self, tools: Tools, effort: Effort) -> None:
        self.tools, self.effort = tools, effort
        self.threads = computing_threads()
        # Rounds of claims that a few per cent decide, for single runs differ by more than that.
        self.many = 3 * effort.rounds
        self.details: dict[str, Any] = {"threads": self.threads}
        self.rings = servers.rings(tools.work)
        for handler, verdict in (("on_own", "session"), ("on_shared", "always")):
            if self.rings.verdict(handler, handler) != verdict:
                raise BadInputError(
                    f"{handler} of rings.c is {self.rings.verdict(handler, handler)}, not {verdict}", "correct rings.c"
                )
        self.rounds_per_ms = int(call([self.rings.path, "rounds"]))

    def run_s(
        self,
        server: Program,
        arguments: Sequence[str],
        threads: int | None,
        read: Callable[[str], float],
        **settings: str,
    ) -> float:
        """Runs a program to its end and returns its time, which `read` takes out of its output."""
        run_file = self.tools.work / "run.json"
        run_file.unlink(missing_ok=True)
        contender = Contender(server, tuple(arguments), threads, settings=tuple(settings.items()))
        environment = contender.environment(run_file)
        done = subprocess.run(
            contender.command, env=environment, capture_output=True, text=True, check=False, timeout=600
        )
        if done.returncode != 0:
            said = done.stderr.strip()[-200:]
            raise BadInputError(
                f"{server.path.name} ended with {done.returncode} ({said})", "run it by hand to see more"
            )
        contender.check(run_file)
        return read(done.stdout)

    def compare(
        self,
        name: str,
        server: Program,
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
        """`rings` with handlers of `each_us` microseconds, on libevent and under the runtime with `threads` threads."""
        amount = {"spin": int(each_us * self.rounds_per_ms / 1000), "sleep": int(each_us)}.get(work, 0)
        calls = int(longer * self.effort.seconds * 1e6 / each_us / sessions)
        return self.compare(
            name, self.rings, [str(sessions), str(calls), work, str(amount), who], threads, rounds=rounds
        )

    def _note(self, name: str, found: Alternation[float]) -> None:
        self.details[name] = {
            "libevent": statistics.median(found.first),
            "heddle": statistics.median(found.second),
            "foreign_cpu": found.foreign.share,
        }

    def faster(self, name: str, what: str, goal: float, found: Alternation[float], per: float = 1) -> Claim:
        """A claim on the speed against libevent, divided by `per`. `found` has the times of both."""
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
                per=machine.cores(),
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
        cache = places.root() / "build/third_party"
        call([places.root() / "tools/fetch_debian_source", "libevent", cache])
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
            server = build(self.tools.work / name, name, [source], flags, ["-levent"])
            found = self.compare(name, server, arguments, self.threads, _median_of_lines, self.many)
            what, ratios = f"libevent's {name}, time / libevent", found.ratios(lambda microseconds: microseconds)
            claims.append(ratio_claim(f"multivent.{claim}", what, 1.05, ratios, found.doubts(), better="lower"))
        return claims

    def stats_costs(self) -> list[Claim]:
        """What figures cost in three cases: several threads, one thread, and messages that go through the kernel."""

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
        """Single runs differ by more than figures cost, so the details say how far the median is known."""
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
        server = servers.sleeper(self.tools.work)
        plain, parallel = Contender(server), Contender(server, threads=self.threads)
        found = alternate(min(3, self.effort.rounds), lambda: self._idle_kb(plain), lambda: self._idle_kb(parallel))
        self._note(f"kB with {self.effort.connections} idle connections", found)
        what = f"{self.effort.connections:,} idle connections, memory / libevent"
        return ratio_claim("multivent.idle_memory", what, 1.2, found.ratios(lambda kb: kb), [], better="lower")

    def _idle_kb(self, contender: Contender) -> float:
        """Resident memory of a server with so many connections."""
        count = self.effort.connections
        least, most = resource.getrlimit(resource.RLIMIT_NOFILE)
        if most < count + 100:
            raise BadInputError(
                f"at most {most} descriptors are allowed here", f"raise that to {count + 100} with ulimit -Hn"
            )
        resource.setrlimit(resource.RLIMIT_NOFILE, (count + 100, most))
        peers: list[socket.socket] = []
        try:
            environment = contender.environment(self.tools.work / "run.json")
            with serving(contender.command, environment) as running:
                peers += [socket.create_connection(("127.0.0.1", running.port)) for _ in range(count)]
                deadline = time.monotonic() + SETTLE_S
                while len(os.listdir(f"/proc/{running.pid}/fd")) < count:  # noqa: PTH208 - names only, many times
                    if time.monotonic() > deadline:
                        raise BadInputError("the server does not take all connections", "look for its limits")
                    time.sleep(0.05)
                status = Path(f"/proc/{running.pid}/status").read_text()
                for peer in peers:
                    peer.close()
                return float(status.split("VmRSS:")[1].split()[0])
        finally:
            for peer in peers:
                peer.close()
            resource.setrlimit(resource.RLIMIT_NOFILE, (least, most))


def _median_of_lines(text: str) -> float:
    """The median of the times in the output, without the first five: those touch memory for the first time."""
    return statistics.median(int(line) for line in text.split()[5:])


def run(quick: bool, tools: Tools) -> Result:
    tools.say("building and analysing")
    micro = Micro(tools, QUICK if quick else FULL)
    claims = [*micro.rings_claims(), *micro.libevents_own(), *micro.stats_costs(), micro.idle_memory()]
    claims.sort(key=lambda claim: CLAIMS.index(claim.id))
    return Result(bench="multivent_micro", claims=claims, details=micro.details)
