"""Scenarios without a network: primes in batches (Sheremetyev 2011, 5.8), ornamental gardens, files that are read."""

from collections.abc import Iterator
from contextlib import contextmanager

from heddle.lab.scenarios.stage import Options, Stage
from heddle.lab.web import sites

PRIMES_BELOW = 2_000_000
RANGES = 16
BATCH = 1000
TURNSTILES, VISITORS = 4, 20_000
FILES, SIZE = 32, 1 << 20


@contextmanager
def primes(options: Options, batch: int = BATCH) -> Iterator[Stage]:
    from heddle.lab import Scenario

    below = max(RANGES, round(PRIMES_BELOW * options.scale))
    lab = Scenario("primes")
    step = -(-below // RANGES)
    for number in range(RANGES):
        first, last = number * step, min(below, (number + 1) * step)
        with lab.group(f"range {number}"):
            lab.compute(first, last, batch=batch, name=f"primes from {first}")
    yield Stage(lab, {"scale": options.scale, "below": below, "batch": batch})


@contextmanager
def gardens(options: Options) -> Iterator[Stage]:
    """Visitors come through several turnstiles, and all are counted in one place (Magee, Kramer 1999, chapter 4)."""
    from heddle.lab import Scenario

    visitors = max(1, round(VISITORS * options.scale))
    lab = Scenario("gardens")
    counter = lab.cells("visitors", 1)
    for number in range(TURNSTILES):
        with lab.group(f"turnstile {number}"):
            lab.touch(counter, 0, 1, visitors, batch=100)
    yield Stage(lab, {"scale": options.scale, "turnstiles": TURNSTILES, "visitors": visitors})


@contextmanager
def files(options: Options) -> Iterator[Stage]:
    from heddle.lab import Scenario

    size = max(1, round(SIZE * options.scale))
    lab = Scenario("files")
    for number, file in enumerate(sites.files(options.work / f"files-{size}", FILES, size, options.seed)):
        with lab.group(f"reader {number % 4}"):
            lab.load_file(str(file), lab.memory(f"file {number}"))
    yield Stage(lab, {"scale": options.scale, "files": FILES, "bytes": size})
