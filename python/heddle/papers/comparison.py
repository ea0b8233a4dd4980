"""Published figures joined with those that `heddle bench NAME --json` saved: a table for people, data for programs."""

import json
import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from heddle.errors import BadInputError
from heddle.output.layout import wrapped
from heddle.papers import published, threadlab
from heddle.papers.published import Experiment, Figure
from heddle.system import places

if TYPE_CHECKING:
    from rich.console import Console

EXPERIMENTS = (*published.EXPERIMENTS, *threadlab.EXPERIMENTS)


@dataclass(frozen=True)
class Measured:
    """What a benchmark saved; `document` is None where it has not been run."""

    file: Path
    document: dict[str, Any] | None

    def number(self, path: published.Path) -> float | None:
        """The number there, or the median of the numbers; None if there are none."""
        found: Any = self.document
        for key in path:
            try:
                found = found[key]
            except (KeyError, IndexError, TypeError):
                return None
        numbers = found if isinstance(found, list) else [found]
        if not numbers or not all(isinstance(number, int | float) for number in numbers):
            return None
        return float(statistics.median(numbers))

    def of(self, figure: Figure) -> float | None:
        value = self.number(figure.measured) if figure.measured else None
        if value is None or not figure.per:
            return value
        per = self.number(figure.per)
        return value / per if per else None

    def table(self) -> list[str]:
        """The lines that the benchmark showed below its claims."""
        details = (self.document or {}).get("details", {})
        return [str(line) for line in details.get("table", [])]

    def advice(self) -> str:
        return f"{places.command()} bench {self.file.stem} --json {self.file}"


def chosen(names: list[str]) -> list[Experiment]:
    known = {experiment.name: experiment for experiment in EXPERIMENTS}
    for name in names:
        if name not in known:
            raise BadInputError(f"there is no experiment '{name}'", f"use one of {', '.join(known)}")
    return [known[name] for name in names] or list(EXPERIMENTS)


def load(experiment: Experiment, results: Path) -> Measured:
    if not results.is_dir():
        raise BadInputError(f"{results} is not a folder", "name the one with what heddle bench --json saved")
    file = results / f"{experiment.bench}.json"
    if not file.is_file():
        return Measured(file, None)
    try:
        document = json.loads(file.read_text())
    except ValueError:
        document = None
    if not isinstance(document, dict) or document.get("bench") != experiment.bench:
        raise BadInputError(f"{file} is not a result of heddle bench {experiment.bench}", "measure again or remove it")
    return Measured(file, document)


def data(experiment: Experiment, measured: Measured) -> dict[str, Any]:
    document = measured.document
    return {
        "name": experiment.name,
        "title": experiment.title,
        "source": experiment.source,
        "conditions": {"published": experiment.there, "measured": experiment.here},
        "difference": experiment.difference,
        "result": document and {"file": str(measured.file), **{k: document.get(k) for k in ("commit", "machine")}},
        "figures": [
            {
                "what": figure.what,
                "published": {"value": figure.value, "said": figure.said, "where": figure.where},
                "measured": {
                    "value": measured.of(figure),
                    "unit": figure.unit,
                    "among": measured.number(figure.among) if figure.among else None,
                },
            }
            for figure in experiment.figures
        ],
        "table": measured.table() if experiment.shows_table else [],
    }


def _number(value: float) -> str:
    if value >= 100 or value == int(value):
        return f"{value:,.0f}"
    return f"{value:.2f}" if value >= 0.1 else f"{value:.4f}"


def _ours(figure: Figure, measured: Measured) -> str:
    value = measured.of(figure)
    if value is None:
        return "-"
    among = measured.number(figure.among) if figure.among else None
    words = [_number(value), *([] if among is None else ["of", _number(among)]), figure.unit]
    return " ".join(words).strip()


def markdown(pairs: Sequence[tuple[Experiment, Measured]]) -> str:
    """docs/results/papers.md"""
    lines = [
        "# The papers' figures beside ours",
        "",
        "`heddle papers --markdown FILE` writes this page from the results beside it. A dash is a figure that has not",
        "been measured, or that the source does not have.",
        "",
    ]
    for experiment, measured in pairs:
        lines += [f"## {experiment.title}", "", f"- **Source**: {experiment.source}."]
        lines += [f"- **There**: {experiment.there}.", f"- **Here**: {experiment.here}."]
        if measured.document is None:
            lines.append(f"- **Not measured yet**: `heddle bench {experiment.bench}` does it.")
        else:
            machine = measured.document.get("machine", {})
            where = f"{machine.get('cores', '?')} cores, {machine.get('model', 'unknown')}"
            lines.append(f"- **Measured** at commit {measured.document.get('commit', 'unknown')}, {where}.")
        lines += ["", experiment.difference, "", "| figure | published | here | where it is published |"]
        lines.append("|---|---|---|---|")
        for figure in experiment.figures:
            cells = (figure.what, _theirs(figure), _ours(figure, measured), figure.where)
            lines.append(f"| {' | '.join(cell.replace('|', '/') for cell in cells)} |")
        if experiment.shows_table and measured.table():
            lines += ["", "```text", *measured.table(), "```"]
        lines.append("")
    return "\n".join(lines)


def _theirs(figure: Figure) -> str:
    return figure.said if figure.value is None else f"{_number(figure.value)} {figure.said}".strip()


def show(console: "Console", experiment: Experiment, measured: Measured) -> None:
    from rich import box
    from rich.table import Table

    def say(text: str) -> None:
        for line in wrapped(text, "  ", console.width, hanging="    "):
            console.print(line, markup=False, highlight=False)

    table = Table(title=experiment.title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD)
    for head in ("", "published", "here", "where it is published"):
        table.add_column(head, no_wrap=not head)
    for figure in experiment.figures:
        table.add_row(figure.what, _theirs(figure), _ours(figure, measured), figure.where)
    console.print(table)
    say(f"Source: {experiment.source}")
    say(f"There: {experiment.there}")
    say(f"Here: {experiment.here}")
    say(f"{experiment.difference}")
    if measured.document is None:
        say(f"Not measured yet: {measured.advice()}")
    else:
        if experiment.shows_table:
            console.print("\n".join(["", *measured.table(), ""]), markup=False, highlight=False)
        machine = measured.document.get("machine", {})
        say(
            f"Measured at {measured.document.get('commit', 'an unknown commit')} "
            f"on {machine.get('cores', '?')} cores ({machine.get('model', 'unknown')})"
        )
    console.print()
