"""docs/results/README.md and the figures in README.md, from the saved JSON; run it to write both.

A saved result names the commit that it was measured at. `aged` says which results are older than the code that they
measure, as far as this clone knows both.
"""

from __future__ import annotations

import ast
import json
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import Any

from project_files import ROOT

RESULTS = ROOT / "docs/results"
BEGIN, END = "<!-- figures: begin -->\n", "<!-- figures: end -->\n"


@dataclass(frozen=True)
class About:
    """What JSON cannot say of a benchmark."""

    title: str
    peer: str
    conditions: str


ABOUT = {
    "imgserve": About(
        "The thumbnail server of the demo",
        "the same binary on Debian's libevent 2.1.12",
        "2 threads, handlers of 5 ms; the load generator runs on the same two cores and checks every answer",
    ),
    "multivent_micro": About(
        "What the runtime costs and gains on small programs",
        "the same binary on Debian's libevent 2.1.12; `bench` and `bench_cascade` are libevent's own",
        "2 threads; throughput lost to statistics is against the same runtime without them. Single runs of light "
        "handlers on eventfds lie between 0.8 and 1.05",
    ),
    "real_floor": About(
        "Programs that have nothing to gain",
        "the same binaries on Debian's libevent 2.1.12",
        "light handlers of libevent's own samples, libevhtp, memcached, inetd and redsocks; `heddle run --serial` and "
        "`--threads auto`; the client has a core of its own",
    ),
    "papers_onion": About(
        "An onion relay, one word of its source changed",
        "the same program on libevent; and a pool of workers written by hand for it",
        "2 threads; circuits of public-key work; the unchanged program gains nothing",
    ),
    "papers_fileserver": About(
        "A file server whose files are not in memory",
        "the same binary on libevent",
        "storage with 5 ms latency that serves 16 reads at once. Storage that reads one block at a time, as the "
        "paper's disk did, gives 1.01",
    ),
    "papers_crawler": About(
        "A crawler with a thread for each URL",
        "the same crawler on system threads, one for each URL; and a pool of them by hand, with reused buffers",
        "one core for the crawler, one for the site; answers after 10 ms. The goals are what the PicoThreads paper "
        "published, for threads of Java in 1998",
    ),
    "predict": About(
        "Predicted against measured",
        "the measured speed-up from 1 to 2 threads on the same machine",
        "three servers of this repository; predicted from a trace of one thread",
    ),
    "scaling": About(
        "How speed grows with cores",
        "the same program on libevent, or in plain Node; for `heddle crawl` one worker",
        "16 cores of a virtual machine; server and load generator on the same machine. In the saved details: 1 ms "
        "handlers, imgserve, onion, the prime counter for Node and `heddle crawl` by threads, and the predictions, "
        "made of the recorded traces afterwards. Whether 16 busy programs that share nothing would be 16 times as fast "
        "there was not measured. `heddle crawl` did not gain at all (0.81 to 0.99 with 2 to 8 workers, 4,000 pages of "
        "each of 8 sites)",
    ),
    "lab": About(
        "One workload under every model of concurrency",
        "`threads`: one thread for each page, which does everything in order",
        "the page-load experiment of the 2007 paper on five made-up sites with 350 pictures; nginx on the same two "
        "cores, answers after 30 ms. Connections are what each model has by nature; the saved details have the same "
        "with eight for all, sweeps of the pool, processor time of downloads, and ways to protect shared data",
    ),
    "pico": About(
        "What lightweight threads cost",
        "Boost.Context alone, Boost.Fiber, coroutines on asio, Go's goroutines, each on one kernel thread",
        "processor time; a ring of bare contexts has no queue and nobody to wait for; Boost.Fiber with stacks of 64 KB",
    ),
    "objectbase": About(
        "Reading and changing shared objects",
        "LMDB, a key for each slot; SQLite, a row for each slot, in WAL mode",
        "processor time of one process; a thousand objects of 20 slots in a folder in memory, nothing forced to a "
        "disk; each read is of another object",
    ),
    "ipc_advice": About(
        "Whether the advice of `heddle ipc record` is worth its words",
        "the same programs with their messages batched, as advised",
        "Debian's grep, mawk and ts with another option, script or source, a program of ours over a UNIX socket; "
        "savings are parts of the CPU time of both programs. The recorder slows programs down, which changes how often "
        "who sleeps",
    ),
    "objectbase_transports": About(
        "What an owner of objects and an editor tell each other costs",
        "V1: two processes, a message with its value for each slot, one write each",
        "processor time of both sides, each on a core of its own; one object, values of 200 bytes; no rules and no "
        "display, so all of it is communication. The saved details have all six transports, 1 to 100 slots, one core, "
        "values of 8 bytes, messages and bytes",
    ),
    "objectbase_workbench": About(
        "What an edit costs in a program that has rules and a display",
        "V1, as above",
        "processor time of both sides of `examples/workbench` on objectbase's own sources: reading the edited source, "
        "rules in CLIPS, JSON for a page. What the two tell each other is the smaller part",
    ),
    "crawl": About(
        "What `heddle crawl` costs per page",
        "a loop over epoll by hand that allocates and writes nothing; libcurl, colly, wget2, Scrapy",
        "processor time of the crawler alone, on a made-up site over the loopback interface; 32 connections. All files "
        "of ours (robots.txt, `--state`, compressed archive) cost 7.3 to 11.3 times the raw limit (goal 2); "
        "10,000 connections to a server that takes 200 ms 2.0 times as much per page (goal 2.5), and 100 MB (goal 100)",
    ),
    "crawl_real": About(
        "Pages that nobody here wrote",
        "wget2 1.99, Scrapy 2.8 with a spider that has our rules, LinkChecker 10.2 for `--check` on 24 packages",
        "documentation packages of Debian 12 behind Debian's nginx on loopback, each crawled from what it registers "
        "with doc-base. Half of the packages were looked at only when the work on the crawler was done",
    ),
    "conformance": About(
        "libevent's own regression suite",
        "the same suite on Debian's libevent alone",
        "serial, shared by threads, and every handler on another thread, twenty times each. A failure is retried; "
        "what plain libevent fails as well is not counted",
    ),
    "tsan_servers": About(
        "ThreadSanitizer over real servers",
        "none: a report is a failure",
        "imgserve, pgbouncer, tmux and a network of tor relays at work under the runtime with their constraints",
    ),
    "elyze_corpus": About(
        "The analyser on seven servers of Debian 12",
        "`opt -O2` of LLVM 19 on the same bitcode",
        "inetd, redsocks, memcached, pgbouncer, opensmtpd, tmux and tor; processor times",
    ),
    "elyze_truth": About(
        "Whether verdicts are true",
        "the verdict that stands on the line; and every access that a run makes",
        "318 annotated and 10,000 random programs; pgbouncer and tmux at work under the oracle",
    ),
    "node_http": About(
        "Services with handlers of 4 to 5 ms",
        "plain Node.js 24.19; piscina and node:cluster, both by hand, in the saved details",
        "2 workers on 2 cores; the load generator runs beside them",
    ),
    "node_primes": About(
        "The prime counter of the 2011 thesis",
        "plain Node.js 24.19",
        "2 cores",
    ),
    "speculative": About(
        "The prime counter of the 2011 thesis, natively",
        "a queue of functions and plain variables, on one thread",
        "2 workers; every event reads and writes both counters. In the saved details: curves by workers and by batch "
        "size, how often transactions ran again, and heddle-node on the same program",
    ),
    "node_floor": About(
        "Node.js programs of many kinds, beside node",
        "plain Node.js 24.19",
        "{programs} programs, default options; medians of at least {runs} pairs of runs each",
    ),
    "node_truth": About(
        "Whether programs print what they print under node",
        "plain Node.js 20, 22 and 24",
        "10,000 random programs; the suites of twenty npm packages",
    ),
}

# Of each benchmark, what README.md shows: claim, what it is in the reader's words, and which of several with one id.
SHOWN = (
    ("imgserve", "ground.imgserve_throughput", "imgserve, thumbnails of 5 ms: throughput", 0),
    ("imgserve", "ground.imgserve_stats_p99", "imgserve, p99 of a short answer under that load: time", 0),
    ("papers_onion", "multivent.onion", "onion relay, after one word was changed: throughput", 0),
    ("papers_fileserver", "multivent.fileserver", "file server, storage of 5 ms, 16 reads at once: throughput", 0),
    ("multivent_micro", "multivent.light", "handlers of 0.65 µs on an eventfd: throughput", 0),
    ("multivent_micro", "multivent.all_conflict", "every pair of handlers in conflict: throughput", 0),
    ("multivent_micro", "multivent.idle_memory", "10,000 idle connections: memory", 0),
    ("node_http", "node.http_throughput", "express service, handlers of 4 to 5 ms, 2 workers: throughput", 1),
    ("node_floor", "node.floor_min", "worst of {programs} Node.js programs, default options: speed", 0),
)


def told(text: str, result: dict[str, Any]) -> str:
    """The text with what the result says of itself: how many programs it is the worst of, and of how many runs each."""
    for claim in result["claims"]:
        if found := re.match(r"worst of (\d+) ", claim["what"]):
            text = text.replace("{programs}", found[1])
    return text.replace("{runs}", str(min(claim["runs"] for claim in result["claims"])))


def saved() -> dict[str, dict[str, Any]]:
    """Every saved result by the name of its benchmark, in the order of ABOUT, those it does not know last."""
    found = {path.stem: json.loads(path.read_text()) for path in sorted(RESULTS.glob("*.json"))}
    return {name: found[name] for name in (*ABOUT, *sorted(set(found) - set(ABOUT))) if name in found}


def number(value: float, unit: str) -> str:
    if value == int(value):
        return f"{value:.0f}"
    if unit == "MB":
        return f"{value:.0f}"
    return f"{value:.3f}" if abs(value) < 0.1 else f"{value:.2f}"


def goal(claim: dict[str, Any]) -> str:
    return f"{'≥' if claim['better'] == 'higher' else '≤'} {claim['goal']:g}"


def measured(claim: dict[str, Any]) -> str:
    above = claim["measured"] >= claim["goal"]
    met = above if claim["better"] == "higher" else claim["measured"] <= claim["goal"]
    return number(claim["measured"], claim["unit"]) + ("" if met else ", missed")


def spread(claim: dict[str, Any]) -> str:
    return f"± {100 * claim['spread']:.0f} %" if claim["runs"] > 1 else ""


def machine(of: dict[str, Any]) -> str:
    return f"{of['cores']} cores of an {of['model']}, {of['system']} {of['release'].split('-')[0]}"


def section(name: str, result: dict[str, Any]) -> list[str]:
    about = ABOUT[name]
    lines = [
        f"## {name}",
        "",
        f"{about.title}. `./heddle bench {name}`, measured at commit {result['commit']}, {machine(result['machine'])}.",
        "",
        f"- **Peer**: {about.peer}.",
        f"- **Conditions**: {told(about.conditions, result)}.",
        "",
        "| claim | what | goal | measured | spread | runs |",
        "|---|---|---|---|---|---|",
    ]
    for claim in result["claims"]:
        cells = (claim["id"], claim["what"], goal(claim), measured(claim), spread(claim), str(claim["runs"]))
        lines.append(f"| {' | '.join(cells)} |")
    doubts = [f"- Doubtful: {claim['id']}: {claim['doubt']}" for claim in result["claims"] if claim["doubt"]]
    return [*lines, *([""] if doubts else []), *doubts, ""]


def document() -> str:
    """docs/results/README.md"""
    lines = [
        "# Results",
        "",
        "What the benchmarks of `bench/` measured. `tools/results.py` writes this page from the JSON files beside it,",
        "and a test says when they differ. Contenders run in turn. A figure is the median of the ratios of neighbours,",
        "its spread half of the distance between the least and the greatest ratio. A `+` after a commit means that",
        "tracked files differed from it.",
        "",
        "What the verdicts behind these runs rest on: [docs/guides/assumptions.md](../guides/assumptions.md).",
        "",
    ]
    for name, result in saved().items():
        lines += section(name, result)
    return "\n".join(lines)


def figures() -> str:
    """The table in README.md."""
    results = saved()
    lines = ["| program and figure | measured | spread | peer |", "|---|---|---|---|"]
    for name, claim_id, what, which in SHOWN:
        claim = [claim for claim in results[name]["claims"] if claim["id"] == claim_id][which]
        peer = "node" if claim_id.startswith("node.") else "libevent"
        what = told(what, results[name])
        lines.append(f"| [{what}](docs/results/README.md#{name}) | {measured(claim)} | {spread(claim)} | {peer} |")
    return "\n".join(lines) + "\n"


def with_figures(readme: str) -> str:
    """README.md's text, with the figures as they are saved."""
    before, _, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not end:
        raise ValueError(f"README.md has no {BEGIN.strip()} ... {END.strip()}")
    return before + BEGIN + figures() + END + after


def measures(name: str) -> tuple[str, ...]:
    """The files and folders that the benchmark says it measures: MEASURES of bench/NAME.py."""
    for node in ast.parse((ROOT / f"bench/{name}.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "MEASURES":
            return tuple(ast.literal_eval(node.value))
    return ()


def _git(*words: str) -> str | None:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else None


def aged() -> list[str]:
    """A line for each result whose code has changed since, or whose commit this clone does not have."""
    said = []
    for name, result in saved().items():
        commit = str(result.get("commit", "")).removesuffix("+").removesuffix("-dirty")
        changes = _git("log", "--oneline", "--no-merges", f"{commit}..HEAD", "--", *measures(name)) if commit else None
        if changes is None:
            said.append(f"docs/results/{name}.json was measured at {commit or 'no commit'}, which this clone lacks")
        elif changes:
            count = len(changes.splitlines())
            said.append(f"docs/results/{name}.json was measured at {commit}; commits to that code since: {count}")
    return said


def main() -> None:
    (RESULTS / "README.md").write_text(document())
    readme = ROOT / "README.md"
    readme.write_text(with_figures(readme.read_text()))
    sys.stdout.write("".join(f"{line}\n" for line in aged()))


if __name__ == "__main__":
    main()
