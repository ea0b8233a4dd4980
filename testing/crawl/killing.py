"""Crawls that are killed at random points and started again, until they come to their end."""

from __future__ import annotations

import random
import subprocess
import time

from testing.crawl.crawling import PATIENCE_S, Crawler
from testing.crawl.web.server import Web


def requests(web: Web) -> int:
    return len(web.log.pages())


def wait_for(web: Web, count: int, running: subprocess.Popen[str]) -> bool:
    """Until so many pages were asked for; false if the crawl ended before."""
    deadline = time.monotonic() + PATIENCE_S
    while requests(web) < count:
        if running.poll() is not None:
            return False
        assert time.monotonic() < deadline, "it does not go on"
        time.sleep(0.002)
    return True


def killed_again_and_again(
    crawl: Crawler, web: Web, words: list[str], seed: int, most: int, codes: tuple[int, ...] = (0,)
) -> list[set[str]]:
    """Runs it to its end through kills at random points; the URLs that were asked for in each of the runs."""
    points = random.Random(seed)
    asked: list[set[str]] = []
    for turn in range(most + 1):
        before = requests(web)
        running = crawl.start(*words)
        if turn < most and wait_for(web, before + points.randrange(1, 40), running):
            time.sleep(points.random() * 0.03)
            crawl.kill(running)
            settle(web)
        else:
            _, err = running.communicate(timeout=PATIENCE_S)
            assert running.returncode in codes, err[-2000:]
        asked.append(set(web.log.urls()[before:]))
        if running.returncode in codes:
            return asked
    raise AssertionError("it does not end")


def settle(web: Web) -> None:
    """Waits until the server has read what a run had sent before it was killed: else that would be the next run's."""
    end, before = time.monotonic() + PATIENCE_S, -1
    while (now := requests(web)) != before and time.monotonic() < end:
        before = now
        time.sleep(0.1)


def asked_again(asked: list[set[str]]) -> int:
    """How many of what one run had asked for were asked for again later, at most: what was in flight at its end."""
    again = [earlier & set().union(*asked[number + 1 :]) for number, earlier in enumerate(asked[:-1])]
    return max(map(len, again), default=0)
