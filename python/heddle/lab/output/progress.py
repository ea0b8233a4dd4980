"""Which run is made, as a moving bar on a terminal; nothing at all in a pipe."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def shown() -> Iterator[Callable[[str, int, int], None]]:
    """Yields what to call before each run: its model, how many are done, of how many."""
    if not sys.stderr.isatty():
        yield lambda _model, _done, _of: None
        return
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("", total=None)

        def say(model: str, done: int, of: int) -> None:
            progress.update(task, description=model, completed=done, total=of)

        yield say
