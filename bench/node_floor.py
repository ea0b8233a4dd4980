"""What heddle-node costs or brings programs that nobody here wrote: services on popular packages, and tools.

Ten programs with nothing worth computing elsewhere: five servers under load, a talk over WebSocket, a compiler, a
linter, a test suite, a job that reads lines. Two where little is: light routes beside one that takes half a
millisecond, every third request or every thirtieth, on the same connections. And a service on each of some fifty
packages, widely used ones of each kind of work, used as their READMEs show (bench/servers/node/popular). Each runs in
plain node and under heddle-node in turn, with default options; every answer is compared with plain node's. Speed is
requests per second, or the inverse of the time from start to end; the claims are the worst of all medians, and the
median of them. Services also have a route that only says "ok": its 99th percentile is printed beside.

The speed of V8's code differs from start to start, with servers by more than the floor's distance from 1. So many
short runs say more than few long ones, and a workload is repeated until it is known on which side of the floor it is
(`settled`): four pairs of runs where all is well, up to sixteen near the floor.

The least of many medians is below all others by chance alone. So of servers there is a second figure, which depends
less on what else the machine does: the processor's time per request, of all threads, in relation to node's (1.05: a
twentieth more). A row is `slow` if speed is below the floor with more than chance, and time per request above what that
means; it is `doubtful` if only one of them is, or chance may be the reason.

A server is measured as one that has run before (`teach`): its modules are analysed, guards that cost something are left
out, and it is known whether it pays to put requests off. Programs that end are measured in two ways: as somebody sees
them who runs them again and again, for heddle-node leaves a program alone that gained nothing in its last runs; and
with `--ship=auto`, by which it looks at every start. The last claim is the time that a program of one line takes to
start and end, with a warm cache of transformed modules.

Services on a dozen packages run a third way: as those of somebody who says in package.json that the package is pure.
That makes the table of docs/guides/node.md, and no claim.

After each program what is known is kept in build/bench/node_floor; a run that was stopped goes on there, if it is the
same commit's.
"""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field, replace
from functools import partial
from typing import Any

from bench._node_workloads import Workload, workloads, written
from heddle.measure import load as loads
from heddle.measure.alternation import Alternation, alternate, alternate_until, median_interval, settled, spread
from heddle.measure.benchmark import Claim, Result, Tools, commit
from heddle.measure.load import Figures, Load, measure
from heddle.measure.node import Contender, finish, version
from heddle.measure.processor import Foreign
from heddle.measure.serving import Server, serving
from heddle.system import places

CLAIMS = ("node.floor_min", "node.floor_median", "node.cold_start")
MEASURES = (
    "bench/_node_workloads.py",
    "bench/servers/node/floor",
    "bench/servers/node/package-lock.json",
    "bench/servers/node/popular",
    "node",
)
GOAL, SAFE = 0.95, 0.97
# Servers that are up at once while heddle-node learns what they are like; one at a time has something to do.
TAUGHT_AT_ONCE = 8
# heddle-node notes what is short, and keeps it, when a program has run for 4 s.
NOTED_AFTER_S = 4.2
ENOUGH_TO_START = 20  # requests after which all modules that a service needs were loaded
COVERING = 400  # requests after which every URL of a workload was asked for


@dataclass(frozen=True)
class Effort:
    least: int  # measure at least so many pairs of runs of a workload, and at most `most`
    most: int
    starts: int
    seconds: float
    warmup_s: float
    taught: tuple[float, ...]  # seconds of load in the runs of a server from which heddle-node has learned


# A guard is left out once three runs agree. The last one is long enough for a trial of whether to put requests off.
FULL = Effort(least=4, most=16, starts=25, seconds=0.7, warmup_s=0.6, taught=(0.3, 0.3, 1.2))
QUICK = Effort(least=4, most=4, starts=10, seconds=0.5, warmup_s=0.4, taught=(1.0,))


@dataclass(frozen=True)
class Declared:
    """A service whose package is declared pure, beside the same service as it is."""

    ratios: list[float]  # speed / node
    refused: tuple[int, int]  # functions and loops of the package: without the word, with it
    taken: tuple[int, int]  # results from workers, in one run


@dataclass(frozen=True)
class Row:
    """What one program showed. Speeds: requests per second, or how often it would run in a second."""

    name: str
    is_server: bool
    pairs: list[tuple[float, float]]
    foreign: Foreign
    looked_at: list[float] = field(default_factory=list)  # speed / node, for a program that is looked at at every start
    light_p99: float | None = None  # of a route that has nothing to do; ratio of the medians
    cpu_ms: float | None = None  # of a request, in plain node
    cpu_pairs: list[tuple[float, float]] = field(default_factory=list)  # of a request, in milliseconds: node, heddle
    declared: Declared | None = None

    @property
    def ratios(self) -> list[float]:
        return [after / before for before, after in self.pairs]

    @property
    def ratio(self) -> float:
        return statistics.median(self.ratios)

    @property
    def cpu_ratios(self) -> list[float]:
        """Processor time per request / node's. Empty for a program that ends by itself."""
        return [after / before for before, after in self.cpu_pairs]

    @property
    def verdict(self) -> str:
        """`slow`: slower than the floor allows; `doubtful`: perhaps; empty: as fast, or one cannot tell otherwise."""
        _, fastest = median_interval(self.ratios)
        slow, dear = self.ratio < GOAL, False
        if self.cpu_pairs:
            least, _ = median_interval(self.cpu_ratios)
            dear = statistics.median(self.cpu_ratios) > 1 / GOAL
            if slow and dear and fastest < GOAL and least > 1 / GOAL:
                return "slow"
        elif slow and fastest < GOAL:
            return "slow"
        return "doubtful" if slow or dear else ""


def row(kept: dict[str, Any]) -> Row:
    """From what `asdict` made of one."""
    declared = kept["declared"]
    return Row(
        **kept
        | {
            "pairs": [(before, after) for before, after in kept["pairs"]],
            "cpu_pairs": [(before, after) for before, after in kept["cpu_pairs"]],
            "foreign": Foreign(**kept["foreign"]),
            "declared": declared and Declared(declared["ratios"], tuple(declared["refused"]), tuple(declared["taken"])),
        }
    )


def teach(tools: Tools, effort: Effort, group: Sequence[Workload]) -> None:
    """Runs servers as they have run before: once to analyse their modules, then for as long as it takes to judge."""
    contenders = [
        (contender.under_heddle().unreported(), workload.load)
        for workload in group
        for contender in (workload.program, workload.declared)
        if contender is not None and workload.load is not None
    ]

    def serve(stack: ExitStack, contender: Contender) -> Server:
        return stack.enter_context(serving(contender.command, contender.environment(tools.work / "run.json")))

    def some(load: Load, seconds: float) -> Load:
        return replace(load, seconds=seconds, warmup_s=0, probe=None, hashes=None)

    for contender, load in contenders:
        # Asked to look, it analyses packages when they are loaded, not after two seconds.
        with ExitStack() as stack:
            server = serve(stack, replace(contender, extra=(*contender.extra, ("HEDDLE_SHIP", "auto"))))
            loads.run(server, replace(some(load, 0), requests=ENOUGH_TO_START))
    for seconds in effort.taught:
        with ExitStack() as stack:
            up = [(serve(stack, contender), load) for contender, load in contenders]
            until = time.monotonic() + NOTED_AFTER_S
            for server, load in up:
                # The first answers of a tool that serves may take longer than all of the time.
                loads.run(server, replace(some(load, 0), requests=ENOUGH_TO_START))
                loads.run(server, some(load, seconds))
            time.sleep(max(0.0, until - time.monotonic()))


def counted(contender: Contender, load: Load, tools: Tools, package: str) -> tuple[int, int]:
    """What a run's report says: how much of the package was refused, and how many results were taken."""
    measure(contender.under_heddle(), load, tools.work)
    report = json.loads((tools.work / "run.json").read_text())
    inside = f"node_modules/{package}/"
    refused = sum(inside in refusal["file"] for refusal in report["refusals"])
    return refused, sum(site["matched"] for site in report["sites"])


def compare_servers(tools: Tools, effort: Effort, workload: Workload, load: Load) -> Row:
    plain, heddle = workload.program, workload.program.under_heddle().unreported()
    declared = None if workload.declared is None else workload.declared.under_heddle().unreported()
    seen: dict[Contender, list[Figures]] = {one: [] for one in (plain, heddle, declared) if one is not None}
    # What plain node answers to each URL; all runs behind it must give the same.
    measure(plain, replace(load, requests=COVERING, warmup_s=0, probe=None), tools.work)

    def per_s(contender: Contender) -> float:
        seen[contender].append(measure(contender, load, tools.work))
        return seen[contender][-1].per_s

    def ours() -> float:
        found = per_s(heddle)
        if declared is not None:
            per_s(declared)
        return found

    known = partial(settled, goal=GOAL, safe=SAFE)
    usual = alternate_until(known, effort.least, effort.most, partial(per_s, plain), ours)
    light_p99 = None
    if load.probe is not None:
        before, after = (statistics.median(figures.probe_p99_ms for figures in seen[one]) for one in (plain, heddle))
        light_p99 = after / before
    found = None
    if declared is not None and workload.declared is not None:
        ratios = [b.per_s / a.per_s for a, b in zip(seen[plain], seen[declared], strict=True)]
        counts = [counted(one, load, tools, workload.name) for one in (plain, workload.declared)]
        (refused, taken), (refused_still, taken_now) = counts
        found = Declared(ratios, (refused, refused_still), (taken, taken_now))
    return Row(
        workload.name,
        True,
        usual.pairs,
        usual.foreign,
        light_p99=light_p99,
        cpu_ms=statistics.median(figures.cpu_per_request_ms for figures in seen[plain]),
        cpu_pairs=[
            (a.cpu_per_request_ms, b.cpu_per_request_ms) for a, b in zip(seen[plain], seen[heddle], strict=True)
        ],
        declared=found,
    )


def compare_runs(tools: Tools, effort: Effort, workload: Workload) -> Row:
    plain, heddle = workload.program, workload.program.under_heddle().unreported()
    watched = replace(heddle, extra=(*heddle.extra, ("HEDDLE_SHIP", "auto")))
    # The first ones also fill caches: the file system's, and that of transformed modules.
    said = finish(plain, tools.work).out if workload.steady else None
    finish(heddle, tools.work, said)

    def runs_per_s(contender: Contender) -> float:
        return 1 / finish(contender, tools.work, said).seconds

    known = partial(settled, goal=GOAL, safe=SAFE)
    usual, looked_at = (
        alternate_until(known, effort.least, effort.most, partial(runs_per_s, plain), partial(runs_per_s, other))
        for other in (heddle, watched)
    )
    return Row(
        workload.name,
        False,
        usual.pairs,
        usual.foreign.worse(looked_at.foreign),
        looked_at=looked_at.ratios(lambda figure: figure),
    )


def start_up(tools: Tools, effort: Effort) -> Alternation[float]:
    hello = Contender(written(tools.work / "hello.js", lambda: "console.log('hello');\n"))
    heddle = hello.under_heddle().unreported()
    for contender in (hello, heddle):
        finish(contender, tools.work, "hello\n")  # the cache is warm after this

    def seconds(contender: Contender) -> float:
        return finish(contender, tools.work, "hello\n").seconds

    return alternate(effort.starts, partial(seconds, hello), partial(seconds, heddle))


class Kept:
    """The rows so far, in a file, as a result that says of how many programs it is."""

    def __init__(self, tools: Tools, effort: Effort, all_of: int) -> None:
        self.path = tools.work / ("partial-quick.json" if effort is QUICK else "partial.json")
        self.all_of = all_of
        self.rows: dict[str, Row] = {}
        # What tells whether figures of an earlier run are of the same thing.
        self.of = {"commit": commit(places.root()), "node": version(), "effort": json.loads(json.dumps(asdict(effort)))}
        self.earlier = 0

    def take_up(self) -> None:
        if not self.path.exists() or self.of["commit"].endswith("-dirty"):
            return
        details = json.loads(self.path.read_text())["details"]
        if details["of"] == self.of:
            self.rows = {kept["name"]: row(kept) for kept in details["rows"]}
            self.earlier = len(self.rows)

    def add(self, found: Row) -> None:
        self.rows[found.name] = found
        self.result(None).save(self.path)

    def result(self, starts: Alternation[float] | None) -> Result:
        """Claims of the programs that have run; `starts` None: it is not all."""
        rows = list(self.rows.values())
        details: dict[str, Any] = {
            "node": self.of["node"],
            "rows": [asdict(one) for one in rows],
            "verdicts": {one.name: one.verdict for one in rows if one.verdict},
            "table": table(rows) + guide_table(rows),
        }
        foreign = Foreign()
        for one in rows:
            foreign = foreign.worse(one.foreign)
        doubts = foreign.doubts()
        perhaps = [one.name for one in rows if one.verdict == "doubtful"]
        if perhaps:
            doubts.append(f"of {len(rows)} programs {len(perhaps)} may be slower, or not: {', '.join(perhaps)}")
        if self.earlier:
            doubts.append(f"{self.earlier} programs were measured in an earlier run, which was stopped")
        if starts is None:
            details["of"] = self.of
            doubts.append(f"partial: {len(rows)} of {self.all_of} programs")
        else:
            details["start_s"] = {"node": statistics.median(starts.first), "heddle": statistics.median(starts.second)}
        return Result(bench="node_floor", claims=claims(rows, "; ".join(doubts), starts), details=details)


def figures(ratios: Sequence[float]) -> str:
    low, high = median_interval(ratios)
    return f"{statistics.median(ratios):.2f} ({low:.2f} to {high:.2f})"


def table(rows: Sequence[Row]) -> list[str]:
    lines = [
        "",
        f"{'workload':<26}{'node':>10}{'heddle':>10}{'ratio, and of median':>23}{'from, to':>14}{'pairs':>7}"
        f"{'CPU per request':>23}{'looked at':>11}{'light p99':>11}",
    ]
    for one in rows:
        speeds = [statistics.median(speeds) for speeds in zip(*one.pairs, strict=True)]
        shown = [f"{speed:.0f}/s" if one.is_server else f"{1 / speed:.2f} s" for speed in speeds]
        looked_at = f"{statistics.median(one.looked_at):.2f}" if one.looked_at else "-"
        cpu = figures(one.cpu_ratios) if one.cpu_pairs else "-"
        light = "-" if one.light_p99 is None else f"{one.light_p99:.2f}"
        ends = f"{min(one.ratios):.2f}, {max(one.ratios):.2f}"
        lines.append(
            f"{one.name:<26}{shown[0]:>10}{shown[1]:>10}{figures(one.ratios):>23}{ends:>14}{len(one.pairs):>7}"
            f"{cpu:>23}{looked_at:>11}{light:>11}  {one.verdict}".rstrip()
        )
    return lines


def guide_table(rows: Sequence[Row]) -> list[str]:
    """As it stands in docs/guides/node.md."""
    chosen = sorted((one for one in rows if one.declared is not None), key=lambda one: one.name)
    if not chosen:
        return []
    head = f" {'package':<12}{'CPU, ms':>10}   {'undeclared':<22}{'pure':<22}{'refused':>9}   taken"
    lines = ["", head, " " + "─" * (len(head) - 1)]
    for one in chosen:
        declared = one.declared
        assert declared is not None
        refused = " → ".join(map(str, declared.refused))
        taken = ", ".join(map(str, declared.taken))
        lines.append(
            f" {one.name:<12}{one.cpu_ms:>10.2f}   {figures(one.ratios):<22}{figures(declared.ratios):<22}"
            f"{refused:>9}   {taken}"
        )
    return lines


def claims(rows: Sequence[Row], doubt: str, starts: Alternation[float] | None) -> list[Claim]:
    worst = min(rows, key=lambda one: one.ratio)
    middles = [one.ratio for one in rows]
    found = [
        Claim(
            "node.floor_min",
            f"worst of {len(rows)} programs ({worst.name}), speed / node",
            "ratio",
            "higher",
            GOAL,
            worst.ratio,
            spread(worst.ratios),
            len(worst.pairs),
            doubt,
        ),
        Claim(
            "node.floor_median",
            "median of those",
            "ratio",
            "higher",
            0.99,
            statistics.median(middles),
            spread(middles),
            min(len(one.pairs) for one in rows),
            doubt,
        ),
    ]
    if starts is not None:
        ratios = starts.ratios(lambda figure: figure)
        found.append(
            Claim(
                "node.cold_start",
                "start-up of hello world with warm cache / node",
                "ratio",
                "lower",
                2.0,
                statistics.median(ratios),
                spread(ratios),
                len(ratios),
                "; ".join(starts.doubts()),
            )
        )
    return found


def run(quick: bool, tools: Tools) -> Result:
    effort = QUICK if quick else FULL
    programs = workloads(tools, effort.seconds, effort.warmup_s)
    kept = Kept(tools, effort, len(programs))
    kept.take_up()
    left = [workload for workload in programs if workload.name not in kept.rows]
    servers = [workload for workload in left if workload.load is not None]
    groups = [servers[at : at + TAUGHT_AT_ONCE] for at in range(0, len(servers), TAUGHT_AT_ONCE)]
    for group in [[workload for workload in left if workload.load is None], *groups]:
        if group and group[0].load is not None:
            tools.say(f"what {', '.join(workload.name for workload in group)} are like")
            teach(tools, effort, group)
        for workload in group:
            tools.say(f"{len(kept.rows) + 1} of {len(programs)}: {workload.name}")
            if workload.load is None:
                found = compare_runs(tools, effort, workload)
            else:
                found = compare_servers(tools, effort, workload, workload.load)
            kept.add(found)
            said = f"{workload.name}: {figures(found.ratios)}, {len(found.pairs)} pairs"
            tools.say(f"{said}, {found.verdict}" if found.verdict else said)
    tools.say("start-up")
    done = kept.result(start_up(tools, effort))
    kept.path.unlink(missing_ok=True)
    return done
