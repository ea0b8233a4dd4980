"""What is wrong with a store after a process was killed at any instruction of what it did to it.

`objectbase_kill_test` steps through four shapes of work, one instruction after the other, kills the process there, and
looks whether others see the state before or after it, whether all blocks are accounted for, and whether others go on.
The figure is the number of kills after which that was not so; the test ends a shape at the first.
"""

from __future__ import annotations

import os
import re
import subprocess

from heddle.errors import BadInputError
from heddle.measure.benchmark import Claim, Result, Tools
from heddle.system import places

CLAIMS = ("objectbase.kill_failures",)
MEASURES = ("base", "objectbase/objectbase.hpp", "objectbase/store")


def run(quick: bool, tools: Tools) -> Result:
    program = places.build() / "objectbase/objectbase_kill_test"
    if not program.exists():
        raise BadInputError(f"{program} is not built", "run ./heddle bench, which builds it")
    tools.say("killing at every 97th instruction" if quick else "killing at every instruction; some minutes")
    every = {} if quick else {"HEDDLE_EVERY_INSTRUCTION": "1"}
    done = subprocess.run([program], capture_output=True, text=True, check=False, env={**os.environ, **every})
    kills = sum(map(int, re.findall(r"^(\d+) kills$", done.stdout, re.MULTILINE)))
    failures = len(re.findall(r"^\[  FAILED  \] KillTest\.\w+ \(", done.stdout, re.MULTILINE))
    if kills == 0 or (failures == 0) != (done.returncode == 0):
        raise BadInputError(f"{program} ended with {done.returncode} after {kills} kills", "run it by hand")
    claim = Claim(
        CLAIMS[0],
        f"kills after which something was wrong, of {kills:,}, at every {'97th ' if quick else ''}instruction",
        "kills",
        "lower",
        0,
        failures,
        0.0,
        1,
        "not at every instruction" if quick else "",
    )
    return Result(bench="objectbase_kills", claims=[claim], details={"kills": kills, "output": done.stdout[-2000:]})
