"""Which Node.js is used, and the packages of a folder that has a package.json."""

import os
import shutil
import subprocess
from pathlib import Path

from heddle import places
from heddle.errors import BadInputError


def node() -> Path:
    """HEDDLE_NODE, or what the set-up brought, or the system's."""
    named = os.environ.get("HEDDLE_NODE") or shutil.which("node")
    own = places.root() / "build" / "node" / "bin" / "node"
    if "HEDDLE_NODE" not in os.environ and own.is_file():
        return own
    if named is None:
        raise BadInputError("there is no Node.js here", "run ./heddle doctor, or name one in HEDDLE_NODE")
    return Path(named)


def heddle_node(*options: str) -> list[str]:
    """The words before a program's own that run it under heddle-node."""
    entry = places.root() / "node" / "bin" / "heddle-node"
    if not built():
        raise BadInputError("heddle-node is not built (node/dist)", "run ./heddle doctor to see what is missing")
    # The script takes the node of the path, unless it is told which.
    known = "HEDDLE_NODE" in os.environ or str(node()) == shutil.which("node")
    return [*([] if known else ["env", f"HEDDLE_NODE={node()}"]), str(entry), *options]


def built() -> bool:
    return (places.root() / "node" / "dist" / "register.js").is_file()


def install(folder: Path) -> None:
    """`npm ci` in the folder, if its packages are missing or older than its lock file."""
    done, wanted = folder / "node_modules" / ".package-lock.json", folder / "package-lock.json"
    if done.is_file() and done.stat().st_mtime >= wanted.stat().st_mtime:
        return
    beside = node().with_name("npm")
    command = [str(beside if beside.exists() else "npm"), "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    try:
        run = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    except FileNotFoundError:
        raise BadInputError(
            "there is no npm here", "install it, or name a Node.js that has one in HEDDLE_NODE"
        ) from None
    if run.returncode != 0:
        said = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise BadInputError(f"npm could not install the packages of {folder} ({said[:160]})", "see npm ci there")
    done.touch()
