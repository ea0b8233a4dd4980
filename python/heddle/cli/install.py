"""`heddle install`: the runtime for programs that link it."""

from pathlib import Path
from typing import Annotated

import typer

_HELP = """Install the runtime, for programs that link it: library, header, pkg-config and CMake files.

A program that is linked with it, before libevent, runs in parallel without heddle run, if the constraints that heddle
analyze writes lie beside it.

Example: heddle install --prefix /usr/local

Example: PKG_CONFIG_PATH=/usr/local/lib/pkgconfig gcc server.c $(pkg-config --cflags --libs multivent) -o server
"""


def register(app: typer.Typer) -> None:
    app.command("install", help=_HELP, short_help="Install the runtime for programs that link it.")(install)


def install(
    prefix: Annotated[Path, typer.Option("--prefix", metavar="FOLDER", help="Where to; made if it is not there.")],
) -> None:
    import subprocess
    import sys

    from heddle.errors import BadInputError
    from heddle.system import places

    places.built(places.multivent(), "the runtime")
    command = ["cmake", "--install", str(places.build()), "--prefix", str(prefix.absolute())]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    except OSError as error:
        raise BadInputError(f"cmake cannot be started ({error.strerror})", "apt-get install cmake") from None
    if done.returncode != 0:
        reason = (done.stderr.strip() or done.stdout.strip()).splitlines()[-1:] or ["cmake --install failed"]
        raise BadInputError(
            f"nothing can be installed in {prefix} ({reason[0].strip()})", "name a folder that you may write to"
        )
    files = [line.partition(": ")[2] for line in done.stdout.splitlines() if line.startswith("-- ") and ": " in line]
    sys.stdout.write("".join(f"{file}\n" for file in files))
