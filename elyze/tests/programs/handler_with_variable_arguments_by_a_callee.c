// A function gets the handler's variable arguments as a list.
// CONFLICT always: on_read on_read: read_calls
// IMPRECISE: on_read on_write: session
// CONFLICT session: on_write on_write: client->hits
#include "server.h"
struct client {
  long hits;
};
static void count(va_list rest) {
  (void)va_arg(rest, int);
  va_arg(rest, struct client *)->hits++;
}
static long read_calls;
static void on_read(int fd, ...) {
  read_calls++;
  va_list rest;
  va_start(rest, fd);
  count(rest);
  va_end(rest);
}
typedef void plain(int, short, void *);
static plain *choose(void) { return (plain *)(void (*)(void))on_read; }
HANDLER(on_write) {
  struct client *client = arg;
  (void)fd, (void)what;
  client->hits++;
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i += 2) {
    struct client *client = calloc(1, sizeof *client);
    when_readable(i, choose(), client);
    when_readable(i + 1, on_write, client);
  }
  return event_base_dispatch(base);
}
