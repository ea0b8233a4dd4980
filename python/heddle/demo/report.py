"""What the demo shows: the matrix, the comparison, what held the server back, and what to try next."""

import shlex
import sys
from collections.abc import Sequence
from pathlib import Path

from heddle.demo import comparison, imgserve
from heddle.demo.comparison import shown
from heddle.demo.imgserve import Outcome
from heddle.explain import causes
from heddle.output import terminal
from heddle.output.layout import columns, wrapped
from heddle.output.terminal import Palette
from heddle.report import contention
from heddle.report.matrix import matrix
from heddle.report.text import cause_lines
from heddle.system import places

_SHOWN = 3


def show(outcome: Outcome) -> None:
    width, colour = terminal.width(), terminal.palette(sys.stdout)
    lines = ["", colour("bold", "Which handlers conflict") + "  (- never, s in the same session, A always)"]
    lines += [*matrix(outcome.scene.constraints, width, colour)]
    lines += [*wrapped(f"Taken for granted: {imgserve.ASSUMED}: no picture is the log.", "  ", width), ""]
    _print(lines)

    names = ("libevent", f"heddle, {outcome.scene.threads} threads")
    comparison.show("One binary, one load, two ways to run it", names, imgserve.results(outcome))

    lines = comparison.summary(outcome.checked_urls, outcome.found)
    lines += ["", colour("bold", "What still holds it back most"), *_hindrances(outcome, width, colour)]
    lines += ["", colour("bold", "What to try next"), *_next_steps(outcome)]
    _print(lines)


def _hindrances(outcome: Outcome, width: int, colour: Palette) -> list[str]:
    found = contention.hindrances(outcome.scene.constraints, outcome.runs)[:_SHOWN]
    lines: list[str] = []
    for number, hindrance in enumerate(found, 1):
        described = contention.describe(outcome.scene.constraints, hindrance, width)
        lines += [f"  {number}. {described[0].strip()}", *described[1:]]
    found_causes = causes.causes(outcome.scene.constraints)[: _SHOWN - len(found)]
    if found_causes:
        lines.append("  No other waiting was seen in these runs; under another load these could matter:")
        for number, cause in enumerate(found_causes, len(found) + 1):
            lines += cause_lines(outcome.scene.constraints, cause, number, width, colour)
    return lines


def _next_steps(outcome: Outcome) -> list[str]:
    found = contention.hindrances(outcome.scene.constraints, outcome.runs)
    names = [handler.name for handler in outcome.scene.constraints.handlers]
    pair = (found[0].first, found[0].second) if found else (names[0], names[-1])
    heddle, program, pictures = places.command(), outcome.scene.program, outcome.scene.pictures
    analyze = (heddle, "analyze", "--assume", imgserve.ASSUMED, program)
    return columns(
        [
            (_shell(*analyze), "the whole report"),
            (_shell(*analyze, "--why", *pair), "everything about one pair"),
            (_shell(heddle, "run", program, "-p", "8080", "-d", pictures), "then ask it for /stats"),
            (f"{heddle} build -- make && {heddle} analyze ./yours && {heddle} run ./yours", "a program of your own"),
        ],
        "  ",
        3,
    )


def _shell(*words: str | Path) -> str:
    return " ".join(shlex.quote(str(shown(word) if isinstance(word, Path) else word)) for word in words)


def _print(lines: Sequence[str]) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()
