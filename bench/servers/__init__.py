"""The servers that benchmarks measure, built: small ones that lie here, and the examples."""

from __future__ import annotations

import shutil
import subprocess
import sys
from pathlib import Path

from heddle.measure.commands import call
from heddle.measure.libevent import Program, build
from heddle.system import nodejs, places

C11 = ("-std=c11", "-D_POSIX_C_SOURCE=200809L", "-D_DEFAULT_SOURCE")
HERE = Path(__file__).resolve().parent


def rings(work: Path) -> Program:
    return build(work / "rings", "rings", [HERE / "rings.c"], C11, ["-levent"])


def sleeper(work: Path) -> Program:
    return build(work / "sleeper", "sleeper", [HERE / "sleeper.c"], C11, ["-levent"])


def imgserve(work: Path) -> Program:
    sources = sorted((places.root() / "examples/imgserve").glob("*.c"))
    return build(work / "imgserve", "imgserve", sources, C11, ["-levent", "-ljpeg"])


def fileserver(work: Path) -> Program:
    sources = sorted((places.root() / "examples/fileserver").glob("*.c"))
    return build(work / "fileserver", "fileserver", sources, C11, ["-levent"])


def site(work: Path) -> Path:
    """A web site for crawlers; it is no contender, so it is only compiled."""
    program = work / "site"
    call(["cc", *C11, "-D_GNU_SOURCE", "-O2", HERE / "site.c", "-o", program])
    return program


def batches(work: Path) -> Path:
    """A program that starts another and talks with it; no server, so it is only compiled."""
    program = work / "batches"
    call(["cc", *C11, "-O2", HERE / "batches.c", "-o", program])
    return program


def made(script: str, folder: Path, *options: str) -> tuple[Path, Path]:
    """What a script of an example generates for its server to serve, and the list of URLs; made once per folder."""
    mix = folder.with_name(f"{folder.name}.txt")
    if not mix.exists():
        command = [sys.executable, places.root() / "examples" / script, folder, "--mix", mix, *options]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    return folder, mix


def pictures(work: Path, count: int) -> tuple[Path, Path]:
    return made("imgserve/make_pictures.py", work / f"pictures-{count}", "--count", str(count))


def node_programs() -> Path:
    """The folder of Node.js programs, with their packages."""
    nodejs.install(HERE / "node")
    return HERE / "node"


def node_examples() -> Path:
    return places.root() / "examples/node"


def threads(work: Path) -> dict[str, Path]:
    """The programs of bench/threads: kinds of lightweight threads, each measured alike."""
    sources = HERE.parent / "threads"
    work.mkdir(exist_ok=True)
    library = places.build() / "pico/libheddle_pico.a"
    libraries = {
        "pico": [library, "-lboost_context"],
        "context": ["-lboost_context"],
        "fiber": ["-lboost_fiber", "-lboost_context"],
        "asio": [],
    }
    for name, linked in libraries.items():
        flags = ["-std=c++20", "-O2", "-DNDEBUG", "-I", places.root(), "-pthread"]
        call(["g++", *flags, sources / f"{name}.cpp", "-o", work / name, *linked])
    call(["go", "build", "-o", work / "go", sources / "go/main.go"])
    return {name: work / name for name in (*libraries, "go")}


def stores(work: Path) -> dict[str, Path]:
    """The programs of bench/stores: the same objects in several stores, each measured alike."""
    sources = HERE.parent / "stores"
    work.mkdir(exist_ok=True)
    libraries = {
        "objectbase": [places.build() / "objectbase/libheddle_objectbase.a"],
        "lmdb": ["-llmdb"],
        "sqlite": ["-lsqlite3"],
    }
    for name, linked in libraries.items():
        flags = ["-std=c++20", "-O2", "-DNDEBUG", "-I", places.root(), "-pthread"]
        call(["g++", *flags, sources / f"{name}.cpp", "-o", work / name, *linked])
    return {name: work / name for name in libraries}


def transports(work: Path) -> Path:
    """The program of bench/transports: an owner of objects and an editor, over any transport."""
    work.mkdir(exist_ok=True)
    flags = ["-std=c++20", "-O2", "-DNDEBUG", "-I", places.root(), "-pthread"]
    program = work / "objectbase"
    source = HERE.parent / "transports/objectbase.cpp"
    call(["g++", *flags, source, "-o", program, places.build() / "objectbase/libheddle_objectbase.a"])
    return program


def iceoryx2(work: Path) -> Path | None:
    """The program of bench/transports/iceoryx2; None where there is no cargo, or one that cannot build it."""
    cargo = shutil.which("cargo")
    if cargo is None:
        return None
    manifest = HERE.parent / "transports/iceoryx2/Cargo.toml"
    words = [cargo, "build", "--quiet", "--release", "--locked", "--manifest-path", manifest, "--target-dir", work]
    if subprocess.run(words, capture_output=True, check=False).returncode != 0:
        return None
    return work / "release/iceoryx2_transport"


def crawlers(work: Path) -> dict[str, Path]:
    """The programs of bench/crawlers: three crawlers, and the site that they visit."""
    sources = HERE.parent / "crawlers"
    work.mkdir(exist_ok=True)
    library = [places.build() / "pico/libheddle_pico.a", "-lboost_context"]
    libraries = {"pico": library, "system": [], "pool": [], "site": library}
    for name, linked in libraries.items():
        flags = ["-std=c++20", "-O2", "-g", "-DNDEBUG", "-I", places.root(), "-pthread"]
        call(["g++", *flags, sources / f"{name}.cpp", "-o", work / name, *linked])
    return {name: work / name for name in libraries}


def primes(work: Path) -> Path:
    """The program of bench/events: the prime counter of the 2011 thesis, on one thread and as transactions."""
    program = work / "primes"
    flags = ["-std=c++20", "-O2", "-DNDEBUG", "-I", places.root(), "-pthread"]
    call(["g++", *flags, HERE.parent / "events/primes.cpp", "-o", program])
    return program
