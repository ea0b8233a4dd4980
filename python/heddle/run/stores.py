"""The live view of a store of shared objects: what is in it, who reads it, and how fast it changes."""

import json
import subprocess
import time
from pathlib import Path
from typing import Any

from heddle.errors import BadInputError
from heddle.output.layout import clipped, columns
from heddle.system import places

Figures = dict[str, Any]  # as `heddle objectbase inspect --json` writes them

_EVERY_S = 1.0


def figures(store: Path) -> Figures:
    """Raises BadInputError if that is no store."""
    program = places.built(places.objectbase(), "objectbase")
    command = [str(program), "inspect", "--json", "--", str(store)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        why = done.stderr.strip().removeprefix("heddle objectbase: ")
        raise BadInputError(why, "name the PID of a program, or the file of a store")
    found: Figures = json.loads(done.stdout)
    return found


def watch(store: Path) -> None:
    """Until the user presses Ctrl-C."""
    from rich.console import Console
    from rich.live import Live
    from rich.text import Text

    console = Console(highlight=False)
    before: Figures | None = None
    now = figures(store)
    with Live(console=console, auto_refresh=False, screen=True) as screen:
        try:
            while True:
                screen.update(Text("\n".join(lines(now, before, _EVERY_S, console.width))), refresh=True)
                time.sleep(_EVERY_S)
                before, now = now, figures(store)
        except KeyboardInterrupt:
            return


def lines(now: Figures, before: Figures | None, seconds: float, width: int) -> list[str]:
    """What it is like now, and what happened since `before`, so many seconds ago."""
    commits = f"{now['commit']:,} commits"
    if before is not None:
        commits += f", {(now['commit'] - before['commit']) / seconds:,.0f} in a second"
    used = now["block_bytes"] / now["limit_bytes"]
    rows = [
        ("objects", f"{now['objects']:,}"),
        ("versions kept for readers", f"{now['superseded_versions']:,}"),
        ("bytes", f"{now['block_bytes']:,} of {now['limit_bytes']:,} ({used:.0%})"),
        ("other processes", f"{now['processes']}"),
        ("pins, snapshots, watches", f"{now['pins']}, {now['snapshots']}, {now['watches']}"),
    ]
    if before is not None and now["block_bytes"] != before["block_bytes"]:
        rows.append(("bytes in a second", f"{(now['block_bytes'] - before['block_bytes']) / seconds:+,.0f}"))
    table = [["class", "objects", "slots"]]
    table += [[each["name"], f"{each['objects']:,}", " ".join(each["slots"])] for each in now["classes"]]
    found = [f"{now['file']}: {commits}", "", *columns(rows, "  ")]
    if now["classes"]:
        found += ["", *columns(table, "  ")]
    return [clipped(line.rstrip(), width) for line in found]
