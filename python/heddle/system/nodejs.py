"""Which Node.js is used, where heddle-node is, and the packages of a folder that has a package.json."""

import fcntl
import functools
import os
import shutil
import subprocess
from pathlib import Path

from heddle.documents import contracts
from heddle.errors import BadInputError
from heddle.system import places

# Per major version, the oldest minor version that heddle-node supports; from _ALL_FROM on it supports all.
_LINES = [version.split(".") for version in contracts.NODE_VERSIONS.split(", ")]
_OLDEST = {int(major): int(minor) for major, *rest in _LINES for minor in rest}
_ALL_FROM = int(_LINES[-1][0])


def node() -> Path:
    """HEDDLE_NODE; else the user's own, if it is new enough; else the one that ./heddle installed."""
    named = os.environ.get(contracts.HEDDLE_NODE)
    if named:
        return Path(named)
    found = shutil.which("node")
    if found is not None and _new_enough(found):
        return Path(found)
    ours = places.root() / "build" / "venv" / "bin" / "node"
    if ours.exists():
        return ours
    raise BadInputError(
        f"there is no node of version {contracts.NODE_VERSIONS} or later", "install one, or run ./heddle demo"
    )


@functools.cache
def _new_enough(node: str) -> bool:
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, check=False, timeout=20).stdout
        major, minor = (int(part) for part in said.strip().removeprefix("v").split(".")[:2])
    except (OSError, ValueError, subprocess.TimeoutExpired):
        return False
    return major >= _ALL_FROM or (major in _OLDEST and minor >= _OLDEST[major])


def is_built() -> bool:
    return _built().is_file()


def heddle_node() -> Path:
    """The script that runs a program under heddle-node: with the node that HEDDLE_NODE names, or that of the path."""
    places.built(_built(), "heddle-node")
    return places.built(places.root() / "node" / "bin" / "heddle-node", "heddle-node")


def _built() -> Path:
    return places.root() / "node" / "dist" / "preload.cjs"


def install(folder: Path) -> None:
    """`npm ci` in the folder, if its packages are missing or older than its lock file; one process at a time."""
    with (folder / "package.json").open() as one_at_a_time:
        fcntl.flock(one_at_a_time, fcntl.LOCK_EX)
        _install(folder)


def _install(folder: Path) -> None:
    done, wanted = folder / "node_modules" / ".package-lock.json", folder / "package-lock.json"
    if done.is_file() and done.stat().st_mtime >= wanted.stat().st_mtime:
        return
    beside = node().with_name("npm")
    npm = str(beside) if beside.exists() else shutil.which("npm")
    if npm is None:
        raise BadInputError("there is no npm here", "install it, or name a Node.js that has one in HEDDLE_NODE")
    command = [npm, "ci", "--no-audit", "--no-fund", "--ignore-scripts"]
    environment = {**os.environ, "PATH": f"{node().parent}{os.pathsep}{os.environ.get('PATH', '')}"}
    run = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    if run.returncode != 0:
        said = (run.stderr.strip().splitlines() or ["no reason given"])[-1]
        raise BadInputError(f"npm could not install the packages of {folder} ({said[:160]})", "see npm ci there")
    done.touch()
