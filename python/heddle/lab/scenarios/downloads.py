"""Download eight large files at once, over connections that are slower than the machine (Karlsson 2007, 7.4.2)."""

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from heddle.lab.scenarios.stage import Options, Stage
from heddle.lab.web import server, sites

FILES = 8
SIZE = 4 << 20
RATE = 2 << 20  # bytes a second for each connection: 8 of them are the paper's 100 Mbit/s, and a third


@contextmanager
def stage(options: Options, count: int = FILES) -> Iterator[Stage]:
    from heddle.lab import Scenario

    size = max(1, round(SIZE * options.scale))
    folder = options.work / f"downloads-{size}"
    sites.files(folder, FILES, size, options.seed)
    latency = options.latency or 0.0
    with server.serving(folder, latency, RATE) as web, tempfile.TemporaryDirectory(prefix="heddle-lab-") as into:
        lab = Scenario("downloads")
        for number in range(1, count + 1):
            with lab.group(f"download {number}"):
                lab.load_url(web.url(f"download_{number}"), lab.file(str(Path(into) / f"download_{number}")))
        yield Stage(lab, {"latency": latency, "scale": options.scale, "files": count}, lambda: web.cpu_seconds)
