"""`heddle crawl --report`: the crawl as one page that needs nothing but itself.

Everything is plain HTML and can be read without scripts; the script sorts and filters the tables. URLs and names come
from other people's servers: the template escapes all of them, and none becomes a link.
"""

from importlib import resources
from typing import Any

from heddle import __version__
from heddle.crawl import shape
from heddle.crawl.results import Summary

MOST_HOSTS = 50


def page(found: Summary) -> str:
    import jinja2

    folder = resources.files(__package__)
    shared = resources.files("heddle.report.page")
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    hosts = found.slowest_hosts()
    return environment.from_string(folder.joinpath("page.html").read_text()).render(
        version=__version__,
        found=found,
        total=shape.size(found.bytes),
        outcomes=_bars([(name, count) for name, count in found.outcomes.most_common()]),
        types=_bars([(name, count) for name, count in found.types.most_common(20)]),
        depths=_bars([(str(depth), found.depths[depth]) for depth in sorted(found.depths)]),
        sizes=_bars([(f"from {shape.size(start)}", count) for start, count in shape.ranges(found.sizes, 4)]),
        times=_bars([(f"from {start:g} ms", count) for start, count in shape.ranges(found.ms, 4)]),
        hosts=[
            {
                "name": name,
                "requests": host.requests,
                "errors": host.errors,
                "size": shape.size(host.bytes),
                "bytes": host.bytes,
                "median": round(host.quantile(0.5)),
                "late": round(host.quantile(0.95)),
            }
            for name, host in hosts[:MOST_HOSTS]
        ],
        more_hosts=max(0, len(hosts) - MOST_HOSTS),
        graph=shape.graph(found),
        style=shared.joinpath("page.css").read_text() + folder.joinpath("page.css").read_text(),
        script=folder.joinpath("page.js").read_text(),
    )


def _bars(rows: list[tuple[str, int]]) -> list[dict[str, Any]]:
    most = max((count for _, count in rows), default=1)
    return [{"name": name, "count": count, "share": round(100 * count / most, 1)} for name, count in rows]
