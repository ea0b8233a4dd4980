"""What the Node.js demo shows: the comparison, what heddle-node said of its last run, and what to try next."""

import subprocess
import sys

from heddle.demo import comparison, node
from heddle.demo.comparison import shown
from heddle.demo.node import Outcome
from heddle.measure.node import environment
from heddle.output import terminal
from heddle.output.layout import columns
from heddle.system import nodejs, places


def show(outcome: Outcome) -> None:
    sys.stdout.write("\n")
    sys.stdout.flush()
    names = ("node", f"heddle-node, {outcome.workers} workers")
    comparison.show("One service, one load, two ways to run it", names, node.results(outcome))
    colour = terminal.palette(sys.stdout)
    lines = [
        *comparison.summary(outcome.checked_urls, outcome.found),
        "",
        colour("bold", "What heddle-node says of its last round"),
        *(f"  {line}" for line in told(outcome)),
        "",
        colour("bold", "What to try next"),
        *next_steps(outcome),
    ]
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


def told(outcome: Outcome) -> list[str]:
    command = [str(nodejs.heddle_node()), "report", str(outcome.report)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, env=environment())
    return done.stdout.rstrip().splitlines()


def next_steps(outcome: Outcome) -> list[str]:
    heddle, service = places.command(), shown(outcome.service)
    return columns(
        [
            (f"{heddle} run --report {service} {shown(outcome.pages)}", "then ask it for /pages/page-001"),
            (f"RENDERER=packages {heddle} run --report {service} ...", "the same with marked and highlight.js"),
            (f"{heddle} run --report your-server.js", "a program of your own"),
            ("docs/guides/node.md", "what the report means, and what to change"),
        ],
        "  ",
        3,
    )
