"""A native program in the place of this one."""

import os
import signal
from collections.abc import Sequence
from typing import NoReturn

from heddle.errors import BadInputError


def become(program: str, words: Sequence[str]) -> NoReturn:
    """Signals and the exit code are the program's own. Raises BadInputError."""
    # Python ignores these two, and ignored signals stay ignored across execve.
    for number in (signal.SIGPIPE, signal.SIGXFSZ):
        signal.signal(number, signal.SIG_DFL)
    try:
        os.execve(program, (program, *words), os.environ)
    except OSError as error:
        raise BadInputError(f"{program} cannot be started ({error.strerror})", "build it again") from None
