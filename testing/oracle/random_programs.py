"""Small random event programs in C, one for each seed, many in one file.

A program has one type of session with whatever sessions have (fields, owned nodes, links to neighbours and peers, a
callback, a descriptor, an event), globals, wrappers that allocate and register, and a few handlers whose bodies are
random statements. Everything in it carries the seed in its name, so that programs in one file have nothing in common.

No statement breaks memory: pointers are tested before they are followed, and what others may still point to is not
freed. What a statement does to the verdicts nobody says; the oracle sees it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from random import Random

HEAD = r"""
#define _GNU_SOURCE
#include <event2/event.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
static struct event_base *base;
static const struct timeval later = {3, 0};
#define CONTAINER(pointer, type, field) ((type *)(void *)((char *)(pointer) - offsetof(type, field)))
"""

TYPES = r"""
struct @node { long value; struct @node *next; char text[16]; };
struct @link { struct @link *next, *prev; };
struct @shared { long hits; char name[16]; struct @node *node; };
struct @sess {
  struct event ev;
  struct event *second;
  long n;
  int m;
  unsigned low : 3, high : 5;
  char buf[24];
  struct @node *own, *other;
  struct @sess *next, *prev, *peer;
  struct @link link;
  struct @shared *shared;
  void (*step)(struct @sess *);
  union { long number; struct @node *node; char bytes[8]; } u;
  struct { int x; long y; struct @node *node; } in;
  int fd;
  void *any;
  char *grown;
};
struct @ops { void (*step)(struct @sess *); const char *name; };
struct @request { struct @sess *s; long n; struct @node *node; };
static long @counter, @made;
static struct { long a, b; } @stats;
static _Atomic long @atom;
static _Thread_local long @mine;
static struct @sess *@head, *@last, @fixed, @table[3];
static struct @link @links = {&@links, &@links};
static struct @shared *@config, @common;
static struct @node *@kept;
static char @text[32];
static int @file = -1;
static void @step_a(struct @sess *s);
static void @step_b(struct @sess *s);
static const struct @ops @all_ops[2] = {{@step_a, "a"}, {@step_b, "b"}};
static struct @ops @now = {@step_a, "now"};
"""

HELPERS = r"""
static void *@get(size_t size) { return calloc(1, size); }
static void *@get2(size_t size) { void *p = @get(size + 8); return p; }
static struct @node *@node_new(long value) {
  struct @node *node = @ALLOC(sizeof *node);
  node->value = value;
  return node;
}
static char *@format(long value) {
  static char text[24];
  snprintf(text, sizeof text, "%ld", value);
  return text;
}
static void @set(struct @node **where, struct @node *node) { *where = node; }
static long @sum(struct @node *node, int depth) {
  return node && depth ? node->value + @sum(node->next, depth - 1) : 0;
}
static void @bump(long *where) { (*where)++; }
static int @by_value(const void *a, const void *b) {
  const struct @node *x = *(struct @node *const *)a, *y = *(struct @node *const *)b;
  return (x->value > y->value) - (x->value < y->value);
}
static void @watch(struct event *ev, event_callback_fn handler, void *arg) {
  event_assign(ev, base, -1, EV_PERSIST, handler, arg);
  event_add(ev, &later);
}
static struct event *@watch_new(event_callback_fn handler, void *arg) {
  struct event *ev = event_new(base, -1, EV_PERSIST, handler, arg);
  event_add(ev, &later);
  return ev;
}
static struct @request *@ask(struct @sess *s) {
  struct @request *r = @ALLOC(sizeof *r);
  r->s = s;
  return r;
}
static void @send(struct @request *r) { event_base_once(base, -1, EV_TIMEOUT, @on_once, r, &later); }
static void @insert(struct @sess *s) {
  s->next = @head;
  if (@head) @head->prev = s;
  @head = s;
}
static void @chain(struct @link *link) {
  link->next = @links.next;
  link->prev = &@links;
  @links.next->prev = link;
  @links.next = link;
}
"""

# What a handler or a step may do. `s` is a session, never null.
STATEMENTS = """
s->n++;
s->m += (int)s->n;
s->low++;
s->high = s->low;
s->in.x++;
s->in.y = s->n;
@mine++;
@counter++;
if (@counter > 1000) @stats.a++;
@stats.a++;
@stats.b += @stats.a;
atomic_fetch_add(&@atom, 1);
if (atomic_load(&@atom) > 5) s->m++;
@text[s->m & 15] = 'x';
snprintf(s->buf, sizeof s->buf, "%ld", s->n);
strcpy(@text, @format(s->n));
strcpy(s->buf, @format(s->n));
memcpy(s->buf, @text, 8);
memcpy(@text, s->buf, sizeof s->buf);
memset(&s->in, 0, sizeof s->in);
if (s->own) s->own->value++;
if (s->own) s->n += s->own->value;
if (!s->own) s->own = @node_new(s->n);
s->own = @node_new(1);
if (s->own && !s->own->next) s->own->next = @node_new(2);
if (s->own && s->own->next) s->own->next->value++;
s->n += @sum(s->own, 4);
s->other = s->own;
if (s->other) s->other->value = 7;
if (s->other) strcpy(s->other->text, "t");
@kept = s->own;
if (@kept) @kept->value++;
if (@kept) s->n += @kept->value;
if (!s->other) s->other = @kept;
if (s->next) s->next->n++;
if (s->next) s->m += s->next->m;
if (s->prev) s->prev->in.x = s->m;
if (s->peer) s->peer->n++;
if (s->peer) { s->peer->own = s->own; }
if (s->peer && s->peer->own) s->peer->own->value--;
if (s->peer) s->n += s->peer->in.y;
if (s->next) { struct @node *t = s->own; s->own = s->next->own; s->next->own = t; }
if (s->shared) s->shared->hits++;
if (s->shared && s->shared->node) s->shared->node->value++;
if (s->shared) s->n += s->shared->hits;
if (s->shared && !s->shared->node) s->shared->node = @node_new(3);
if (s->shared && s->own) s->shared->node = s->own;
if (@config) s->n += @config->hits;
if (@config) @config->hits++;
if (s->shared) strcpy(s->shared->name, "n");
s->shared = @config;
@last = s;
if (@last) @last->n++;
if (@last && @last->own) @last->own->value++;
if (@last && @last != s) s->peer = @last;
for (struct @sess *i = @head; i; i = i->next) i->m++;
for (struct @sess *i = @head; i; i = i->next) if (i->own) s->n += i->own->value;
for (struct @link *l = @links.next; l != &@links; l = l->next) CONTAINER(l, struct @sess, link)->in.y++;
if (s->link.next) s->link.next->prev->next = s->link.next;
if (s->step) s->step(s);
@all_ops[s->n & 1].step(s);
@now.step(s);
@now = @all_ops[s->m & 1];
s->step = @all_ops[s->m & 1].step;
@set(&s->own, @node_new(4));
@set(&@kept, s->other);
@bump(&s->n);
@bump(&@stats.b);
@bump(s->m & 1 ? &s->in.y : &@counter);
{ struct @node *t = s->own ? s->own : @kept; if (t) t->value++; }
{ struct @sess copy = *s; copy.n++; if (copy.own) copy.own->value++; }
{ struct @sess *t = s->next ? s->next : s; t->in.x++; }
if (s->peer) memcpy(&s->peer->in, &s->in, sizeof s->in);
if (s->in.node) s->in.node->value++;
s->in.node = s->own;
s->u.node = s->own; if (s->u.node) s->u.node->value++; s->u.number = 0;
s->u.number++; s->u.number = 0;
s->any = &s->in; ((struct @sess *)(void *)((char *)s->any - offsetof(struct @sess, in)))->n++;
s->any = s->own; if (s->any) ((struct @node *)s->any)->value = 1;
{ long address = (long)s->own; struct @node *t = (struct @node *)address; if (t) t->value++; }
if (s->own && s->other) { struct @node *t[2] = {s->own, s->other}; qsort(t, 2, sizeof *t, @by_value); t[0]->value++; }
{ char *t = strtok(s->buf, " "); if (t) *t = 'y'; }
{ struct tm *t = localtime(&(time_t){s->m}); s->n += t->tm_min; }
s->n += rand() & 1;
if (s->fd > 0) (void)!write(s->fd, "x", 1);
if (s->fd > 0) (void)!lseek(s->fd, 0, SEEK_SET);
if (s->fd <= 0) s->fd = open("/dev/null", O_RDWR);
if (@file < 0) @file = open("/dev/null", O_RDWR);
if (@file >= 0) (void)!write(@file, "x", 1);
if (s->fd <= 0 && @file >= 0) s->fd = dup(@file);
(void)umask(022);
(void)chdir(".");
s->n += getenv("HOME") != NULL;
{ char *t = malloc(8); t[0] = 'q'; s->m += t[0]; free(t); }
{ char *t = strdup(s->buf); s->m += t[0]; free(t); }
{ struct @node *t = @node_new(5); t->next = s->own; t->value = 6; s->own = t; t->value++; }
{ struct @node *t = @node_new(5); @kept = t; t->value++; }
{ struct @node *t = @node_new(5); t->value++; @kept = t; }
{ struct @node *t = @node_new(5); if (s->m & 1) s->own = t; else @kept = t; }
s->grown = realloc(s->grown, 32 + (s->m & 15)); s->grown[0] = 'g';
@table[1].n += @table[s->m & 1 ? 0 : 2].n;
@table[(unsigned)s->m % 3].m++;
@fixed.n++;
@common.hits++;
s->shared = &@common;
if (event_initialized(&s->ev)) event_add(&s->ev, &later);
if (s->next && event_initialized(&s->next->ev)) event_add(&s->next->ev, &later);
if (s->second && @made < 40) { @made++; event_active(s->second, EV_TIMEOUT, 1); }
if (@made++ < 40) { struct @request *r = @ask(s); r->n = s->n; @send(r); }
if (@made++ < 40) { struct @request *r = @ask(s); @send(r); r->n = s->n; }
if (@made++ < 40) { struct @request *r = @ask(s); r->node = s->own; @send(r); }
""".strip().splitlines()

# Those that stay in the session, as far as one can see.
_OUTSIDE = re.compile(
    r"@(?!node|sum|bump|set\b|by_value|sess|ALLOC)|next->|prev->|peer->|shared->|rand|getenv|strtok|local|umask|chdir"
)
QUIET = [statement for statement in STATEMENTS if not _OUTSIDE.search(statement)]

# How a new session is filled, in random order around what makes it known.
FILLING = """
s->n = 1;
s->own = @node_new(8);
s->shared = &@common;
s->shared = @config;
s->shared = @ALLOC(sizeof *s->shared);
s->peer = @last;
s->peer = @head;
if (@head) { s->peer = @head; @head->peer = s; }
s->other = @kept;
s->fd = open("/dev/null", O_RDWR);
s->fd = dup(@file);
s->in.node = @node_new(9);
strcpy(s->buf, "a b");
@last = s;
""".strip().splitlines()
PUBLISHING = ("@insert(s);", "@chain(&s->link);")

# How the session is passed to its handler, and how the handler gets it back.
PASSING = (
    ("s", "arg"),
    ("&s->in", "CONTAINER(arg, struct @sess, in)"),
    ("&s->link", "CONTAINER(arg, struct @sess, link)"),
    ("NULL", "@head"),
)


PARAMETERS = "(int fd, short what, void *arg)"
ONLY_SO_DEEP = "  static int depth;\n  if (depth > 2) return;\n  depth++;\n"


@dataclass(frozen=True)
class Function:
    name: str
    prologue: str
    statements: tuple[str, ...]

    def text(self) -> str:
        body = "".join(f"  {statement}\n" for statement in self.statements)
        if self.name.startswith("@step"):
            return f"static void {self.name}(struct @sess *s) {{\n{ONLY_SO_DEEP}{body}  depth--;\n}}\n"
        unused = "  (void)fd, (void)what, (void)arg;\n"
        return f"static void {self.name}{PARAMETERS} {{\n{unused}{self.prologue}{body}}}\n"


@dataclass(frozen=True)
class RandomProgram:
    seed: int
    allocator: str
    functions: tuple[Function, ...]
    make: tuple[str, ...]
    main: tuple[str, ...]

    def text(self) -> str:
        declared = "".join(
            f"static void {function.name}{PARAMETERS};\n"
            for function in self.functions
            if not function.name.startswith("@step")
        )
        make = "".join(f"  {statement}\n" for statement in self.make)
        main = "".join(f"  {statement}\n" for statement in self.main)
        parts = [TYPES, declared, HELPERS]
        start = "  struct @sess *s = @ALLOC(sizeof *s);\n"
        parts.append(f"static struct @sess *@make(void) {{\n{start}{make}  return s;\n}}\n")
        parts += [function.text() for function in self.functions]
        parts.append(f"static void @main(void) {{\n{main}}}\n")
        return "".join(parts).replace("@ALLOC", self.allocator).replace("@", f"p{self.seed}_")

    def smaller(self) -> list[RandomProgram]:
        """The program with one statement less, in every way there is."""
        found = []
        for index, function in enumerate(self.functions):
            for at in range(len(function.statements)):
                less = replace(function, statements=function.statements[:at] + function.statements[at + 1 :])
                found.append(replace(self, functions=(*self.functions[:index], less, *self.functions[index + 1 :])))
        for at in range(1, len(self.make)):
            if "@watch" not in self.make[at]:
                found.append(replace(self, make=self.make[:at] + self.make[at + 1 :]))
        return found


def generate(seed: int) -> RandomProgram:
    random = Random(seed)
    allocator = random.choice(["@get", "@get2", "malloc_zeroed"]).replace("malloc_zeroed", "@get")

    # Few words, so that a program is about something; with all of them every pair would conflict somehow.
    if random.random() < 0.5:
        words = random.sample(QUIET, random.randint(2, 5)) + random.sample(STATEMENTS, random.randint(0, 1))
    else:
        words = random.sample(STATEMENTS, random.randint(2, 7))
    plain = [word for word in words if "step" not in word]

    def some(least: int, most: int) -> tuple[str, ...]:
        return tuple(random.choice(words) for _ in range(random.randint(least, most)))

    def simple(least: int, most: int) -> tuple[str, ...]:
        return tuple(random.choice(plain) for _ in range(random.randint(least, most))) if plain else ()

    handlers = [f"@on_{letter}" for letter in "abc"[: random.randint(1, 3)]]
    functions = [Function("@step_a", "", simple(0, 2)), Function("@step_b", "", simple(0, 2))]
    passed = {}
    for handler in handlers:
        given, taken = random.choices(PASSING, (6, 2, 1, 1))[0]
        passed[handler] = given
        functions.append(Function(handler, f"  struct @sess *s = {taken};\n  if (!s) return;\n", some(1, 4)))
    once = "  struct @request *r = arg;\n  struct @sess *s = r->s;\n  s->n += r->n;\n"
    once += random.choice(("", "  if (r->node) r->node->value++;\n")) + random.choice(("", "  free(r);\n"))
    functions.append(Function("@on_once", once, simple(0, 2)))
    maker = "  if (@made >= 40) return;\n  @made++;\n  struct @sess *s = @make();\n"
    functions.append(Function("@on_make", maker, simple(0, 1) if random.random() < 0.3 else ()))

    first, *others = handlers
    make = [random.choice(FILLING) for _ in range(random.randint(0, 5))]
    make += [statement for statement in PUBLISHING if random.random() < 0.4]
    make.append(f"@watch(&s->ev, {first}, {passed[first]});")
    if others:
        make.append(f"s->second = @watch_new({others[0]}, {passed[others[0]]});")
    random.shuffle(make)
    make.insert(0, "s->step = @step_a;")

    main = [f"@config = {allocator}(sizeof *@config);", '@file = open("/dev/null", O_RDWR);']
    main += ["@make();"] * random.randint(1, 3)
    if len(others) > 1:
        target = random.choice(("&@fixed", "&@table[0]", "NULL", "@head"))
        given = target if passed[others[1]] == "s" else passed[others[1]].replace("s->", "@fixed.")
        main += ["@fixed.step = @step_b;", "@table[0].step = @step_a;"]
        main.append(f"if ({target} || 1) @watch_new({others[1]}, {given});")
    if random.random() < 0.7:
        main.append("@watch_new(@on_make, NULL);")
    return RandomProgram(seed, allocator, tuple(functions), tuple(make), tuple(main))


def file_of(programs: list[RandomProgram]) -> str:
    """One C file with all of them."""
    calls = "".join(f"  p{program.seed}_main();\n" for program in programs)
    main = f"int main(void) {{\n  base = event_base_new();\n{calls}  return event_base_dispatch(base);\n}}\n"
    return HEAD + "".join(program.text() for program in programs) + main
