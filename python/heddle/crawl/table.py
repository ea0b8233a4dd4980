"""The results of a crawl as a table (RFC 4180): a line for each URL, the fields of the records as columns."""

import csv
from pathlib import Path

from heddle.crawl.results import records

FIELDS = (
    "url",
    "status",
    "error",
    "depth",
    "referrer",
    "type",
    "bytes",
    "sha256",
    "redirect",
    "links",
    "attempts",
    "ms",
)


def save(file: Path, results: Path) -> None:
    """What is null in a record is empty here. OSError; BadInputError where the results are none."""
    with file.open("w", encoding="utf-8", newline="") as stream:
        table = csv.DictWriter(stream, FIELDS, extrasaction="ignore")
        table.writeheader()
        table.writerows(records(results))
