"""Records of scenarios whose commands and times are known, for tests of what is made from records."""

from __future__ import annotations

from typing import Any

Document = dict[str, Any]
MS = 1e-3


def part(
    start: float,
    end: float,
    then: str = "done",
    waits_for: str | None = None,
    cpu: float | None = None,
    thread: int = 0,
) -> Document:
    """All of it computed, if not said otherwise."""
    computed = max(0.0, end - start) if cpu is None else cpu
    return {"start": start, "end": end, "cpu": computed, "thread": thread, "then": then, "waits_for": waits_for}


def command(identity: int, parts: list[Document], kind: str = "compute", **fields: Any) -> Document:  # noqa: ANN401
    return {
        "id": identity,
        "name": f"{kind} {identity}",
        "kind": kind,
        "thread": parts[-1]["thread"] if parts else 0,
        "spawned_by": None,
        "after": [],
        "reads": [],
        "writes": [],
        "start": parts[0]["start"] if parts else 0.0,
        "end": parts[-1]["end"] if parts else 0.0,
        "parts": parts,
        "error": None,
        **fields,
    }


def document(commands: list[Document], model: str = "pool", workers: int = 1, **fields: Any) -> Document:  # noqa: ANN401
    last = max((item["end"] for item in commands), default=0.0)
    threads = sorted({each["thread"] for item in commands for each in item["parts"]} | {0})
    computed = sum(each["cpu"] for item in commands for each in item["parts"])
    return {
        "schema": "heddle/lab",
        "version": 1,
        "scenario": "made up",
        "model": {"name": model, "workers": workers, "busy": False, "connections": None},
        "machine": {"system": "Linux", "release": "6", "architecture": "x86_64", "cores": 2, "model": "Some Processor"},
        "seconds": last,
        "cpu_seconds": computed,
        "foreign_cpu": 0.0,
        "canvas": None,
        "results": {},
        "threads": [
            {
                "id": thread,
                "name": f"worker {thread}",
                "cpu_seconds": sum(
                    each["cpu"] for item in commands for each in item["parts"] if each["thread"] == thread
                ),
                "run_queue_seconds": 0.0,
                "switches_voluntary": 0,
                "switches_involuntary": 0,
                "migrations": 0,
                "faults": 0,
            }
            for thread in threads
        ],
        "commands": commands,
        **fields,
    }


def one_after_the_other(count: int, seconds: float) -> list[Document]:
    """Independent commands that compute, run by one worker."""
    return [command(n, [part(n * seconds, (n + 1) * seconds)]) for n in range(count)]


def loads(count: int, latency: float, cpu: float) -> list[Document]:
    """Commands that ask, wait and take the answer, by one worker that waits for each in turn."""
    commands, clock = [], 0.0
    for n in range(count):
        asked = clock + cpu
        came = asked + latency
        parts = [part(clock, asked, "wait", "socket"), part(came, came + cpu)]
        commands.append(command(n, parts, "load_url"))
        clock = came + cpu
    return commands


def trial(records: list[tuple[str, Document]], **fields: Any) -> Document:  # noqa: ANN401
    """From models and records, one round after the other."""
    rounds: dict[str, int] = {}
    runs = []
    for model, record in records:
        rounds[model] = rounds.get(model, 0) + 1
        runs.append(
            {"model": model, "round": rounds[model], "server_cpu_seconds": 0.0, "counters": {}, "record": record}
        )
    return {
        "schema": "heddle/lab_trial",
        "version": 1,
        "scenario": "made up",
        "options": {"latency": 0.03},
        "machine": records[0][1]["machine"] if records else {"model": "", "cores": 1, "system": "", "release": ""},
        "models": list(dict.fromkeys(model for model, _ in records)),
        "partial": False,
        "counters_missing": {},
        "window": None,
        "runs": runs,
        **fields,
    }


def pool(workers: int, seconds: float, count: int = 8) -> Document:
    """Commands that compute for so long in all, shared by workers."""
    each = seconds / (count // workers)
    commands = [
        command(n, [part(n // workers * each, (n // workers + 1) * each, thread=n % workers)]) for n in range(count)
    ]
    return document(commands, "pool", workers, seconds=seconds)
