"""Debian's documentation packages, fetched and unpacked when they are needed, never installed.

They lie below an ignored folder, one tree each. Half of them are for work on the crawler; the other half is looked at
only when the work is done, to see what was tuned to the first half. The halves were drawn before any page was looked
at: sorted by name, in turn.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

from testing.servers.debian_programs import UnfitError

_LONGEST_FETCH_S = 900
NAMES = tuple(
    sorted(
        (
            "ada-reference-manual-2012 ant-doc apache2-doc aptitude-doc-en clang-14-doc cmake-doc "
            "cppreference-doc-en-html db5.3-doc debian-faq-ja debian-policy debian-reference-ja debian-reference-zh-cn "
            "developers-reference-ru erlang-doc exim4-doc-html fltk1.3-doc gap-doc ghc-doc git-doc "
            "groovy-doc installation-guide-amd64 libboost1.81-doc libcairo2-doc libgtk-3-doc libhdf5-doc "
            "libstdc++-12-doc libsvn-doc libvirt-doc libx11-doc libxml2-doc lilypond-doc-html linux-doc-6.1 "
            "llvm-14-doc maxima-doc nodejs-doc ntpsec-doc octave-doc openjdk-17-doc openmpi-doc postfix-doc "
            "postgresql-doc-15 puredata-doc python-django-doc python-pandas-doc python-scipy-doc "
            "python-sqlalchemy-doc python3.11-doc qtbase5-doc-html r-doc-html sbcl-doc scala-doc "
            "sqlite3-doc swi-prolog-doc tomcat10-docs wx3.2-doc xen-doc zsh-doc"
        ).split()
    )
)
SEEN, UNSEEN = NAMES[0::2], NAMES[1::2]
# Of the first half, those that all crawlers are through with in two minutes.
SMALL = (
    "clang-14-doc debian-faq-ja debian-reference-ja developers-reference-ru exim4-doc-html gap-doc git-doc "
    "libcairo2-doc libhdf5-doc openmpi-doc r-doc-html swi-prolog-doc zsh-doc"
).split()


# What LinkChecker is through with in a minute each, of both halves.
CHECKED = (
    *SMALL,
    *"ada-reference-manual-2012 nodejs-doc octave-doc python-django-doc".split(),
    *"libgtk-3-doc libvirt-doc ntpsec-doc postfix-doc puredata-doc tomcat10-docs xen-doc".split(),
)


def unpacked(package: str, folder: Path) -> Path:
    """The package's tree below the folder; UnfitError says why it cannot be had."""
    tree = folder / package
    if tree.exists():
        return tree
    folder.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder, prefix=".fetch.") as work:
        _quiet(["apt-get", "download", "-q", "-o", "APT::Sandbox::User=", package], Path(work))
        (archive,) = Path(work).glob("*.deb")
        part = Path(work) / "tree"
        _quiet(["dpkg-deb", "-x", archive, part], Path(work))
        _keep_links_inside(part)
        shutil.move(part, tree)
    return tree


def entrances(tree: Path) -> list[str]:
    """The paths of URLs at which a reader begins: what the package registers with doc-base as HTML, else its uppermost
    index.html, else its uppermost page.
    """
    found = sorted({path for file in sorted(tree.glob("usr/share/doc-base/*")) for path in _registered(file)})
    there = [path for path in found if (tree / path.lstrip("/")).is_file()]
    if there:
        return there
    pages = [path for path in tree.rglob("*.*") if path.suffix in (".html", ".htm", ".xhtml") and path.is_file()]
    if not pages:
        raise UnfitError(f"{tree.name} has no pages")
    first = min(pages, key=lambda path: (path.stem != "index", len(path.parts), str(path)))
    return ["/" + str(first.relative_to(tree))]


def _registered(file: Path) -> Iterator[str]:
    """Each `Index` below a `Format: HTML`."""
    form = ""
    for line in file.read_text(errors="replace").splitlines():
        name, _, value = line.partition(":")
        if name.lower() == "format":
            form = value.strip().lower()
        elif name.lower() == "index" and form == "html":
            yield re.sub("^file:(//)?", "", value.strip())


def _keep_links_inside(tree: Path) -> None:
    """Symbolic links with an absolute target are meant below the tree; here they would lead to what is installed."""
    for folder, folders, files in os.walk(tree):
        for name in (*folders, *files):
            path = Path(folder, name)
            if path.is_symlink() and (target := str(path.readlink())).startswith("/"):
                path.unlink()
                path.symlink_to(os.path.relpath(tree / target.lstrip("/"), folder))


def _quiet(command: list[str | Path], folder: Path) -> None:
    try:
        done = subprocess.run(
            list(map(str, command)), cwd=folder, capture_output=True, text=True, check=False, timeout=_LONGEST_FETCH_S
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise UnfitError(f"not fetched: {error}") from None
    if done.returncode:
        raise UnfitError(f"not fetched: {(done.stderr.strip().splitlines() or ['?'])[-1][:160]}")
