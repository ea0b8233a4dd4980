// A handler with variable arguments takes its session from these.
// CONFLICT always: on_read on_read: read_calls
// IMPRECISE: on_read on_write: session
// CONFLICT session: on_write on_write: client->hits
#include "server.h"
struct client {
  long hits;
};
static long read_calls;
static void on_read(int fd, ...) {
  read_calls++;
  va_list rest;
  va_start(rest, fd);
  (void)va_arg(rest, int);
  struct client *client = va_arg(rest, struct client *);
  va_end(rest);
  client->hits++;
}
HANDLER(on_write) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->hits++;
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i += 2) {
    struct client *client = calloc(1, sizeof *client);
    when_readable(i, (event_callback_fn)(void (*)(void))on_read, client);
    when_readable(i + 1, on_write, client);
  }
  return event_base_dispatch(base);
}
