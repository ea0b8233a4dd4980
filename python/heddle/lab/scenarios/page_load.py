"""Load five pages at once, parse them, and load, decode and paint each of their pictures (Karlsson 2007, 7.4.1)."""

from collections.abc import Iterator
from contextlib import contextmanager

from heddle.lab.scenarios.stage import Options, Stage
from heddle.lab.web import server, sites

LATENCY_S = 0.03
WIDTH, HEIGHT = 1024, 800


@contextmanager
def stage(options: Options) -> Iterator[Stage]:
    from heddle.lab import Scenario

    latency = LATENCY_S if options.latency is None else options.latency
    folder = sites.make(options.work / f"sites-{options.scale:g}", options.scale, options.seed)
    with server.serving(folder, latency) as web:
        lab = Scenario("page-load")
        window = lab.canvas("window", WIDTH, HEIGHT)
        for site in sites.SITES:
            url = web.url(f"{site.name}/")
            with lab.group(site.name):
                page, tree = lab.memory(f"page {site.name}"), lab.tree(f"tree {site.name}")
                lab.load_url(url, page)
                lab.parse_html(page, tree)
                lab.paint_all_images(tree, window, url)
        yield Stage(lab, {"latency": latency, "scale": options.scale}, lambda: web.cpu_seconds)
