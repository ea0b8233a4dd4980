/* libevent's memory comes from the program's functions: what they count is written by every handler that calls it. */
#include "server.h"

static size_t blocks;

static void *counted_malloc(size_t size) {
  blocks++;
  return malloc(size);
}

static void *counted_realloc(void *block, size_t size) { return realloc(block, size); }

static void counted_free(void *block) {
  blocks--;
  free(block);
}

HANDLER(on_read) {
  UNUSED;
  event_base_loopbreak(base);
}

HANDLER(on_report) {
  UNUSED;
  printf("%zu\n", blocks);
}

int main(void) {
  event_set_mem_functions(counted_malloc, counted_realloc, counted_free);
  base = event_base_new();
  when_readable(3, on_read, NULL);
  when_readable(4, on_report, NULL);
  return event_base_dispatch(base);
}
// CONFLICT always: on_read on_read: blocks
// CONFLICT always: on_read on_report: blocks
// SAFE: on_report on_report
