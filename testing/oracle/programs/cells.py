"""What programs change: cells, each a few numbers that only ever grow by one, in the forms that real programs have.

A change looks at what it finds, and finds an error (`BAD`) where another one has been left half done. The sums of all
cells after the loop do not depend on the order of changes, nor on which cell they were made in. So a run on several
threads must print what plain libevent prints.
"""

from __future__ import annotations

from dataclasses import dataclass

TYPES = r"""
struct @item { long v; struct @item *next; };
struct @link { struct @link *next; };
struct @cell {
  long a, b;
  char text[40];
  char *own;
  struct @item *items;
  int sorted[6];
  unsigned lo : 12, hi : 12;
  struct evbuffer *buffer;
  double d, e;
  unsigned char digits[8];
  int id;
  struct @cell *left;
  struct @link link;
};
static struct @cell *@cells[32];
static int @cell_count;
static struct @cell *@filled(struct @cell *c) {
  FRESH
  strcpy(c->text, "0");
  return c;
}
/* A cell of the program, not of a session. */
static struct @cell *@known(struct @cell *c) {
  c->id = @cell_count;
  return @cells[@cell_count++] = @filled(c);
}
static struct @cell *@cell_new(void) { return @known(calloc(1, sizeof(struct @cell))); }
static struct @cell *@cell_own(void) { return @filled(calloc(1, sizeof(struct @cell))); }
static int @by_int(const void *x, const void *y) { return *(const int *)x - *(const int *)y; }
static int @by_id(const void *x, const void *y) {
  return ((const struct @cell *)x)->id - ((const struct @cell *)y)->id;
}
static int @by_key(const void *key, const void *y) { return *(const int *)key - (*(struct @cell *const *)y)->id; }
static void @twice(struct @cell *c, int depth) {
  if (depth == 0) return;
  depth == 1 ? c->a++ : c->b++;
  @twice(c, depth - 1);
}
"""

# After the loop.
SUMS = r"""
static long @sums[12];
static void @add(struct @cell *c) {
  char rest[24] = "";
  @sums[0] += c->a, @sums[1] += c->b, @sums[2] += atol(c->text), @sums[3] += c->own ? atol(c->own) : 0;
  for (struct @item *item = c->items; item; item = item->next) @sums[4] += item->v;
  for (int k = 0; k < 6; k++) @sums[5] += c->sorted[k];
  long digits = 0;
  for (int k = 0; k < 8; k++) digits = digits * 10 + c->digits[k];
  if (c->buffer) evbuffer_remove(c->buffer, rest, sizeof rest - 1);
  @sums[6] += digits, @sums[7] += c->lo, @sums[8] += c->hi, @sums[9] += (long)c->d, @sums[10] += (long)c->e;
  @sums[11] += atol(rest);
}
static void @print_sums(void) {
  for (int i = 0; i < @cell_count; i++) @add(@cells[i]);
  printf("@ sums");
  for (int i = 0; i < 12; i++) printf(" %ld", @sums[i]);
  puts("");
}
"""

# What is done to the cell `c`.
QUIET_CHANGES = r"""
if (c->a != c->b) BAD; c->a++; c->b++;
if (c->d != c->e) BAD; c->d += 1; c->e += 1;
if (c->lo != c->hi) BAD; c->lo++; c->hi = c->lo;
@twice(c, 2);
{ struct @cell copy = *c; if (copy.a != copy.b) BAD; copy.a++; copy.b++; *c = copy; }
{ long n = strtol(c->text, NULL, 10); snprintf(c->text, sizeof c->text, "%ld", n + 1); }
{ int n = 0; if (sscanf(c->text, "%d", &n) != 1) BAD; sprintf(c->text, "%d", n + 1); }
{ char t[40]; strcpy(t, c->text); long n = atol(t); memset(c->text, ' ', 30); sprintf(c->text + 4, "%ld", n + 1); }
{ char *old = c->own; long n = old ? atol(old) : 0; if (asprintf(&c->own, "%ld", n + 1) < 0) BAD; free(old); }
{ char t[24]; char *old = c->own; sprintf(t, "%ld", (old ? atol(old) : 0) + 1); c->own = strdup(t); free(old); }
{ struct @item *item = malloc(sizeof *item); item->v = 1; item->next = c->items; c->items = item; }
qsort(c->sorted, 6, sizeof *c->sorted, @by_int); c->sorted[0]++;
{ int i = 7; while (i > 0 && ++c->digits[i] == 10) c->digits[i--] = 0; }
{ char t[24] = ""; evbuffer_remove(c->buffer, t, sizeof t - 1); evbuffer_add_printf(c->buffer, "%ld", atol(t) + 1); }
{ long n[2]; memcpy(n, &c->a, sizeof n); if (n[0] != n[1]) BAD; n[0]++, n[1]++; memmove(&c->a, n, sizeof n); }
{ jmp_buf jump; if (setjmp(jump) == 0) { c->a++; longjmp(jump, 1); } c->b++; }
""".strip().splitlines()
CHANGES = (
    QUIET_CHANGES
    + r"""
{ long n = c->own ? strtol(c->own, NULL, 10) : 0; c->own = realloc(c->own, 24 + (size_t)n % 40); sprintf(c->own, "%ld", n + 1); }
{ struct @item *item = c->items; if (item && item->next) { item->v += item->next->v; struct @item *old = item->next; item->next = old->next; free(old); } item = calloc(1, sizeof *item); item->v = 1; item->next = c->items; c->items = item; }
""".strip().splitlines()
)


@dataclass(frozen=True)
class Reach:
    """How a program gets at a cell. CHANGE stands for what it does to it, `s` is the session, `n` the how-manieth call."""

    body: str
    declared: str = ""
    setup: str = ""
    after: str = ""  # the loop


# Within the session, as far as one can see.
OWN = (
    Reach("struct @cell *c = &s->cell; CHANGE"),
    Reach("struct @cell *c = s->held; CHANGE"),
    Reach("struct @cell *c = (struct @cell *)(void *)((char *)s->entry - offsetof(struct @cell, link)); CHANGE"),
)

OWN += (
    Reach("struct @cell *c = s->deep->in->cell; CHANGE"),
    Reach("struct @cell *c = s->find(s); CHANGE"),
    Reach("struct @cell *c = *s->box.where; CHANGE"),
    Reach("__typeof__(s->box) box = s->box; struct @cell *c = box.cell; CHANGE"),
    Reach("struct @cell *c = s->mixed; CHANGE"),
    Reach("struct @cell *c; @pick(s, &c); CHANGE"),
    Reach(
        "struct @cell *c = @cell_own(); struct evbuffer *buffer = c->buffer; *c = *s->held; if (buffer) evbuffer_free(buffer); free(s->held); s->held = c; CHANGE"
    ),
    Reach(
        "struct @cell *c = s->vector[n % s->length]; CHANGE if (s->length < 4) { s->vector = realloc(s->vector, (size_t)(s->length + 1) * sizeof *s->vector); s->vector[s->length++] = @cell_own(); }"
    ),
    Reach(
        'char line[8] = "line\\n"; evbuffer_add(s->bytes, line, 5); size_t length = evbuffer_get_length(s->bytes); if (length % 5 != 0) BAD; if (length > 20) evbuffer_drain(s->bytes, 10);'
    ),
)

_CELL = "static struct @cell @cell#;"
_KNOWN = "@known(&@cell#);"

SHARED = (
    Reach(
        "struct @cell *c = &@array#[s->id]; CHANGE",
        "static struct @cell @array#[SESSIONS];",
        "for (int i = 0; i < SESSIONS; i++) @filled(&@array#[i]);",
        "for (int i = 0; i < SESSIONS; i++) @add(&@array#[i]);",
    ),
    Reach(
        "struct @cell *c = @lent#[s->id]; CHANGE",
        "static struct @cell *@lent#[SESSIONS];",
        "for (int i = 0; i < SESSIONS; i++) @lent#[i] = @cell_own();",
        "for (int i = 0; i < SESSIONS; i++) @add(@lent#[i]);",
    ),
    Reach(
        "struct @cell *c = @one#(s)->cells; CHANGE",
        "struct @one# { struct @cell *cells; };\nstatic struct @one# @ones#[SESSIONS];\nstatic struct @one# *@one#(struct @sess *s) { return &@ones#[s->id]; }",
        "for (int i = 0; i < SESSIONS; i++) @ones#[i].cells = @cell_own();",
        "for (int i = 0; i < SESSIONS; i++) @add(@ones#[i].cells);",
    ),
    Reach("struct @cell *c = s->lent; CHANGE"),
    Reach("struct @cell *c = @stray && n & 1 ? @stray : s->mixed; CHANGE"),
    Reach("struct @cell *c = s->vector[0]; s->vector[0] = s->next->vector[0]; s->next->vector[0] = c; CHANGE"),
    Reach("struct @cell *c = *s->next->box.where; CHANGE"),
    Reach("s->box.where = n & 1 ? &s->next->box.cell : &s->box.cell; struct @cell *c = *s->box.where; CHANGE"),
    Reach(
        'if (evbuffer_get_length(s->next->bytes) % 5 != 0) BAD; evbuffer_add_buffer(s->bytes, s->next->bytes); evbuffer_add(s->bytes, "next\\n", 5);'
    ),
    Reach(
        'struct evbuffer *own = s->bytes; if (evbuffer_get_length(own) >= 10) evbuffer_remove_buffer(own, s->next->bytes, 5); evbuffer_add_printf(own, "%d%d%d%d\\n", 1, 2, 3, 4); if (evbuffer_get_length(own) % 5 != 0) BAD;'
    ),
    Reach(
        "struct @cell *c = NULL; for (struct @sess *i = @newest; ; i = i->next) { if (i->id == s->id) { c = &i->cell; break; } if (i == i->next) break; } if (!c) { BAD; } else { CHANGE }"
    ),
    Reach(
        "struct @cell *c = NULL; for (struct @sess *i = @newest; ; i = i->next) { c = &i->cell; CHANGE if (i == i->next) break; }"
    ),
    Reach("struct @cell *c = &s->next->cell; CHANGE"),
    Reach("struct @cell *c = s->next->held; CHANGE"),
    Reach("struct @cell *c = s->held; s->held = s->next->held; s->next->held = c; CHANGE"),
    Reach("struct @cell *c = &@cell#; CHANGE", _CELL, _KNOWN),
    Reach("struct @cell *c = @shared#; CHANGE", "static struct @cell *@shared#;", "@shared# = @cell_new();"),
    Reach(
        "struct @cell *c = @table#[n % 3]; CHANGE",
        "static struct @cell *@table#[3];",
        "for (int i = 0; i < 3; i++) @table#[i] = @cell_new();",
    ),
    Reach(
        "struct @cell *c = @first#; for (int i = n % 3; i > 0; i--) c = c->left; CHANGE",
        "static struct @cell *@first#;",
        "for (int i = 0; i < 3; i++) { struct @cell *c = @cell_new(); c->left = @first#; @first# = c; }",
    ),
    Reach(
        "struct @cell *c = @spare#; @spare# = c->left; CHANGE c->left = @spare#; @spare# = c;",
        "static struct @cell *@spare#;",
        "for (int i = 0; i < 3; i++) { struct @cell *c = @cell_new(); c->left = @spare#; @spare# = c; }",
    ),
    Reach("static struct @cell *last; struct @cell *c = last ? last : &s->cell; last = s->held; CHANGE"),
    Reach(
        "struct @cell **c_ = bsearch(&(int){@ids#[n % 3]->id}, @ids#, 3, sizeof *@ids#, @by_key); struct @cell *c = *c_; CHANGE",
        "static struct @cell *@ids#[3];",
        "for (int i = 0; i < 3; i++) @ids#[i] = @cell_new();",
    ),
    Reach(
        "struct @cell key = {.id = @root_id# + n % 3}; struct @cell *c = *(struct @cell **)tfind(&key, &@root#, @by_id); CHANGE",
        "static void *@root#;\nstatic int @root_id#;",
        "@root_id# = @cell_count; for (int i = 0; i < 3; i++) tsearch(@cell_new(), &@root#, @by_id);",
    ),
    Reach(
        "struct @cell *c = @getters#[n & 1](s); CHANGE",
        _CELL
        + "\nstatic struct @cell *@mine#(struct @sess *s) { return &s->cell; }\nstatic struct @cell *@ours#(struct @sess *s) { (void)s; return &@cell#; }\nstatic struct @cell *(*const @getters#[2])(struct @sess *) = {@mine#, @ours#};",
        _KNOWN,
    ),
    Reach(
        "@changed#(1, n & 1 ? &@cell# : &s->cell);",
        _CELL
        + "\nstatic void @changed#(int count, ...) { va_list list; va_start(list, count); struct @cell *c = va_arg(list, struct @cell *); va_end(list); CHANGE }",
        _KNOWN,
    ),
    Reach(
        'evbuffer_add(@buffer#, "x", 1); evbuffer_drain(@buffer#, 1);',
        _CELL
        + "\nstatic struct evbuffer *@buffer#;\nstatic void @seen#(struct evbuffer *buffer, const struct evbuffer_cb_info *info, void *arg) { struct @cell *c = arg; (void)buffer; if (info->n_added) { CHANGE } }",
        _KNOWN + " @buffer# = evbuffer_new(); evbuffer_add_cb(@buffer#, @seen#, &@cell#);",
    ),
    Reach(
        'struct evbuffer *own = evbuffer_new(); evbuffer_add_reference(own, "abc", 3, @gone#, n & 1 ? &@cell# : s->held); evbuffer_free(own);',
        _CELL
        + "\nstatic void @gone#(const void *data, size_t length, void *arg) { (void)data, (void)length; struct @cell *c = arg; CHANGE }",
        _KNOWN,
    ),
    Reach(
        "struct @cell *c = event_get_callback_arg(@ev#); CHANGE",
        "static struct event *@ev#;\nstatic void @nothing#(int fd, short what, void *arg) { (void)fd, (void)what, (void)arg; }",
        "@ev# = event_new(base, -1, 0, @nothing#, @cell_new());",
    ),
    Reach(
        "int pair[2] = {2, 1}; qsort(pair, 2, sizeof *pair, @compare#); if (pair[0] != 1) BAD;",
        _CELL
        + "\nstatic int @compare#(const void *x, const void *y) { struct @cell *c = &@cell#; CHANGE return @by_int(x, y); }",
        _KNOWN,
    ),
    Reach(
        "struct @cell *c = NULL; if (evbuffer_remove(@token#, &c, sizeof c) != sizeof c) { BAD; } else { CHANGE evbuffer_add(@token#, &c, sizeof c); }",
        "static struct evbuffer *@token#;",
        "{ struct @cell *c = @cell_new(); @token# = evbuffer_new(); evbuffer_add(@token#, &c, sizeof c); }",
    ),
)

# Pointers as few programs keep them, and what a linker makes.
ODD = (
    Reach("struct @cell *c = (struct @cell *)(void *)((char *)s + s->distance); CHANGE"),
    Reach("struct @cell *c = s->u.cell; CHANGE"),
    Reach("struct @cell *c = (struct @cell *)(s->number >> 5); CHANGE"),
    Reach("struct @cell *c; memcpy(&c, s->raw, sizeof c); CHANGE"),
    Reach(
        "struct @cell *c = (struct @cell *)(@number# >> 5); CHANGE",
        "static uintptr_t @number#;",
        "@number# = (uintptr_t)@cell_new() << 5 | 3;",
    ),
    Reach(
        "struct @cell *c = (struct @cell *)(@number# ^ (uintptr_t)&@number#); CHANGE",
        "static uintptr_t @number#;",
        "@number# = (uintptr_t)@cell_new() ^ (uintptr_t)&@number#;",
    ),
    Reach(
        "struct @cell *c = (struct @cell *)(@xor#[0] ^ @xor#[1]); CHANGE",
        _CELL + "\nstatic uintptr_t @xor#[2];",
        _KNOWN + " @xor#[0] = 0x5555aaaa5555; @xor#[1] = (uintptr_t)&@cell# ^ @xor#[0];",
    ),
    Reach(
        "struct @cell *c = (struct @cell *)__builtin_bswap64(@number#); CHANGE",
        "static uintptr_t @number#;",
        "@number# = __builtin_bswap64((uintptr_t)@cell_new());",
    ),
    Reach(
        "struct @cell *c = (struct @cell *)((uintptr_t)@high# << 32 | @low#); CHANGE",
        "static unsigned @high#, @low#;",
        "{ uintptr_t p = (uintptr_t)@cell_new(); @high# = (unsigned)(p >> 32); @low# = (unsigned)p; }",
    ),
    Reach(
        "struct @cell *c; for (int i = 0; i < 8; i++) ((char *)&c)[i] = @raw#[7 - i]; CHANGE",
        "static char @raw#[8];",
        "{ struct @cell *p = @cell_new(); for (int i = 0; i < 8; i++) @raw#[7 - i] = ((char *)&p)[i]; }",
    ),
    Reach(
        "uintptr_t p = 0; for (int i = 0; i < 16; i++) p = p << 4 | (uintptr_t)(@letters#[i] - 'a'); struct @cell *c = (struct @cell *)p; CHANGE",
        "static char @letters#[16];",
        "{ uintptr_t p = (uintptr_t)@cell_new(); for (int i = 15; i >= 0; i--, p >>= 4) @letters#[i] = (char)('a' + (p & 15)); }",
    ),
    Reach(
        "struct @cell *c; memcpy(&c, &@real#, sizeof c); CHANGE",
        "static double @real#;",
        "{ struct @cell *p = @cell_new(); memcpy(&@real#, &p, sizeof p); }",
    ),
    Reach(
        "struct @cell *c = (struct @cell *)(@vector#[n & 1] - 8); CHANGE",
        "typedef long @v# __attribute__((vector_size(16)));\nstatic @v# @vector#;",
        "@vector# = (@v#){(long)@cell_new() + 8, (long)@cell_new() + 8};",
    ),
    Reach("struct @cell *c = (struct @cell *)((uintptr_t)s->tagged & ~(uintptr_t)7); CHANGE"),
    Reach("struct @cell *c = (struct @cell *)(s->seven / 7); CHANGE"),
    Reach(
        "struct @cell *c = (struct @cell *)(void *)((char *)&@anchor# + @distance#); CHANGE",
        "static long @anchor#;\nstatic ptrdiff_t @distance#;",
        "@distance# = (char *)@cell_new() - (char *)&@anchor#;",
    ),
    Reach(
        "struct @cell *c = (struct @cell *)(void *)(@pool# + @offsets#[n & 1]); CHANGE",
        "static _Alignas(16) char @pool#[2 * sizeof(struct @cell)];\nstatic unsigned short @offsets#[2] = {0, sizeof(struct @cell)};",
        "for (int i = 0; i < 2; i++) @known((struct @cell *)(void *)(@pool# + @offsets#[i]));",
    ),
    Reach(
        'struct @cell *c; __asm__("" : "=r"(c) : "0"(@shared#)); CHANGE',
        "static struct @cell *@shared#;",
        "@shared# = @cell_new();",
    ),
    Reach(
        "struct @cell *c = __atomic_exchange_n(&@slot#, NULL, __ATOMIC_ACQ_REL); if (!c) { BAD; } else { CHANGE __atomic_store_n(&@slot#, c, __ATOMIC_RELEASE); }",
        "static struct @cell *@slot#;",
        "@slot# = @cell_new();",
    ),
    Reach(
        "struct @cell *c = n & 1 ? &@real# : &@alias#; CHANGE",
        'struct @cell @real#;\nextern struct @cell @alias# __attribute__((alias("@real#")));',
        "@known(&@real#);",
    ),
    Reach(
        "if (&@absent#) { BAD; } struct @cell *c = &@weak#; CHANGE",
        "__attribute__((weak)) struct @cell @weak#;\nextern struct @cell @absent# __attribute__((weak));",
        "@known(&@weak#);",
    ),
    Reach(
        "struct @cell *c = &__start_@part#[n % (__stop_@part# - __start_@part#)]; CHANGE",
        'static struct @cell @part_a# __attribute__((section("@part#"), used)), @part_b# __attribute__((section("@part#"), used));\nextern struct @cell __start_@part#[], __stop_@part#[];',
        "@known(&@part_a#); @known(&@part_b#);",
    ),
    Reach(
        "for (struct @cell *c = __start_@part#; c < __stop_@part#; c++) { CHANGE }",
        'static struct @cell @part_a# __attribute__((section("@part#"), used)), @part_b# __attribute__((section("@part#"), used));\nextern struct @cell __start_@part#[], __stop_@part#[];',
        "@known(&@part_a#); @known(&@part_b#);",
    ),
    Reach(
        "for (int i = 0; i < 2; i++) __start_@calls#[i](s);",
        _CELL
        + '\nstatic void @called#(struct @sess *s) { (void)s; struct @cell *c = &@cell#; CHANGE }\nstatic void @called_too#(struct @sess *s) { struct @cell *c = &s->cell; CHANGE }\nstatic void (*const @in_a#)(struct @sess *) __attribute__((section("@calls#"), used)) = @called#;\nstatic void (*const @in_b#)(struct @sess *) __attribute__((section("@calls#"), used)) = @called_too#;\nextern void (*const __start_@calls#[])(struct @sess *);',
        _KNOWN,
    ),
    Reach(
        "@linked#(s);",
        _CELL
        + "\nvoid @linked#(struct @sess *s);\nvoid __real_@linked#(struct @sess *s);\n__attribute__((noinline)) void @linked#(struct @sess *s) { (void)s; struct @cell *c = &@cell#; CHANGE }\nvoid __wrap_@linked#(struct @sess *s);\nvoid __wrap_@linked#(struct @sess *s) { struct @cell *c = &s->cell; CHANGE __real_@linked#(s); }  // ld --wrap=@linked#",
        _KNOWN,
    ),
    Reach(
        "@second#(s);",
        _CELL
        + '\n__attribute__((used)) void @first_name#(struct @sess *s);\nvoid @first_name#(struct @sess *s) { (void)s; struct @cell *c = &@cell#; CHANGE }\nextern void @second#(struct @sess *s) __attribute__((alias("@first_name#")));',
        _KNOWN,
    ),
    Reach(
        "@labelled#(s);",
        _CELL
        + '\n__attribute__((used)) void @original#(struct @sess *s);\nvoid @original#(struct @sess *s) { (void)s; struct @cell *c = &@cell#; CHANGE }\nextern void @labelled#(struct @sess *s) __asm__("@original#");',
        _KNOWN,
    ),
    Reach(
        "union { struct @cell *p; unsigned short h[4]; } u; for (int i = 0; i < 4; i++) u.h[i] = @parts#[i]; struct @cell *c = u.p; CHANGE",
        "static unsigned short @parts#[4];",
        "{ union { struct @cell *p; unsigned short h[4]; } u; u.p = @cell_new(); memcpy(@parts#, u.h, sizeof @parts#); }",
    ),
    Reach(
        "struct @cell *c = (struct @cell *)~@number#; CHANGE",
        "static uintptr_t @number#;",
        "@number# = ~(uintptr_t)@cell_new();",
    ),
    Reach(
        "struct @cell *c = (struct @cell *)(@number# << 17 | @number# >> 47); CHANGE",
        "static uintptr_t @number#;",
        "{ uintptr_t p = (uintptr_t)@cell_new(); @number# = p >> 17 | p << 47; }",
    ),
)

# Cells that the kernel, the library of threads or a child leads to.
SYSTEM = (
    Reach(
        "struct @cell *c = NULL; if (read(@pipe#[0], &c, sizeof c) != sizeof c) { BAD; } else { CHANGE if (write(@pipe#[1], &c, sizeof c) != sizeof c) BAD; }",
        "static int @pipe#[2];",
        "{ struct @cell *c = @cell_new(); if (pipe(@pipe#) || write(@pipe#[1], &c, sizeof c) != sizeof c) abort(); fcntl(@pipe#[0], F_SETFL, O_NONBLOCK); }",
    ),
    Reach(
        "struct @cell *c = @maps#[n & 1]; CHANGE",
        "static struct @cell *@maps#[2];",
        '{ int fd = memfd_create("@", 0); if (ftruncate(fd, 4096)) abort(); for (int i = 0; i < 2; i++) @maps#[i] = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0); close(fd); @known(@maps#[0]); }',
    ),
    Reach(
        "struct @cell *c = pthread_getspecific(@key#); if (!c) { BAD; } else { CHANGE }",
        "static pthread_key_t @key#;",
        "pthread_key_create(&@key#, NULL); pthread_setspecific(@key#, @cell_new());",
    ),
    Reach(
        "struct @cell *c = @own_thread#; if (!c) { BAD; } else { CHANGE }",
        "static _Thread_local struct @cell *@own_thread#;",
        "@own_thread# = @cell_new();",
    ),
    Reach(
        "pthread_mutex_lock(&@mutex#); struct @cell *c = &@cell#; CHANGE pthread_mutex_unlock(&@mutex#);",
        _CELL + "\nstatic pthread_mutex_t @mutex# = PTHREAD_MUTEX_INITIALIZER;",
        _KNOWN,
    ),
    Reach(
        "pthread_t t; if (pthread_create(&t, NULL, @apart#, n & 1 ? &@cell# : &s->cell) || pthread_join(t, NULL)) BAD;",
        _CELL + "\nstatic void *@apart#(void *arg) { struct @cell *c = arg; CHANGE return NULL; }",
        _KNOWN,
    ),
    Reach(
        "struct @cell *c = &@cell#; CHANGE pid_t child = fork(); if (child == 0) _exit(c->a == c->b && c->d == c->e && c->lo == c->hi ? 0 : 9); int status = -1; if (waitpid(child, &status, 0) != child || status != 0) BAD;",
        _CELL,
        _KNOWN,
    ),
    Reach(
        "int status = -1; pid_t child = fork(); if (child == 0) _exit(s->cell.a == s->cell.b && s->cell.lo == s->cell.hi ? 0 : 9); if (waitpid(child, &status, 0) != child || status != 0) BAD; struct @cell *c = &s->cell; CHANGE"
    ),
    Reach(
        "raise(SIGNAL_OF_FUNCTION); if (@arrived# < 1) BAD;",
        _CELL
        + "\nstatic volatile sig_atomic_t @arrived#;\nstatic void @at_once#(int number) { (void)number; @arrived# = 1; struct @cell *c = &@cell#; CHANGE }",
        _KNOWN + " signal(SIGNAL_OF_FUNCTION, @at_once#);",
    ),
    Reach(
        "@by_signal# = s; kill(getpid(), SIGNAL_OF_FUNCTION); if (@by_signal#) BAD;",
        "static struct @sess *volatile @by_signal#;\nstatic void @at_once#(int number) { (void)number; struct @sess *s = @by_signal#; @by_signal# = NULL; if (s) { struct @cell *c = &s->cell; CHANGE } }",
        "{ struct sigaction action = {.sa_handler = @at_once#}; sigaction(SIGNAL_OF_FUNCTION, &action, NULL); }",
    ),
    Reach(
        "struct iovec v[2] = {{&s->cell.a, sizeof(long)}, {&s->cell.b, sizeof(long)}}; s->cell.a++, s->cell.b++; if (writev(@pipe#[1], v, 2) != 16) BAD; long t[2]; if (read(@pipe#[0], t, sizeof t) != 16 || t[0] != t[1] || t[0] != s->cell.a) BAD;",
        "static int @pipe#[2];",
        "if (pipe(@pipe#)) abort(); fcntl(@pipe#[0], F_SETFL, O_NONBLOCK);",
    ),
)
