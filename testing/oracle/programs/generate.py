"""Puts a random program together: sessions, a few drivers, and what their handlers do to cells and with libraries.

A program is determined by its seed. Programs go into one file by the dozen, and those of one file are of one style, so
that what makes one of them run alone does not make all others do so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from random import Random

from testing.oracle.programs import cells, parts

IN_A_FILE = 10
STYLES = ("plain", "odd", "library", "plain", "process", "mixed")

HEAD = r"""
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <errno.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/dns.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <event2/http.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <event2/tag.h>
#include <event2/util.h>
#include <fcntl.h>
#include <fenv.h>
#include <fnmatch.h>
#include <getopt.h>
#include <glob.h>
#include <libgen.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <netdb.h>
#include <pthread.h>
#include <pwd.h>
#include <regex.h>
#include <sched.h>
#include <search.h>
#include <semaphore.h>
#include <setjmp.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/queue.h>
#include <sys/resource.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/utsname.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>
#include <wchar.h>
static struct event_base *base;
#define FOLDER "."
#define YIELD sched_yield()
#define CONTAINER(pointer, type, field) ((type *)(void *)((char *)(pointer) - offsetof(type, field)))
"""

SESSION = r"""
struct @sess {
  struct event ev[3];
  struct event *made[3];
  int turn[3], next_number[3], id, own_calls, inner, finalized, ended, filtered, looked_up, signals;
  struct @sess *next;
  struct @cell cell, *held;
  struct @link *entry, link;
  ptrdiff_t distance;
  union { struct @cell *cell; long number; } u;
  uintptr_t number, tagged, seven;
  struct { struct { struct @cell *cell; } *in; } *deep;
  struct @cell *(*find)(struct @sess *), *lent, *mixed, *fresh, **vector;
  int length;
  struct { struct @cell *cell, **where; } box;
  struct evbuffer *bytes;
  char raw[8], text[40], mask;
  struct bufferevent *bev[3];
  struct evhttp_connection *conn[3];
  struct event_base *base[3];
};
enum { @SESSIONS = COUNT, @RUNS = TIMES };
static struct @sess *@all[@SESSIONS], *@newest;
static _Atomic int @bad[64];
static struct @cell *@stray;
static struct @cell *@find(struct @sess *s) { return &s->cell; }
static void @pick(struct @sess *s, struct @cell **found) { *found = s->mixed; }
static const struct timeval @soon = {0, 0}, @tick = {0, 500};
"""

# What a session has only where its handlers use it: how it is made, and what is to be added up after the loop.
FIELDS = {
    "s->cell": ("@filled(&s->cell);", "@add(&s->cell);"),
    "s->held": ("s->held = @cell_own();", "@add(s->held);"),
    "s->entry": (
        "s->entry = &@cell_own()->link;",
        "@add((struct @cell *)(void *)((char *)s->entry - offsetof(struct @cell, link)));",
    ),
    "s->distance": (
        "s->distance = (char *)@cell_own() - (char *)s;",
        "@add((struct @cell *)(void *)((char *)s + s->distance));",
    ),
    "s->deep": (
        "s->deep = calloc(1, sizeof *s->deep); s->deep->in = calloc(1, sizeof *s->deep->in); "
        "s->deep->in->cell = @cell_own();",
        "@add(s->deep->in->cell);",
    ),
    "s->find": ("s->find = @find;", ""),
    "s->lent": (
        "s->lent = s->id & 1 ? @cell_own() : @newest ? @newest->lent : @cell_own();",
        "if (s->id & 1) @add(s->lent);",
    ),
    "s->mixed": ("s->mixed = @cell_own(); if (s->id == 1) @stray = s->mixed;", "@add(s->mixed);"),
    "s->vector": (
        "s->vector = malloc(sizeof *s->vector); s->vector[0] = @cell_own(); s->length = 1;",
        "for (int k = 0; k < s->length; k++) @add(s->vector[k]);",
    ),
    "s->fresh": ("s->fresh = @cell_own();", "@add(s->fresh);"),
    "s->box": ("s->box.cell = @cell_own(); s->box.where = &s->box.cell;", "@add(s->box.cell);"),
    "s->bytes": ("s->bytes = evbuffer_new();", "if (evbuffer_get_length(s->bytes) % 5 != 0) BAD;"),
    "s->u": ("s->u.cell = @cell_own();", "@add(s->u.cell);"),
    "s->number": ("s->number = (uintptr_t)@cell_own() << 5;", "@add((struct @cell *)(s->number >> 5));"),
    "s->tagged": ("s->tagged = (uintptr_t)@cell_own() | 1;", "@add((struct @cell *)(s->tagged - 1));"),
    "s->seven": ("s->seven = (uintptr_t)@cell_own() * 7;", "@add((struct @cell *)(s->seven / 7));"),
    "s->raw": (
        "{ struct @cell *c = @cell_own(); memcpy(s->raw, &c, sizeof c); }",
        "{ struct @cell *c; memcpy(&c, s->raw, sizeof c); @add(c); }",
    ),
    "s->next": ("s->next = @newest ? @newest : s; @newest = s;", ""),
}
# Also reached from other sessions.
NEIGHBOURS = ("s->held", "s->cell", "s->box", "s->bytes", "s->vector")
BAD_PLACES = 64

# How a session is passed to its handler, and how the handler gets it back.
PASSING = (
    ("s", "struct @sess *s = arg;"),
    ("&s->link", "struct @sess *s = CONTAINER(arg, struct @sess, link);"),
    ("&s->cell", "struct @sess *s = CONTAINER(arg, struct @sess, cell);"),
    ("&@all[s->id]", "struct @sess *s = *(struct @sess **)arg;"),
    ("(void *)(intptr_t)s->id", "struct @sess *s = @all[(intptr_t)arg];"),
    ("(void *)((uintptr_t)s | 1)", "struct @sess *s = (struct @sess *)((uintptr_t)arg - 1);"),
    ("(void *)~(uintptr_t)s", "struct @sess *s = (struct @sess *)~(uintptr_t)arg;"),
)


@dataclass(frozen=True)
class Step:
    """Something that handlers do: a part, declared once under its number."""

    number: int
    body: str
    declared: str
    setup: str
    after: str
    is_function: bool

    def declaration(self) -> str:
        made = f"{self.declared}\n"
        if self.is_function:
            made += f"static void @op#(struct @sess *s, int n) {{\n(void)s, (void)n;\n{self.body}\n}}\n"
        return made.replace("#", str(self.number))

    def use(self) -> str:
        made = "@op#(s, n);" if self.is_function else f"{{\n{self.body}\n}}"
        return made.replace("#", str(self.number))


@dataclass(frozen=True)
class Driving:
    """A driver, with the numbers of the steps that its handlers take."""

    number: int
    driver: parts.Part
    passed: tuple[str, str]
    options: str
    bodies: tuple[tuple[int, ...], tuple[int, ...]]


@dataclass(frozen=True)
class Program:
    seed: int
    sessions: int
    runs: int
    steps: tuple[Step, ...]
    drivings: tuple[Driving, ...]

    def text(self) -> str:
        used = {number for one in self.drivings for body in one.bodies for number in body}
        steps = [step for step in self.steps if step.number in used]
        uses = {step.number: step.use() for step in steps}
        made = [SESSION, *(step.declaration() for step in steps)]
        setup, sessions, late, after = "", "", "", ""
        for step in steps:
            setup += f"  {step.setup}\n".replace("#", str(step.number)) if step.setup else ""
            after += f"  {step.after}\n".replace("#", str(step.number)) if step.after else ""
        for one in self.drivings:
            given, taken = one.passed
            bodies = [" ".join(uses[number] for number in body) for body in one.bodies]
            take = f"{taken} int n = s->turn[#];"

            def filled(
                text: str, one: Driving = one, given: str = given, take: str = take, bodies: list[str] = bodies
            ) -> str:
                text = text.replace("TAKE", take).replace("GIVE", given).replace("OPTIONS", one.options)
                text = text.replace("#", str(one.number))
                return text.replace("BODY0", bodies[0]).replace("BODY1", bodies[1])

            made.append(filled(one.driver.declared) + "\n")
            if "@all" in one.driver.setup or "@work" in one.driver.declared:  # it needs the sessions
                late += f"  {filled(one.driver.setup)}\n"
            else:
                setup += f"  {filled(one.driver.setup)}\n"
            sessions += f"    {{ {filled(one.driver.session)} }}\n" if one.driver.session else ""
            after += f"  {filled(one.driver.after)}\n"
        code = "".join(uses.values()) + "".join(made)
        wanted = {name for name in FIELDS if name in code or (name in NEIGHBOURS and name[1:] in code)}
        wanted |= {"s->next"} if "s->lent" in wanted or "@newest" in code else set()
        wanted |= {"s->cell"} if "s->find" in wanted else set()
        fields = [both for name, both in FIELDS.items() if name in wanted]
        created = "".join(f"  {begin}\n" for begin, _ in fields)
        kept = "  @all[s->id] = s;\n"
        made.append("static void @make(int id) {\n  struct @sess *s = calloc(1, sizeof *s);\n  s->id = id;\n")
        made.append(f"{kept}{created}{sessions}}}\n")
        made.append(f"static void @main(void) {{\n{setup}  for (int i = 0; i < SESSIONS; i++) @make(i);\n{late}}}\n")
        turns = "  for (int i = 0; i < SESSIONS; i++) {\n    struct @sess *s = @all[i];\n    (void)s;\n"
        turns += "".join(f"    {end}\n" for _, end in fields if end)
        turns += '    printf("@ turns %d %d %d\\n", s->turn[0], s->turn[1], s->turn[2]);\n  }\n'
        bad = f'  for (int i = 0; i < {BAD_PLACES}; i++) if (@bad[i]) printf("@ BAD %d\\n", i);\n'
        made.append(cells.SUMS)
        made.append(f"static void @after(void) {{\n{turns}{after}  @print_sums();\n{bad}}}\n")
        text = cells.TYPES + "".join(made).replace("@SESSIONS", "SESSIONS").replace("@RUNS", "RUNS")
        text = text.replace("SESSIONS", "@SESSIONS").replace("RUNS", "@RUNS")
        text = text.replace("COUNT", str(self.sessions)).replace("TIMES", str(self.runs))
        places = text.split("BAD;")
        text = places[0]
        for place, rest in enumerate(places[1:]):
            text += f"atomic_fetch_add(&@bad[{place % BAD_PLACES}], 1);{rest}"
        text = text.replace("FRESH", "c->buffer = evbuffer_new();" if "c->buffer" in code else "")
        text = text.replace("SIGNAL_OF_EVENT", f"{36 + self.seed % IN_A_FILE}")
        text = text.replace("SIGNAL_OF_FUNCTION", f"{36 + IN_A_FILE + self.seed % IN_A_FILE}")
        return text.replace("@", f"p{self.seed}_")

    def smaller(self) -> list[Program]:
        """The program with a driver or a step less, in every way there is."""
        found = []
        if len(self.drivings) > 1:
            found += [
                replace(self, drivings=self.drivings[:i] + self.drivings[i + 1 :]) for i in range(len(self.drivings))
            ]
        for i, one in enumerate(self.drivings):
            for which in (0, 1):
                for at in range(len(one.bodies[which])):
                    bodies = list(one.bodies)
                    bodies[which] = bodies[which][:at] + bodies[which][at + 1 :]
                    less = replace(one, bodies=(bodies[0], bodies[1]))
                    found.append(replace(self, drivings=(*self.drivings[:i], less, *self.drivings[i + 1 :])))
        return found


def style_of(seed: int) -> str:
    return STYLES[seed // IN_A_FILE % len(STYLES)]


def is_quiet(seed: int) -> bool:
    """Most of what handlers do stays in their session, as far as one can see."""
    return seed // IN_A_FILE // len(STYLES) % 2 == 0


def is_late(seed: int) -> bool:
    """The program is to be built with late points."""
    return seed // IN_A_FILE // len(STYLES) // 2 % 2 == 1


def generate(seed: int) -> Program:
    random = Random(seed)
    style = style_of(seed)
    quiet = is_quiet(seed)
    reaches = list(parts.SHARED)
    others: list[parts.Part] = []
    driving = list(parts.QUIET if quiet else parts.EVENTS + parts.BUFFERS)
    if style in ("odd", "mixed"):
        reaches += parts.ODD
    if style in ("library", "mixed"):
        others += parts.LIBRARY
    if style in ("process", "mixed"):
        others += parts.PROCESS
        reaches += parts.SYSTEM
        driving += parts.THREADS if quiet else parts.THREADS * 3
    words = random.randint(2, 5)
    steps: list[Step] = []
    has_signal = False
    for number in range(words):
        wild = random.random() < (0.15 if quiet else 0.6)
        if wild and others and random.random() < 0.5:
            part = random.choice(others)
            step = Step(number, part.body, part.declared, part.setup, part.after, random.random() < 0.5)
        else:
            pool: Sequence[parts.Part] = reaches if wild else parts.OWN
            if style == "odd" and wild and random.random() < 0.6:
                pool = parts.ODD
            reach = random.choice(pool)
            while has_signal and "SIGNAL_OF_FUNCTION" in reach.setup:
                reach = random.choice(pool)
            has_signal |= "SIGNAL_OF_FUNCTION" in reach.setup
            changes = parts.QUIET_CHANGES if quiet else parts.CHANGES
            change = "\n".join(random.choice(changes).body for _ in range(random.randint(1, 2)))
            filled = [text.replace("CHANGE", change) for text in (reach.body, reach.declared, reach.setup)]
            step = Step(
                number, filled[0], filled[1], filled[2], reach.after, random.random() < 0.5 or "goto" in reach.body
            )
        steps.append(step)

    def some(least: int) -> tuple[int, ...]:
        return tuple(random.randrange(words) for _ in range(random.randint(least, 3)))

    drivings: list[Driving] = []
    for number in range(random.randint(1, 3)):
        driver = random.choice(driving)
        while any("SIGNAL_OF_EVENT" in one.driver.setup for one in drivings) and "SIGNAL_OF_EVENT" in driver.setup:
            driver = random.choice(driving)
        passed = (
            random.choices(PASSING[:3] if quiet else PASSING, (24, 3, 2) if quiet else (24, 3, 2, 2, 1, 1, 1))[0]
            if driver.kind == "driver"
            else PASSING[0]
        )
        options = random.choice(("0", "BEV_OPT_DEFER_CALLBACKS"))
        drivings.append(Driving(number, driver, passed, options, (some(1), some(0))))
    return Program(seed, random.randint(2, 4), random.randint(3, 8), tuple(steps), tuple(drivings))


def file_of(programs: Sequence[Program]) -> str:
    """One C file with all of them."""
    begins = "".join(f"  p{program.seed}_main();\n" for program in programs)
    ends = "".join(f"  p{program.seed}_after();\n" for program in programs)
    main = "int main(void) {\n  signal(SIGPIPE, SIG_IGN);\n  base = event_base_new();\n"
    main += f"{begins}  event_base_dispatch(base);\n{ends}  return 0;\n}}\n"
    return HEAD + "".join(program.text() for program in programs) + main
