"""A run as a timeline: for Perfetto, and as rows of bars for a page."""

from dataclasses import dataclass
from pathlib import Path

from heddle.documents import timeline
from heddle.documents.timeline import Slice
from heddle.errors import BadInputError
from heddle.lab.recorded import Run

_NS = 1e9
_BINS = 800  # bars of a row: more cannot be told apart


@dataclass(frozen=True)
class Bar:
    """Shares of the run's time, in percent."""

    start: float
    width: float
    kind: str
    title: str


@dataclass(frozen=True)
class Row:
    name: str
    bars: tuple[Bar, ...]
    busy: float  # share of the time with a part on the thread
    computed: float  # share of the time on a processor


def write_perfetto(run: Run, file: Path) -> None:
    threads = {thread.id: thread.name for thread in run.threads}
    slices = [
        Slice(
            command.name,
            part.thread,
            round(part.start * _NS),
            round(part.end * _NS),
            {
                "kind": command.kind,
                "part": f"{number + 1} of {len(command.parts)}",
                "cpu_us": round(part.cpu * 1e6),
                "then": f"{part.then} {part.waits_for or ''}".strip(),
            },
        )
        for command in run.commands
        for number, part in enumerate(command.parts)
    ]
    slices.sort(key=lambda each: (each.thread, each.begin))
    changes = sorted(
        [(round(command.start * _NS), 1) for command in run.commands if command.parts]
        + [(round(command.end * _NS), -1) for command in run.commands if command.parts]
    )
    values, begun = [], 0
    for time, step in changes:
        begun += step
        values.append((time, begun))
    name = f"{run.scenario} under {run.model.label}"
    try:
        with file.open("wb") as out:
            timeline.write_packets(out, name, threads, slices, "begun and not done", values)
    except OSError as error:
        raise BadInputError(f"{file} cannot be written ({error.strerror})", "name another file") from None


def rows(run: Run) -> list[Row]:
    """A row for each thread that ran commands; of parts too short to be seen, the longest kind in each bin."""
    if not run.seconds:
        return []
    found = []
    for thread in run.threads:
        parts = [(part, command) for command in run.commands for part in command.parts if part.thread == thread.id]
        if not parts:
            continue
        bins: dict[int, dict[str, float]] = {}
        bars = []
        for part, command in parts:
            start, width = 100 * part.start / run.seconds, 100 * part.seconds / run.seconds
            if width >= 100 / _BINS:
                bars.append(Bar(start, width, command.kind, f"{command.name}: {1e3 * part.seconds:.2f} ms"))
            else:
                each = bins.setdefault(int(start * _BINS / 100), {})
                each[command.kind] = each.get(command.kind, 0.0) + width
        for place, kinds in bins.items():
            kind = max(kinds, key=lambda name: kinds[name])
            bars.append(Bar(100 * place / _BINS, sum(kinds.values()), kind, f"short parts, mostly {kind}"))
        busy = sum(part.seconds for part, _ in parts) / run.seconds
        computed = sum(part.cpu for part, _ in parts) / run.seconds
        found.append(Row(thread.name, tuple(sorted(bars, key=lambda bar: bar.start)), busy, computed))
    return found
