"""`heddle objectbase`: a store of shared objects, looked at, checked, written as text and read back."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated, NoReturn

import typer

_HELP = """Look at a store of shared objects, check it, write it as text or keep it on disk, and make it again.

The exit code is 0 when it is done, 1 when verify found something wrong, 2 for bad input.

Example: heddle objectbase inspect /dev/shm/board

Example: heddle objectbase dump /dev/shm/board > board.jsonl
"""

_INSPECT = """Say what is in a store, and who uses it. Nobody waits for it.

Example: heddle objectbase inspect --json /dev/shm/board
"""

_VERIFY = """Follow everything in a store, and say what is wrong. Writers wait meanwhile.

Example: heddle objectbase verify /dev/shm/board
"""

_DUMP = """Write a store as JSON Lines: classes, objects, and the numbers that are not to be used again.

It is the state of one commit; others may change the store meanwhile.

Example: heddle objectbase dump /dev/shm/board --to board.jsonl
"""

_LOAD = """Make a store of what dump wrote. Objects keep their numbers; commits are counted anew.

Example: heddle objectbase load /dev/shm/board --from board.jsonl --limit 1073741824
"""

_KEEP = """Write what changes in a store to a file on disk, until Ctrl-C.

The file has the state of some commit at any time.
It is forced to the disk with each commit, each second, or when the system does it. Programs can wait until a commit
is kept; none of them has to.

Example: heddle objectbase keep /dev/shm/board board.mdb --durability commit
"""

_RESTORE = """Make a store of what was kept of it. Objects keep their numbers, and commits are counted on.

Example: heddle objectbase restore /dev/shm/board board.mdb
"""

_HISTORY = """Write the versions of an object that were kept, oldest first, as JSON Lines.

Example: heddle objectbase history board.mdb 1
"""

_File = Annotated[Path, typer.Argument(metavar="FILE", help="The store.")]
_Database = Annotated[Path, typer.Argument(metavar="DATABASE", help="The file in which it is kept.")]
_Limit = Annotated[int, typer.Option(metavar="BYTES", help="What the file may grow to.")]
_Mode = Annotated[str, typer.Option(metavar="MODE", help="Permissions, as chmod takes them.")]
_Json = Annotated[bool, typer.Option("--json", help="Write it as JSON.")]


def register(app: typer.Typer) -> None:
    group = typer.Typer(help=_HELP, rich_markup_mode=None, no_args_is_help=True)
    group.command("inspect", help=_INSPECT, short_help="Say what is in a store, and who uses it.")(inspect)
    group.command("verify", help=_VERIFY, short_help="Say what is wrong with a store.")(verify)
    group.command("dump", help=_DUMP, short_help="Write a store as JSON Lines.")(dump)
    group.command("load", help=_LOAD, short_help="Make a store of what dump wrote.")(load)
    group.command("keep", help=_KEEP, short_help="Write what changes to a file on disk.")(keep)
    group.command("restore", help=_RESTORE, short_help="Make a store of what was kept of it.")(restore)
    group.command("history", help=_HISTORY, short_help="Write the versions of an object that were kept.")(history)
    app.add_typer(group, name="objectbase", short_help="Look at a store of shared objects, check it, keep it.")


def inspect(file: _File, json: _Json = False) -> None:
    _become("inspect", *(["--json"] if json else []), "--", file)


def verify(file: _File, json: _Json = False) -> None:
    _become("verify", *(["--json"] if json else []), "--", file)


def dump(
    file: _File,
    to: Annotated[str, typer.Option(metavar="FILE|-", help="Where to; - is standard output.")] = "-",
) -> None:
    _become("dump", f"--to={to}", "--", file)


def load(
    file: _File,
    source: Annotated[str, typer.Option("--from", metavar="FILE|-", help="From where; - is standard input.")] = "-",
    limit: _Limit = 1 << 30,
    mode: _Mode = "600",
) -> None:
    _become("load", f"--from={source}", f"--limit={limit}", f"--mode={mode}", "--", file)


class Durability(StrEnum):
    NONE = "none"
    SECOND = "second"
    COMMIT = "commit"


def keep(
    file: _File,
    database: _Database,
    durability: Annotated[Durability, typer.Option(help="When it is forced to the disk.")] = Durability.SECOND,
    history: Annotated[int, typer.Option(metavar="N", help="Versions to keep of each object besides the newest.")] = 0,
) -> None:
    _become("keep", f"--durability={durability}", f"--history={history}", "--", file, database)


def restore(file: _File, database: _Database, limit: _Limit = 1 << 30, mode: _Mode = "600") -> None:
    _become("restore", f"--limit={limit}", f"--mode={mode}", "--", file, database)


def history(
    database: _Database, number: Annotated[int, typer.Argument(metavar="OBJECT", help="The object's number.")]
) -> None:
    _become("history", "--", database, number)


def _become(*words: str | Path | int) -> NoReturn:
    from heddle.system import places, processes

    processes.become(str(places.built(places.objectbase(), "objectbase")), [str(word) for word in words])
