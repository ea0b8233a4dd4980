"""The parts of which random programs are made, read from the files beside this one.

A file has parts, each begun by `=== KIND`. What stands there first is what a handler does (`body`); behind `---` comes
what the part is at file scope (`declared`), what is done before the loop (`setup`; of a driver also once for each
`session`), and what is said after it (`after`). The kinds:

reach   a way to a cell `c`; CHANGE stands for what is done to it
quiet   such a change; those that are `loud` are harder to follow
part    something else that handlers do
driver  what makes handlers run, each a fixed number of times for each session, in an order that nobody promises
        unless it checks it. BODY0 and BODY1 stand for what the handlers do besides, TAKE for how they
        get at their session and GIVE for what is handed over for that; `of session`: nothing but the session itself

`s` is the session and `n` the how-manieth call of it. BAD says that something was found that no serial run leaves.
`@` becomes the prefix of the program, `#` the number of the part, so that no two meet by name.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Part:
    kind: str
    body: str = ""
    declared: str = ""
    session: str = ""
    setup: str = ""
    after: str = ""


def _read(name: str) -> tuple[Part, ...]:
    text = Path(__file__).with_name(f"{name}.parts").read_text()
    found = []
    for each in text.split("\n=== ")[1:]:
        kind, rest = each.split("\n", 1)
        body, *others = f"\n{rest}".split("\n--- ")
        sections = dict(section.split("\n", 1) for section in others)
        found.append(Part(kind, body.strip(), **{name: text.strip() for name, text in sections.items()}))
    return tuple(found)


CHANGES = _read("changes")
QUIET_CHANGES = tuple(part for part in CHANGES if part.kind == "quiet")
OWN, SHARED, ODD, SYSTEM = (_read(name) for name in ("own", "shared", "odd", "system"))
LIBRARY, PROCESS = _read("library"), _read("process")
EVENTS, BUFFERS, THREADS = _read("events"), _read("buffers"), _read("threads")
# In which sessions meet nobody else.
QUIET = tuple(
    driver for driver in EVENTS + BUFFERS if "@on_sweep#" not in driver.declared and "@turned#" not in driver.declared
)
