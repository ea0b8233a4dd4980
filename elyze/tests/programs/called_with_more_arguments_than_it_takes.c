// Through a cast pointer a function gets more arguments than it takes, or a pointer for a number; that works everywhere.
#include "server.h"

typedef void (*visit)(void *, void *);
static long count, last;
static void count_one(void) { count++; }
static void note(long value) { last = value; }
static void for_each(visit f, void *a, void *b) { f(a, b); }
HANDLER(on_count) {
  UNUSED;
  for_each((visit)(void *)count_one, arg, NULL);
}
HANDLER(on_note) {
  UNUSED;
  for_each((visit)(void *)note, arg, NULL);
}
// CONFLICT always: on_count on_count: count
// CONFLICT always: on_note on_note: last
// IMPRECISE: on_count on_note: never

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 5; i++) {
    when_readable(i, on_count, calloc(1, 8));
    when_readable(i + 10, on_note, calloc(1, 16));
  }
  return event_base_dispatch(base);
}
