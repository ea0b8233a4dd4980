"""`heddle ipc`: which processes talk with each other, what that costs, and what would cost less."""

from pathlib import Path
from typing import Annotated

import typer

_HELP = """See which processes of a program talk with each other, what that costs, and what would cost less.

Example: heddle ipc record -- make check
"""

_RECORD_HELP = """Run a command as it is, and count what its processes send each other over sockets and pipes.

All processes that it starts are followed. For each pair of programs the report says how many messages, bytes, batches
and wake-ups there were, which share of both programs' CPU time that takes, and what would be saved: by writing all
messages of a batch at once, or by objects in shared memory with one notification for each batch.

Standard streams, signals and the exit code are the command's own; the report follows on standard error when it ends.
Servers that go on after the command are recorded until then, with --wait until they end.

What cannot be followed is named in the report: programs that are linked statically, that change their user by their
file's rights, or that make system calls without the C library.

Example: heddle ipc record -- make check

Example: heddle ipc record --json ipc.json -- sh -c 'redis-server --port 7000 & ./app; kill $!; wait'
"""


def register(app: typer.Typer) -> None:
    verbs = typer.Typer(help=_HELP, rich_markup_mode=None, no_args_is_help=True)
    verbs.callback()(lambda: None)
    verbs.command("record", help=_RECORD_HELP, context_settings={"allow_interspersed_args": False})(record)
    app.add_typer(verbs, name="ipc", short_help="Find which processes should share objects instead of messages.")


def record(
    command: Annotated[list[str], typer.Argument(metavar="COMMAND [ARGS]...", help="What to run.")],
    json_file: Annotated[
        str | None, typer.Option("--json", metavar="FILE|-", help="Write all figures as JSON, and no report.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Write the report there instead of standard error.")
    ] = None,
    wait: Annotated[
        bool, typer.Option("--wait", help="Record processes that go on after the command until they end, or Ctrl-C.")
    ] = False,
) -> int:
    from heddle.ipc import recording

    return recording.record(recording.Request(tuple(command), json_file, report, wait))
