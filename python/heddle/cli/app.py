"""From the words on the command line to a verb, and from every failure to one line and an exit code.

Exit codes: 0 done, 1 a finding or a failed check, 2 bad input; `run` and `build` end with the code of what they ran.
Only the module of the verb that is asked for is imported; help and completion import them all.
"""

import importlib
import os
import signal
import sys
from typing import Annotated

import typer

# Order as in --help.
VERBS = (
    *("demo", "build", "analyze", "diff", "check", "run", "top", "predict", "advise", "trace", "bench"),
    *("crawl", "ipc", "lab", "objectbase", "papers", "install", "doctor"),
)

_HELP = """Heddle runs unmodified event-driven programs on all cores, safely.

Start with: heddle demo

For a program of your own: heddle build -- make, then heddle analyze ./server, then heddle run ./server

In a clone of the repository, ./heddle test runs the tests (./heddle test --help)
"""


def _version(wanted: bool) -> None:
    if wanted:
        from heddle import __version__

        sys.stdout.write(f"heddle {__version__}\n")
        raise typer.Exit


def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and leave.")
    ] = False,
) -> None:
    del version


def make_app(verbs: tuple[str, ...]) -> typer.Typer:
    """The command line with these verbs."""
    # Rich's own markup and panels are off: help must read the same in a pipe, a log and a terminal.
    app = typer.Typer(
        name="heddle", help=_HELP, rich_markup_mode=None, no_args_is_help=True, pretty_exceptions_enable=False
    )
    app.callback()(_root)
    for verb in verbs:
        importlib.import_module(f"heddle.cli.{verb}").register(app)
    return app


def main(words: list[str]) -> int:
    from click.exceptions import ClickException, NoArgsIsHelpError

    from heddle.errors import BadInputError

    # Python ignores this signal, and an ignored signal stays ignored in the programs we start; besides, when the reader
    # of our output has seen enough (| head), we should end as other tools do.
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    verb = words[0] if words and words[0] in VERBS else None
    if verb is None and words and not words[0].startswith("-"):
        return _fail(f"there is no verb '{words[0]}'", f"use one of {', '.join(VERBS)}, or see heddle --help")
    completing = "_HEDDLE_COMPLETE" in os.environ
    app = make_app((verb,) if verb and not completing else VERBS)
    try:
        code = app(args=words, prog_name="heddle", standalone_mode=False)
    except BadInputError as error:
        return _fail(error.what, error.advice)
    except NoArgsIsHelpError as error:
        sys.stdout.write(error.format_message() + "\n")
        return 2
    except ClickException as error:
        message = error.format_message().rstrip(".").replace("\n", " ")
        return _fail(message[:1].lower() + message[1:], f"see heddle {verb + ' ' if verb else ''}--help")
    except (KeyboardInterrupt, typer.Abort):
        return 130
    return code if isinstance(code, int) else 0


def _fail(what: str, advice: str) -> int:
    sys.stderr.write(f"heddle: {what}: {advice}\n")
    return 2
