"""Figures of a running program for Prometheus, on a loopback port.

The program itself opens no port: `heddle run --metrics` leaves this process beside it, which reads the program's live
figures (heddle.run.live) when it is asked, and ends with the program. It is no child of the program, so that a program
which waits for its children never meets it.
"""

import fcntl
import os
import select
import socket
from collections.abc import Iterator
from socketserver import ThreadingMixIn
from typing import TYPE_CHECKING
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer

from heddle.documents.contracts import MODE_PARALLEL
from heddle.documents.schemas import Document
from heddle.errors import BadInputError
from heddle.run import live

if TYPE_CHECKING:
    from prometheus_client.metrics_core import Metric

_STANDARD = 3  # descriptors
_MOST = 65536  # descriptors that a shell may have handed on


def listen(port: int) -> socket.socket:
    """Binds the port before the program starts: the user can still be told that it is taken."""
    listener = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listener.bind(("127.0.0.1", port))
    except (OSError, OverflowError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise BadInputError(f"--metrics {port} is not possible ({reason})", "name a port that is free") from None
    listener.listen()
    # Where a standard stream is closed, the socket has its number, which is needed (_detach()).
    number = fcntl.fcntl(listener, fcntl.F_DUPFD_CLOEXEC, _STANDARD)
    listener.close()
    return socket.socket(fileno=number)


def leave_beside(listener: socket.socket) -> None:
    """Starts a process that serves the figures of this one, whatever program it becomes, until it ends."""
    program = os.getpid()
    between = os.fork()
    if between:
        os.waitpid(between, 0)
        listener.close()
        return
    try:
        os.setsid()
        if os.fork() == 0:
            _detach(listener)
            _serve(listener, program)
    finally:
        os._exit(0)


def collect(document: Document) -> Iterator["Metric"]:
    """Base units, as Prometheus asks: seconds, and totals that only grow."""
    from prometheus_client.core import CounterMetricFamily, GaugeMetricFamily, SummaryMetricFamily

    yield GaugeMetricFamily("heddle_threads", "Handlers that may run at once.", document["settings"]["threads"])
    yield GaugeMetricFamily("heddle_parallel", "1 if the run is parallel.", int(document["mode"] == MODE_PARALLEL))
    yield GaugeMetricFamily("heddle_uptime_seconds", "Since the first event base.", document["seconds"])
    yield CounterMetricFamily("heddle_cpu_seconds", "Processor time of the process.", document["cpu_seconds"])
    yield CounterMetricFamily("heddle_polls", "Calls that waited for the kernel.", document.get("polls", 0))
    run = SummaryMetricFamily("heddle_handler_run_seconds", "From start to end of a handler.", labels=["handler"])
    wait = SummaryMetricFamily("heddle_handler_wait_seconds", "From due to start of a handler.", labels=["handler"])
    pending = GaugeMetricFamily("heddle_handler_pending", "Due and not finished.", labels=["handler"])
    for handler in document["handlers"]:
        name, count = [handler["name"]], handler["invocations"]
        run.add_metric(name, count, handler["run"]["mean"] * count)
        wait.add_metric(name, count, handler["wait"]["mean"] * count)
        pending.add_metric(name, handler.get("pending", 0))
    yield run
    yield wait
    yield pending
    labels = ["waiter", "holder", "verdict"]
    times = CounterMetricFamily("heddle_contention", "Invocations that waited for another handler.", labels=labels)
    seconds = CounterMetricFamily("heddle_contention_seconds", "How long they waited for it.", labels=labels)
    for entry in document["contention"]:
        values = [entry[label] for label in labels]
        times.add_metric(values, entry["count"])
        seconds.add_metric(values, entry["seconds"])
    yield times
    yield seconds


class _Collector:
    def __init__(self, pid: int) -> None:
        self._pid = pid

    def collect(self) -> Iterator["Metric"]:
        document = live.fresh(self._pid)
        if document is not None:
            yield from collect(document)


class _Server(ThreadingMixIn, WSGIServer):
    daemon_threads = True
    timeout = 1.0  # a client may be gone before it is accepted; waiting for it must not hide the end of the program


class _Quiet(WSGIRequestHandler):
    def log_message(self, format: str, *args: object) -> None:
        """Logs nothing: nobody would read it."""


def _detach(listener: socket.socket) -> None:
    """Lets go of the program's standard streams: whoever reads its output must see it end when the program ends."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for standard in range(_STANDARD):
        os.dup2(nothing, standard)
    kept = listener.fileno()
    os.closerange(_STANDARD, kept)
    os.closerange(kept + 1, min(os.sysconf("SC_OPEN_MAX"), _MOST))


def _serve(listener: socket.socket, pid: int) -> None:
    from prometheus_client import CollectorRegistry, make_wsgi_app

    program = os.pidfd_open(pid)
    registry = CollectorRegistry()
    registry.register(_Collector(pid))
    server = _Server(("127.0.0.1", 0), _Quiet, bind_and_activate=False)
    server.socket.close()
    server.socket = listener
    server.server_name, server.server_port = "localhost", listener.getsockname()[1]
    server.setup_environ()
    server.set_app(make_wsgi_app(registry))
    events = select.poll()
    events.register(listener, select.POLLIN)
    events.register(program, select.POLLIN)
    while all(number != program for number, _ in events.poll()):
        server.handle_request()
