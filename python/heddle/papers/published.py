"""The figures of the papers, as data: what was measured there, how much it was, and on which page it says so.

Curves without numbers are given as what the text says of them; nothing is read off a picture. `measured` is where the
same quantity is in the document that a benchmark of ours saves.
"""

from dataclasses import dataclass

Path = tuple[str | int, ...]


@dataclass(frozen=True)
class Figure:
    what: str
    value: float | None  # None: the source has no number
    said: str  # what the number counts, or what the source says instead of one
    where: str  # in the source
    measured: Path = ()  # () where no benchmark measures the same
    unit: str = ""  # of our number
    per: Path = ()  # ours is the quotient of two
    among: Path = ()  # ours is so many of these


@dataclass(frozen=True)
class Experiment:
    name: str
    title: str
    source: str
    there: str  # what was run, and against what
    here: str
    difference: str  # why the two columns cannot be the same
    bench: str
    figures: tuple[Figure, ...]
    shows_table: bool = False  # below the figures, the table of the benchmark as it was saved


# Sheremetyev's batch sizes: how many numbers of RANGE one event inspects.
RANGE = 1_000_000
BATCHES = (10, 100, 1_000, 10_000, 100_000, 200_000, 1_000_000)
CORES = 7
BEST, BEST_SPEED = 1_000, 6.5  # figure 5.1: the size that was used, and its speed-up on so many cores
ABORTED, ABORTS = 10, 100_000  # figure 5.3: the size of which about every event fails once
STABLE = (100, 100_000)  # between these the time is stable and aborts are close to none
LOSES = 200_000  # figure 5.4: slower from here on
ONE_CORE = 1_000_000  # figure 5.4: the same time on any number of cores


def _speed(size: int, value: float | None, said: str, where: str) -> Figure:
    measured = ("details", f"batch_{size}", "speed_up")
    return Figure(f"speed-up, {size:,} an event", value, said, where, measured, "on 2 cores")


def _in_vain(size: int, value: float | None, said: str) -> Figure:
    ours = ("details", f"batch_{size}")
    what, where = f"in vain, {size:,} an event", "figure 5.3, page 41"
    return Figure(what, value, said, where, (*ours, "in_vain"), "begun", among=(*ours, "begun"))


PRIMES = Experiment(
    "primes",
    "Counting primes, a batch of numbers in every event",
    "Sheremetyev, Event-Driven Concurrency in JavaScript (Oxford, 2011), section 5.8",
    "up to a million, on an 8-core Xeon, against one thread; V8's inline caches, optimiser and garbage collector off",
    "up to 16 million, on 2 cores, against plain node; all of these on",
    "There an event is a transaction, and one that met a conflict ran again. Here events run in their order on the "
    "main thread and take results that workers computed ahead: what is in vain is a region that a worker began for "
    "nothing. The range is sixteen times as long, so a million numbers an event are sixteen events here and one there.",
    "node_primes",
    (
        _speed(10, None, "slower than longer events", "figure 5.2, page 40"),
        _speed(100, None, "as with 1,000", "section 5.8, page 41"),
        _speed(BEST, BEST_SPEED, f"on {CORES} cores", "figure 5.1, page 40"),
        *(_speed(size, None, "as with 1,000", "section 5.8, page 41") for size in (10_000, 100_000)),
        _speed(LOSES, None, "begins to be slower", "figure 5.4, page 41"),
        _speed(ONE_CORE, 1.0, "on any number of cores", "figure 5.4, page 41"),
        _in_vain(ABORTED, ABORTS, f"of {RANGE // ABORTED:,} events"),
        *(_in_vain(size, None, "close to no aborts") for size in BATCHES if STABLE[0] <= size <= STABLE[1]),
    ),
)

_PAMNANY = "Pamnany, Safe Parallelism for Servers (Brown, 2011)"

FILESERVER = Experiment(
    "fileserver",
    "Large files that are not in memory",
    f"{_PAMNANY}, section 6.3",
    "thttpd on four cores; 200 clients fetch 4 GB in files of 512 KB to 6 MB from a disk; against thttpd as it was",
    "examples/fileserver with 16 threads; storage that takes 5 ms for a read; against the same program on libevent",
    "A disk reads one block at a time; flash and storage in a network read many, and that is what handlers that block "
    "gain from.",
    "papers_fileserver",
    (
        Figure("throughput, one read at a time", 1.12, "times", "section 6.3.2", ("details", "one", "ratio"), "times"),
        Figure("throughput, 16 reads at once", None, "not tried", "", ("details", "many", "ratio"), "times"),
        Figure("throughput, after one handler was split", 1.15, "times", "section 6.3.2"),
    ),
)

ONION = Experiment(
    "onion",
    "Circuits of an onion-routing relay",
    f"{_PAMNANY}, section 6.4",
    "tor, five routers, circuits of three hops; time to build a circuit by how many are built at once",
    "examples/onion on 2 cores, all three hops in one process, 8 circuits at once; circuits a second",
    "The figure has curves and no numbers. The pool there passed messages through a socket and ended workers that "
    "looked stuck; the one here does neither.",
    "papers_onion",
    (
        Figure(
            *("as it is / libevent", None, "not shown", ""),
            ("details", "unchanged", "after_per_s"),
            "times",
            per=("details", "unchanged", "before_per_s"),
        ),
        Figure(
            *("counters made atomic / libevent", None, "faster", "figure 6.2, page 33"),
            ("claims", 0, "measured"),
            "times",
        ),
        Figure(
            *("counters made atomic / pool of workers", None, "faster", "figure 6.2, page 33"),
            ("claims", 1, "measured"),
            "times",
        ),
    ),
)

ANALYSIS = Experiment(
    "analysis",
    "Time to analyse tor",
    f"{_PAMNANY}, chapter 6",
    "tor with 74,600 lines, thttpd with 7,496; hours and minutes of 2011",
    "tor of Debian 12, 178,000 lines; processor time",
    "Fifteen years of faster processors are part of it.",
    "elyze_corpus",
    (
        Figure(
            *("tor, the whole analysis", 18 * 3600, "s", "section 6.4.2"),
            ("details", "programs", "tor", "elyze_s"),
            "s",
        ),
        Figure("tor, the first pass", 70 * 60, "s", "section 6.4.2"),
        Figure("thttpd", 2.4, "s", "section 6.3.2"),
    ),
)


def _bandwidth(size: str) -> Figure:
    what, where = f"bandwidth / system threads, {size}", "text, a thread for each"
    return Figure(what, 3, "to 15 times", where, ("details", "sizes", size, "gain", "system"), "times")


CRAWLER = Experiment(
    "crawler",
    "A crawler with a thread for each URL",
    "PicoThreaded Web Crawler (Berkeley, about 1998), a page with its graphs left out",
    "Java 1.1.5 on Solaris 2.5.1, on web servers of the department and www.yahoo.com; threads of Java, which are the "
    "system's, 1 to 32 in the pool",
    "C++, bench/crawlers, one core for the crawler; bandwidth for a second of processor time",
    "There 90 % of the time went into reading pages in an interpreter, and switching system threads was slower than "
    "it is now. Here reading a page is nearly free, and the kernel's work for a connection, which is the same "
    "with any threads, is most of it.",
    "papers_crawler",
    (
        *(_bandwidth(size) for size in ("1 KB", "10 KB", "100 KB", "1,000 KB")),
        Figure(
            *("bandwidth / the pool, worst of the sizes", 50 / 60, "times", "last paragraph"),
            ("claims", 1, "measured"),
            "times",
        ),
        Figure(
            *("threads of the pool at its best", 3, "", "text, thread pools"),
            ("details", "pool"),
            "of 25, 50, 100, 400",
        ),
        Figure(
            *("threads and network, of the time", None, "5 to 10 %", "last paragraph"),
            ("details", "percent", "threads and network"),
            "%",
        ),
        Figure(
            *("threads alone", None, "not shown", ""),
            ("details", "percent", "threads"),
            "%",
        ),
    ),
    shows_table=True,
)

EXPERIMENTS = (PRIMES, FILESERVER, ONION, ANALYSIS, CRAWLER)
