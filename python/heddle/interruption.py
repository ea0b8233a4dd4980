"""Being told to stop while processes of ours run: SIGTERM and SIGHUP become exceptions, so that every cleanup runs."""

import signal
import sys


def as_exception() -> None:
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda got, _frame: sys.exit(128 + got))
