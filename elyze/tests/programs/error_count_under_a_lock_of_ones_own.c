// Whoever has the lock must not be made to wait for one that tries to get it. No access shows who has it.
// CONFLICT always: on_read on_read: errors
// STARTS always: on_read on_read

#include <event2/event.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static atomic_flag taken = ATOMIC_FLAG_INIT;
static long errors;

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  while (atomic_flag_test_and_set(&taken)) usleep(1);
  if (usleep(10) < 0) errors++;
  atomic_flag_clear(&taken);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  return event_base_dispatch(base);
}
