// The bytes of the whole block are set before any of them is read, whichever.
// CONFLICT always: on_read on_read
// APART never: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static unsigned char table[256];

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  memset(table, 0, sizeof table);
  for (int i = 0; i < 20; ++i) table[(i * what) & 255] ^= (unsigned char)i;
  usleep(table[what & 255] % 3);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
