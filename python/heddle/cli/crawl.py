"""`heddle crawl`: one lightweight thread for each URL; also a link checker and a site mirror."""

from pathlib import Path
from typing import Annotated, Any

import typer

_HELP = """Fetch pages, follow their links, and write a record for each URL.

Only hosts of the given URLs are crawled, one request at a time to a host, at most one a second, as robots.txt allows.
The exit code is 0 when it is done, 1 when --check found broken links, 2 for bad input, 130 after Ctrl-C; what was found
is kept.

--json writes JSON Lines with url, status, error, depth, referrer, type, bytes, sha256, redirect, links, attempts, ms.
With --state an ended crawl goes on where it was, even after kill -9, if the same --json file is given.

Example: heddle crawl --json pages.jsonl https://example.org

Example: heddle crawl --check --rate 0 http://localhost:8000/

Example: heddle crawl --warc site.warc.gz --state site.state --resources --report site.html https://example.org
"""

_SECONDS = "SECONDS"


def _option(metavar: str, text: str) -> Any:  # noqa: ANN401 - what Annotated takes
    return typer.Option(metavar=metavar, help=text)


def _flag(name: str, text: str) -> Any:  # noqa: ANN401
    return typer.Option(name, help=text)


def register(app: typer.Typer) -> None:
    app.command(
        "crawl",
        help=_HELP,
        short_help="Crawl sites, check their links, or mirror them.",
        # What the crawler knows beside these goes to it as it stands.
        context_settings={"ignore_unknown_options": True},
    )(crawl)


def crawl(
    urls: Annotated[list[str], typer.Argument(metavar="URL...", help="Where to begin.")],
    json_file: Annotated[
        str | None, typer.Option("--json", metavar="FILE|-", help="Write a record for each URL, as JSON Lines.")
    ] = None,
    report: Annotated[
        Path | None, typer.Option(metavar="FILE.html", help="Make a page of the results at the end.")
    ] = None,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Draw the results at the end, as .svg or .png.")
    ] = None,
    csv: Annotated[
        Path | None, typer.Option(metavar="FILE.csv", help="Make a table of the results at the end.")
    ] = None,
    check: Annotated[bool, _flag("--check", "Look at every link of the pages, and print the broken ones.")] = False,
    warc: Annotated[str | None, _option("FILE", "Keep all requests and answers as WARC 1.1.")] = None,
    state: Annotated[str | None, _option("DIR", "Keep what is needed to go on; one that is there is resumed.")] = None,
    frontier: Annotated[
        str | None, _option("redis://HOST:PORT/DB", "Crawl together with all that name the same one.")
    ] = None,
    max_pages: Annotated[str | None, _option("N", "End after this many URLs.")] = None,
    max_depth: Annotated[str | None, _option("N", "Follow at most this many links from a given URL.")] = None,
    max_bytes: Annotated[str | None, _option("N", "Take at most this much of a body.")] = None,
    max_time: Annotated[str | None, _option(_SECONDS, "End after this time.")] = None,
    timeout: Annotated[str | None, _option(_SECONDS, "Give up a request after this time.")] = None,
    rate: Annotated[
        str | None, _option("N", "Requests per second and host; 0: without limit, several at once.")
    ] = None,
    connections: Annotated[str | None, _option("N", "At most this many requests at once.")] = None,
    workers: Annotated[str | None, _option("N", "Threads of the system to use.")] = None,
    include: Annotated[str | None, _option("REGEX", "Only URLs in which this is found.")] = None,
    exclude: Annotated[str | None, _option("REGEX", "No URLs in which this is found.")] = None,
    span_hosts: Annotated[bool, _flag("--span-hosts", "Follow links to other hosts, too.")] = False,
    resources: Annotated[bool, _flag("--resources", "Fetch images, scripts, styles and media, too.")] = False,
    private: Annotated[bool, _flag("--private", "Allow loopback, private and link-local addresses.")] = False,
    no_robots: Annotated[bool, _flag("--no-robots", "Do not ask for robots.txt.")] = False,
    user_agent: Annotated[str | None, _option("TEXT", "Say this instead of heddle.")] = None,
    header: Annotated[list[str] | None, _option("'NAME: VALUE'", "Send this header, too; may be repeated.")] = None,
    cookies: Annotated[bool, _flag("--cookies", "Keep cookies, and send each to the host that set it.")] = False,
    proxy: Annotated[
        str | None, _option("URL", "Send requests by this HTTP proxy, http://[USER:PASSWORD@]HOST:PORT.")
    ] = None,
    insecure: Annotated[bool, _flag("--insecure", "Accept any certificate.")] = False,
    metrics: Annotated[str | None, _option("PORT", "Serve figures for Prometheus on 127.0.0.1.")] = None,
) -> int:
    from heddle.crawl import launch

    values = {
        "--warc": warc,
        "--state": state,
        "--frontier": frontier,
        "--max-pages": max_pages,
        "--max-depth": max_depth,
        "--max-bytes": max_bytes,
        "--max-time": max_time,
        "--timeout": timeout,
        "--rate": rate,
        "--connections": connections,
        "--workers": workers,
        "--include": include,
        "--exclude": exclude,
        "--user-agent": user_agent,
        "--proxy": proxy,
        "--metrics": metrics,
    }
    flags = {
        "--check": check,
        "--span-hosts": span_hosts,
        "--resources": resources,
        "--private": private,
        "--no-robots": no_robots,
        "--cookies": cookies,
        "--insecure": insecure,
    }
    # As one word, so that a value that begins with a dash stays one.
    words = [f"{name}={value}" for name, value in values.items() if value is not None]
    words += [f"--header={value}" for value in header or ()]
    words += [name for name, given in flags.items() if given]
    return launch.start(launch.Request((*words, *urls), json_file, report, plot, csv, state is not None))
