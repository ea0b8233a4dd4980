"""`heddle papers`: what the papers behind Heddle published, beside what was measured here."""

from pathlib import Path
from typing import Annotated

import typer

_HELP = """Show the figures of the papers behind heddle beside those measured here.

The papers' figures come with the page they stand on; ours are read from what heddle bench NAME --json saved. Nothing
is run: what has not been measured yet says which benchmark does it.

EXPERIMENT is primes, fileserver, onion, analysis, crawler, pages, counters, downloads or patterns; without one all are
shown.

Example: heddle papers

Example: heddle papers primes --plot primes.svg
"""


def register(app: typer.Typer) -> None:
    app.command("papers", help=_HELP, short_help="Show published figures beside measured ones.")(papers)


def papers(
    experiments: Annotated[list[str] | None, typer.Argument(metavar="[EXPERIMENT]...", help="Only these.")] = None,
    results: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="Where the results are; docs/results of this copy if not said."),
    ] = None,
    picture: Annotated[
        Path | None, typer.Option("--plot", metavar="FILE", help="Draw the batch-size curve, as .svg or .png.")
    ] = None,
    page: Annotated[
        Path | None,
        typer.Option("--markdown", metavar="FILE", help="Write a page with both, as docs/results/papers.md."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print both as data.")] = False,
) -> None:
    import json
    import os
    import sys

    from heddle.errors import BadInputError
    from heddle.output import pictures, terminal
    from heddle.papers import comparison, plot, published
    from heddle.system import places

    if picture is not None:
        pictures.check(picture)
    folder = results or Path(os.path.relpath(places.root() / "docs/results"))
    found = [(experiment, comparison.load(experiment, folder)) for experiment in comparison.chosen(experiments or [])]
    if picture is not None:
        plot.save(picture, comparison.load(published.PRIMES, folder))
    if page is not None:
        try:
            page.write_text(comparison.markdown(found))
        except OSError as error:
            raise BadInputError(f"{page} cannot be written ({error.strerror})", "name another file") from None
    if as_json:
        json.dump({"experiments": [comparison.data(*pair) for pair in found]}, sys.stdout, indent=1)
        sys.stdout.write("\n")
        return
    from rich.console import Console

    console = Console(width=terminal.width(), highlight=False)
    for pair in found:
        comparison.show(console, *pair)
