"""What programs change: cells, each a few numbers that only ever grow by one, in the forms that real programs have.

A change looks at what it finds, and finds an error (`BAD`) where another one has been left half done. The sums of all
cells after the loop do not depend on the order of changes, nor on which cell they were made in. So a run on several
threads must print what plain libevent prints.
"""

from __future__ import annotations

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
