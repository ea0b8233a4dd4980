"""Why --check and LinkChecker find different URLs of one site broken: a reason for each, as in reasons.py, or none."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

from testing.crawl.documentation import referee
from testing.crawl.documentation.peers import Run
from testing.crawl.documentation.reasons import (
    BEHIND_OURS,
    HTTP_PATH,
    URLJOIN,
    Comparison,
    loses_semicolon,
    page_before,
    without_slashes,
)
from testing.crawl.documentation.referee import Link

_TABLE = (
    "import json; from linkcheck.htmlutil.linkparse import LinkTags; "
    "print(json.dumps({tag: list(names) for tag, names in LinkTags.items()}))"
)


def compare_broken(tree: Path, ours: Run, peer: Run) -> Comparison:
    """What only one of them found broken; what both did is counted as common."""
    found = Comparison(common_pages=len(ours.missing & peer.missing))
    for key in sorted(ours.missing ^ peer.missing):
        only_ours = key in ours.missing
        has, lacks = (ours, peer) if only_ours else (peer, ours)
        at = page_before(has.answers, key)
        reason = None if at is None or key in lacks.answers else _reason_broken(tree, key, at, only_ours, has, lacks)
        if reason:
            found.reasons.setdefault(reason, []).append(key)
        else:
            found.unexplained[key] = f"only {'we say' if only_ours else 'LinkChecker says'} it is broken, from {at}"
    return found


def _reason_broken(tree: Path, key: str, at: str, only_ours: bool, has: Run, lacks: Run) -> str | None:
    if at in has.answers and not has.answers[at].is_page:
        return None if only_ours else f"LinkChecker reads {has.answers[at].type}"
    if at not in lacks.answers:
        return BEHIND_OURS if only_ours else "behind a URL that only LinkChecker asked for"
    if not only_ours and not lacks.answers[at].read:
        return "on a page that LinkChecker reads, for it is linked, though not as a page"
    links = referee.page(tree, at).links_to(key)
    ours = [link for link in links if link.looked_at]
    if only_ours:
        return _linkchecker_misses(ours) if ours else None
    if ours:
        return None
    if links:
        return f"LinkChecker looks at {min(link.kind for link in links)}"
    if referee.page(tree, at).links_to(key + ";"):
        return URLJOIN
    return "LinkChecker looks at what the HTML standard does not see as a link"


def _linkchecker_misses(links: list[Link]) -> str | None:
    words = ["/usr/bin/python3", "-c", _TABLE]
    table = json.loads(subprocess.run(words, capture_output=True, text=True, check=True).stdout)
    if all(link.attribute not in table.get(link.element, ()) for link in links):
        return f"LinkChecker's table of links has no {min(link.kind for link in links)}"
    if all(loses_semicolon(link) for link in links):
        return URLJOIN
    if all(without_slashes(link) for link in links):
        return f"LinkChecker {HTTP_PATH}"
    return None
