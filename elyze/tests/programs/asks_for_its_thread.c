// Which thread it is on: handlers that ask, by themselves or through others, one that ends it, and what only main asks
// before the loop.
#define _GNU_SOURCE
#include <pthread.h>
#include <stdlib.h>

#include "server.h"

static pthread_t home;
static pthread_key_t key;
static int checked, twice, quiet;

static int at_home(void) { return pthread_equal(home, pthread_self()); }

HANDLER(on_checked) {
  UNUSED;
  if (!at_home()) abort();
  checked++;
}
// CONFLICT always: on_checked on_checked: checked

HANDLER(on_twice) {
  UNUSED;
  twice += at_home() + at_home();
}
// CONFLICT always: on_twice on_twice: twice
// SAFE: on_checked on_twice

HANDLER(on_value) {
  UNUSED;
  if (pthread_getspecific(key) != NULL) abort();
}
// SAFE: on_value on_value
// SAFE: on_value on_checked
// SAFE: on_value on_twice

HANDLER(on_quiet) {
  UNUSED;
  quiet++;
}
// CONFLICT always: on_quiet on_quiet: quiet
// SAFE: on_quiet on_checked
// SAFE: on_quiet on_twice
// SAFE: on_quiet on_value

HANDLER(on_end) {
  UNUSED;
  pthread_exit(NULL);
}
// CONFLICT always: on_end on_end: event loop
// CONFLICT always: on_end on_checked: event loop
// CONFLICT always: on_end on_twice: event loop
// CONFLICT always: on_end on_value: event loop
// CONFLICT always: on_end on_quiet: event loop

int main(void) {
  base = event_base_new();
  home = pthread_self();
  pthread_key_create(&key, NULL);
  when_readable(3, on_checked, NULL);
  when_readable(4, on_twice, NULL);
  when_readable(5, on_value, NULL);
  when_readable(6, on_quiet, NULL);
  when_readable(7, on_end, NULL);
  return event_base_dispatch(base);
}
