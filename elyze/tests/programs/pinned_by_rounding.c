// The rounding mode is the thread's: who sets it stays on its thread, and so does whoever computes with real numbers.
#include <fenv.h>
#include <math.h>

#include "server.h"

struct client {
  int mode;
  double sum;
  int count;
  char text[32];
};

static fenv_t saved;

HANDLER(on_global) {
  UNUSED;
  fesetenv(&saved);
}
// PINNED: on_global by fesetenv

HANDLER(on_session) {
  (void)fd, (void)what;
  struct client *client = arg;
  fesetround(client->mode);
}
// PINNED: on_session by fesetround

static int inexact(int (*test)(int)) { return test(FE_INEXACT); }

HANDLER(on_flags) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->count += inexact(fetestexcept);
}
// PINNED: on_flags by fetestexcept

HANDLER(on_sum) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->sum += 1.0 / 3;
}
// PINNED: on_sum by arithmetic with real numbers

HANDLER(on_root) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->count = (int)lrint(client->sum);
}
// PINNED: on_root by lrint

HANDLER(on_text) {
  (void)fd, (void)what;
  struct client *client = arg;
  snprintf(client->text, sizeof client->text, "%f", client->sum);
}
// PINNED: on_text by snprintf

static double copy_of(const struct client *client) { return client->sum; }

HANDLER(on_copy) {
  (void)fd, (void)what;
  struct client *client = arg;
  struct client other = *client;
  other.sum = copy_of(client);
  client->sum = other.sum;
}
// ANY THREAD: on_copy

HANDLER(on_count) {
  (void)fd, (void)what;
  struct client *client = arg;
  client->count = client->count * 7 / 3;
}
// ANY THREAD: on_count
// CONFLICT session: on_count on_count: client->count

int main(void) {
  base = event_base_new();
  struct client *client = calloc(1, sizeof *client);
  fegetenv(&saved);
  when_readable(3, on_global, NULL);
  when_readable(4, on_session, client);
  when_readable(5, on_flags, client);
  when_readable(6, on_sum, client);
  when_readable(7, on_root, client);
  when_readable(8, on_text, client);
  when_readable(9, on_copy, client);
  when_readable(10, on_count, client);
  return event_base_dispatch(base);
}
