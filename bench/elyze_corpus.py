"""How long the analysis of real servers takes against `opt -O2` on the same bitcode, and what it finds.

The programs are Debian source packages, fetched and built through `heddle build` at run time below build/. Per
program the two contenders take turns on one linked module, and processor time counts, for both use one core; memory
is the peak of the analyser's process. The lists in elyze/tests/corpus say which handlers a person finds by reading:
the table counts those that the analyser misses. pgbouncer and tmux also do real work under the oracle, which says how
many of the predicted conflicts happened. tor is analysed again after edits of one file: of a comment, a text, a
constant and a condition, which keep what handlers touch, and one that adds an access; the worst of each kind is held
against the goal. A program that cannot be fetched, built or analysed stands in the table with the reason.
"""

from __future__ import annotations

import statistics
from typing import Any

from bench import _corpus
from heddle.measure.benchmark import Claim, Result, Tools, count_claim, ratio_claim
from heddle.measure.processor import Foreign
from testing.servers.debian_programs import PROGRAMS, UnfitError

CLAIMS = ("elyze.time_vs_opt", "elyze.tor_mb", "elyze.tor_incremental", "elyze.unknown_always")
MEASURES = ("base", "elyze", "python/heddle/analysis", "python/heddle/program", "testing/servers/debian_programs.py")
NO_UNKNOWN = ("pgbouncer", "tmux")  # the goal of knowing every external function is for these
AT_WORK = ("pgbouncer", "tmux")
SMALL = ("inetd", "redsocks", "memcached", "pgbouncer")
ROUNDS, EDIT_ROUNDS = 3, 2

COLUMNS = (
    *(("program", 10), ("opt s", 7), ("elyze s", 7), ("ratio", 6), ("MB", 5), ("handlers", 8), ("missing", 7)),
    *(("pairs", 6), ("n/s/a %", 9), ("conflicts", 9), ("causes", 6), ("unknown", 8), ("witnessed", 10)),
)


def row(name: str, found: dict[str, Any]) -> str:
    if "unfit" in found:
        return f"{name:<10} {found['unfit']}"
    pairs = found["never"] + found["session"] + found["always"]
    shares = "/".join(f"{100 * found[kind] / pairs:.0f}" if pairs else "-" for kind in ("never", "session", "always"))
    seen = found.get("oracle", {})
    cells = (
        f"{statistics.median(found['opt_s']):.2f}",
        f"{statistics.median(found['elyze_s']):.2f}",
        f"{statistics.median(found['ratios']):.2f}",
        f"{found['peak_mb']:.0f}",
        *(str(found["handlers"]), str(len(found["missing_handlers"])), str(pairs), shares),
        *(str(found["conflicts"]), str(found["causes"]), f"{100 * found['unknown_always']:.0f} %"),
        f"{seen['pairs_witnessed']}/{seen['pairs']}" if seen.get("pairs") else "-",
    )
    widths = [width for _, width in COLUMNS[1:]]
    return f"{name:<10} " + " ".join(f"{cell:>{width}}" for cell, width in zip(cells, widths, strict=True))


def heading() -> str:
    (first, width), *others = COLUMNS
    return f"{first:<{width}} " + " ".join(f"{name:>{wide}}" for name, wide in others)


def growth(found: dict[str, dict[str, Any]]) -> float | None:
    fit = [item for item in found.values() if "unfit" not in item]
    if len(fit) < 3:
        return None
    times = [statistics.median(item["elyze_s"]) for item in fit]
    return _corpus.exponent([item["instructions"] for item in fit], times)


def claims(found: dict[str, dict[str, Any]]) -> list[Claim]:
    fit = {name: item for name, item in found.items() if "unfit" not in item}
    unfit = [f"{name}: {item['unfit']}" for name, item in found.items() if "unfit" in item]
    result: list[Claim] = []
    if fit:
        worst = max(fit, key=lambda name: statistics.median(fit[name]["ratios"]))
        doubts = sorted({doubt for item in fit.values() for doubt in item["doubts"]})
        result.append(
            ratio_claim(
                "elyze.time_vs_opt",
                f"analysis time / `opt -O2` on the same bitcode, worst of {len(fit)} programs ({worst})",
                1.5,
                fit[worst]["ratios"],
                [*doubts[-1:], *unfit],
                better="lower",
            )
        )
    if "tor" in fit:
        result.append(count_claim("elyze.tor_mb", "peak MB, tor", "MB", 2048, fit["tor"]["peak_mb"]))
        if "edit" in fit["tor"]:
            result += [_incremental(fit["tor"]["edit"], keeps) for keeps in (True, False)]
    known = [name for name in NO_UNKNOWN if name in fit]
    if known:
        share = max(fit[name]["unknown_always"] for name in known)
        what = f"share of always-pairs resting on unknown externals, {' and '.join(known)}"
        doubts = [] if len(known) == len(NO_UNKNOWN) else ["not all of them were measured"]
        result.append(count_claim("elyze.unknown_always", what, "ratio", 0.0, share, doubts=doubts))
    return result


def _ratios(edit: dict[str, Any], name: str) -> list[float]:
    return [again / first for first, again in zip(edit["first_s"], edit["edits"][name]["again_s"], strict=True)]


def _incremental(edit: dict[str, Any], keeps: bool) -> Claim:
    """A claim on the worst edit among those that keep what handlers touch, or (`keeps` false) among the others."""
    chosen = [name for name, item in edit["edits"].items() if item["keeps"] == keeps]
    worst = max(chosen, key=lambda name: statistics.median(_ratios(edit, name)))
    doubts = Foreign(edit["foreign_cpu"]).doubts()
    those = f"{len(chosen)} that {'keep' if keeps else 'change'} the effects ({worst})"
    what = f"second run after a one-file edit / first run, tor, worst of {those}"
    return ratio_claim("elyze.tor_incremental", what, 0.10, _ratios(edit, worst), doubts, better="lower")


def after_edits(edit: dict[str, Any]) -> str:
    """Every edit, with the second run's share of the first one's time; edits that need a whole run are marked."""
    parts = [
        f"{name} {statistics.median(_ratios(edit, name)):.3f}{' (whole run)' if item['whole_run'] else ''}"
        for name, item in edit["edits"].items()
    ]
    first = statistics.median(edit["first_s"])
    return f"tor again after a one-file edit, of the {first:.1f} s of the first run: {', '.join(parts)}"


def measured(tools: Tools, quick: bool) -> dict[str, dict[str, Any]]:
    found: dict[str, dict[str, Any]] = {}
    for program in PROGRAMS:
        if quick and program.name not in SMALL:
            continue
        try:
            item = found[program.name] = _corpus.figures(tools, program, 1 if quick else ROUNDS)
        except UnfitError as error:
            found[program.name] = {"unfit": str(error)}
            continue
        if quick:
            continue
        # Figures that were measured stay in the table even if what follows fails.
        try:
            if program.edited:
                item["edit"] = _corpus.incremental(tools, program, EDIT_ROUNDS)
            if program.name in AT_WORK:
                item["oracle"] = _corpus.witnessed(tools, program.name)
        except UnfitError as error:
            item["besides"] = str(error)
    return found


def run(quick: bool, tools: Tools) -> Result:
    found = measured(tools, quick)
    table = [heading(), *(row(name, item) for name, item in found.items())]
    details: dict[str, Any] = {"programs": found, "table": table}
    grows = growth(found)
    if grows is not None:
        details["growth_exponent"] = grows
        table.append(f"time grows as (n log n)^{grows:.2f} with the n instructions of a program")
    table += [after_edits(item["edit"]) for item in found.values() if "edit" in item]
    table += [f"{name}: {item['besides']}" for name, item in found.items() if "besides" in item]
    return Result(bench="elyze_corpus", claims=claims(found), details=details)
