"""`heddle trace`: what other tools can show of a trace."""

from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

_HELP = """Work with traces, as heddle run --trace records them.

Example: heddle trace export server.trace -o server.pftrace
"""

_EXPORT_HELP = """Write a trace in a form that a timeline viewer opens.

perfetto: for ui.perfetto.dev (protobuf, the smaller one); chrome: JSON for chrome://tracing and others. Each thread is
a track with the handlers it ran; each invocation tells its session, how long it waited, and for whom.

Example: heddle trace export server.trace -o server.pftrace

Example: heddle trace export server.trace --format chrome -o server.json
"""


class Format(StrEnum):
    """What is written."""

    PERFETTO = "perfetto"
    CHROME = "chrome"


def register(app: typer.Typer) -> None:
    verbs = typer.Typer(help=_HELP, rich_markup_mode=None, no_args_is_help=True)
    verbs.callback()(lambda: None)
    verbs.command("export", help=_EXPORT_HELP)(export)
    app.add_typer(verbs, name="trace", short_help="Write a trace for a timeline viewer.")


def export(
    trace: Annotated[Path, typer.Argument(metavar="TRACE", help="What heddle run --trace recorded.")],
    output: Annotated[Path, typer.Option("-o", "--output", metavar="FILE", help="Where to write it.")],
    form: Annotated[Format, typer.Option("--format", help="What to write.")] = Format.PERFETTO,
) -> None:
    import sys

    from heddle.documents import timeline
    from heddle.documents import trace as traces
    from heddle.errors import BadInputError

    recorded = traces.load(trace)
    write = timeline.write_perfetto if form is Format.PERFETTO else timeline.write_chrome
    try:
        with output.open("wb") as file:
            write(recorded, file)
    except OSError as error:
        raise BadInputError(f"{output} cannot be written ({error.strerror})", "name a file with -o") from None
    sys.stdout.write(f"Written to {output}: {len(recorded.records)} invocations\n")
