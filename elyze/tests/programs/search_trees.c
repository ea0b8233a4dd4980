// Trees of search.h: whatever is put in comes out at every call on the same tree, and the order is the program's.
#define _GNU_SOURCE
#include <search.h>
#include <stdlib.h>

#include "server.h"

struct item {
  int key;
  int hits;
};

static void *names, *numbers;
static int compared, walked;

static int by_key(const void *a, const void *b) {
  return ((const struct item *)a)->key - ((const struct item *)b)->key;
}

static int counting(const void *a, const void *b) {
  compared++;
  return by_key(a, b);
}

static void visit(const void *node, VISIT which, int depth) {
  (void)which, (void)depth;
  walked += (*(struct item *const *)node)->hits;
}

HANDLER(on_add) {
  UNUSED;
  struct item *made = calloc(1, sizeof *made);
  made->key = fd;
  tsearch(made, &names, by_key);
}
// CONFLICT always: on_add on_add: names

HANDLER(on_hit) {
  UNUSED;
  struct item wanted = {fd, 0};
  struct item *const *found = tfind(&wanted, &names, by_key);
  if (found != NULL) (*found)->hits++;
}
// CONFLICT always: on_hit on_hit: item
// CONFLICT always: on_hit on_add: names

HANDLER(on_walk) {
  UNUSED;
  twalk(names, visit);
}
// CONFLICT always: on_walk on_walk: walked
// CONFLICT always: on_walk on_add: names
// CONFLICT always: on_walk on_hit: item

HANDLER(on_other) {
  UNUSED;
  struct item wanted = {fd, 0};
  tdelete(&wanted, &numbers, counting);
}
// CONFLICT always: on_other on_other: compared
// SAFE: on_other on_add
// SAFE: on_other on_hit
// SAFE: on_other on_walk

int main(void) {
  base = event_base_new();
  static struct item first = {1, 0};
  tsearch(&first, &numbers, by_key);
  when_readable(3, on_add, NULL);
  when_readable(4, on_hit, NULL);
  when_readable(5, on_walk, NULL);
  when_readable(6, on_other, NULL);
  return event_base_dispatch(base);
}
