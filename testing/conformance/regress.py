"""Runs libevent's regression suite (tinytest) and reads what it says of each test.

Most of its tests wait for timers, so they run in several processes side by side; a test that fails there runs once
more alone, because some of them measure time and a busy machine upsets them.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

# "main/methods: [forking] OK", or the assertion that failed on lines between the name and "[methods FAILED]".
BEGUN = re.compile(r"^(\w+/\w+): ")
ENDED = re.compile(r"(?:^|\s)\[?(?:\w+ )?(OK|SKIPPED|DISABLED|FAILED)\]?\s*$")
PASSING = frozenset({"OK", "SKIPPED", "DISABLED"})
SHARDS = 4
SECONDS_PER_SHARD = 300


def list_tests(program: Path) -> list[str]:
    """Names such as main/methods."""
    listed = subprocess.run([program, "--list-tests"], capture_output=True, text=True, check=False).stdout
    return re.findall(r"^\s+(\w+/\w+)", listed, re.MULTILINE)


def parse(output: str) -> dict[str, str]:
    """Test name -> OK, SKIPPED, DISABLED (off by default), FAILED or CRASHED (began, never said how it ended)."""
    verdicts: dict[str, str] = {}
    current = ""
    for line in output.splitlines():
        begun = BEGUN.match(line)
        if begun:
            current = begun.group(1)
            verdicts[current] = "CRASHED"
        if current:
            ended = ENDED.search(line)
            if ended:
                verdicts[current] = ended.group(1)
    return verdicts


def run_names(program: Path, names: list[str], environment: Mapping[str, str]) -> dict[str, str]:
    """Runs the tests in one process; those that a hang kept from running are TIMEOUT."""
    process = subprocess.Popen(
        [program, *names],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        errors="replace",
        env={**os.environ, **environment},
        start_new_session=True,
    )
    try:
        output, _ = process.communicate(timeout=SECONDS_PER_SHARD)
    except subprocess.TimeoutExpired:
        os.killpg(process.pid, signal.SIGKILL)
        output, _ = process.communicate()
    said = parse(output)
    return {name: said.get(name, "TIMEOUT") for name in names}


def run_suite(program: Path, environment: Mapping[str, str]) -> dict[str, str]:
    """Verdict of every test under the given environment."""
    names = list_tests(program)
    shards = [names[start::SHARDS] for start in range(SHARDS)]
    verdicts: dict[str, str] = {}
    with ThreadPoolExecutor(SHARDS) as pool:
        for result in pool.map(lambda shard: run_names(program, shard, environment), shards):
            verdicts.update(result)
    for name, verdict in sorted(verdicts.items()):
        if verdict not in PASSING:
            verdicts[name] = run_names(program, [name], environment)[name]
    return verdicts
