"""The figures that the threadlab paper (Karlsson, Linköping 2007) published, and where ours are."""

from heddle.papers.published import Experiment, Figure

_SOURCE = "Karlsson, Multithreaded concurrency for faster web browsers (Linköping, 2007)"
_MODELS = (("cooperative", "cooperative"), ("threaded serial", "threads"), ("pool of 8", "pool:8"))


def _seconds(name: str, ours: str, value: float) -> Figure:
    measured = ("details", "page_load", ours, "seconds")
    return Figure(f"{name}, seconds", value, "s", "figure 7.9", measured, "s")


def _against_serial(name: str, ours: str, value: float | None, said: str, where: str) -> Figure:
    return Figure(
        f"{name} / threaded serial",
        value,
        said,
        where,
        ("details", "page_load", ours, "seconds"),
        "times",
        per=("details", "page_load", "threads", "seconds"),
    )


PAGES = Experiment(
    "pages",
    "Five pages with all their pictures, under three models",
    f"{_SOURCE}, section 7.4.1",
    "copies of five real sites on another computer of the local network; two cores of a Core 2 Duo; a window of X11",
    "five made-up sites behind nginx on the same machine, each answer after 30 ms; 2 cores; a window in memory",
    "There the cooperative model asked each transfer in turn whether something had come, and computed meanwhile: "
    "ours watches descriptors, and ours named busy does what theirs did. Theirs opened few connections; how many there "
    "are decides the order here, and the saved details have the same with eight for every model.",
    "lab",
    (
        _seconds("cooperative", "cooperative", 4.98),
        _seconds("threaded serial", "threads", 5.14),
        _seconds("pool of 8", "pool:8", 3.84),
        _against_serial("cooperative", "cooperative", 4.98 / 5.14, "times", "figure 7.9"),
        _against_serial("cooperative, busy", "cooperative:busy", 4.98 / 5.14, "times, as above", "figure 7.9"),
        _against_serial("cooperative, a thread a page", "cooperative:per-group", None, "not tried", ""),
        _against_serial("pool of 8", "pool:8", 3.84 / 5.14, "times", "figure 7.9"),
        _against_serial("pool of 10", "pool:10", None, "a little less than of 8", "figure 7.10"),
        *(
            Figure(
                f"pool of {workers} / of 1",
                None,
                said,
                "figure 7.10 and text",
                ("details", "sweep", f"pool:{workers}", "to_first"),
                "times",
            )
            for workers, said in (
                (2, "a curve without numbers"),
                (3, "much less than of 2"),
                (4, "less, slowly"),
                (6, "a reasonable number"),
                (8, "a reasonable number"),
                (10, "less, slowly"),
            )
        ),
    ),
    shows_table=True,
)


def _counted(what: str, coop: float, threaded: float, pool: float, event: str) -> tuple[Figure, ...]:
    values = zip(_MODELS, (coop, threaded, pool), strict=True)
    return tuple(
        Figure(f"{what}, {name}", value, "events", "figure 7.11", ("details", "page_load", ours, "counts", event))
        for (name, ours), value in values
    )


COUNTERS = Experiment(
    "counters",
    "Events of the processor while pages are loaded",
    f"{_SOURCE}, figures 7.11 and 7.12",
    "Perfmon2 on a Core 2 Duo, whole process, five runs an event; a pool of 4",
    "perf_event_open, whole process; a pool of 8",
    "A machine without counters for its guests, as most virtual ones are, leaves the column empty. The paper says "
    "itself that its cooperative model's ratios are of no use, since most of what it counted was asking in vain.",
    "lab",
    (
        *_counted("instructions", 373048966, 10562365, 12695175, "instructions"),
        *_counted("cycles", 3941429140, 3015484608, 3065160667, "cycles"),
        *_counted("L2 lines in", 1143061, 498352, 368049, "L2-lines-in"),
        *(
            Figure(
                f"L2 misses per instruction, {name}",
                value,
                "",
                "figure 7.12",
                ("details", "page_load", ours, "counts", "L2-lines-in"),
                per=("details", "page_load", ours, "counts", "instructions"),
            )
            for (name, ours), value in zip(_MODELS, (0.00306, 0.04718, 0.02899), strict=True)
        ),
    ),
)

DOWNLOADS = Experiment(
    "downloads",
    "Processor time of several downloads at once",
    f"{_SOURCE}, section 7.4.2",
    "1 to 8 large files over 100 Mbit/s",
    "files of 4 MB, each over a connection of 2 MB/s; processor time in percent of the time that they take",
    "The figure has curves without numbers. The busy model asks in vain whenever nothing has come, as theirs did.",
    "lab",
    tuple(
        Figure(
            f"{count} at once, {name}",
            None,
            said,
            "figure 7.13",
            ("details", "downloads", str(count), ours),
            "%",
        )
        for count in (1, 4, 8)
        for name, ours, said in (
            ("threads", "threads", "little"),
            ("cooperative, busy", "cooperative:busy", "very much more"),
            ("cooperative", "cooperative", "not tried"),
        )
    ),
)


def _pattern(name: str, ours: str, threads: int, value: float | None, said: str, where: str) -> Figure:
    measured = ("details", "patterns", "patterns", ours, str(threads), "cpu_ratio")
    return Figure(f"{name} / bare mutex, {threads} threads", value, said, where, measured, "times, processor time")


PATTERNS = Experiment(
    "patterns",
    "Ways to protect shared data",
    f"{_SOURCE}, section 7.3",
    "10^8 changes shared by 1 to 10 threads; Core 2 Duo; by the clock",
    "10^7 changes shared by as many threads; processor time, which others on the machine do not change as much",
    "The curves there have no numbers. A virtual call costs less than it did, and the mutex more than both.",
    "lab",
    tuple(
        _pattern(name, ours, threads, None, said, where)
        for name, ours, said, where in (
            ("scoped locking", "scoped", "no difference to be seen", "figure 7.4"),
            ("strategised locking", "strategised", "3 to 5 s more of 10^8", "figure 7.5"),
            ("null lock", "null", "not shown", ""),
            ("thread-specific data", "thread-specific", "not shown", ""),
            ("optimistic", "optimistic", "not shown", ""),
        )
        for threads in (1, 2, 10)
    ),
)

EXPERIMENTS = (PAGES, COUNTERS, DOWNLOADS, PATTERNS)
