// A handler with variable arguments takes its session from these.
// CONFLICT always: on_read on_read: read_calls
// CONFLICT always: on_read on_b: shared.hits
// CONFLICT always: on_b on_b: shared.hits
#include "server.h"
struct item {
  long hits;
};
static struct item shared;
static long read_calls;
static void on_read(int fd, ...) {
  read_calls++;
  va_list rest;
  va_start(rest, fd);
  (void)va_arg(rest, int);
  struct item *item = va_arg(rest, struct item *);
  va_end(rest);
  item->hits++;
}
HANDLER(on_b) {
  UNUSED;
  shared.hits++;
}
int main(void) {
  base = event_base_new();
  when_readable(3, (event_callback_fn)(void (*)(void))on_read, &shared);
  when_readable(4, (event_callback_fn)(void (*)(void))on_read, calloc(1, sizeof(struct item)));
  when_readable(9, on_b, NULL);
  return event_base_dispatch(base);
}
