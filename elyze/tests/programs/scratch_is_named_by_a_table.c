// A table leads to it, which others read.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char first[16], second[16];
static char* const both[] = {first, second};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  usleep(strlen(both[what & 1]));
  snprintf(first, sizeof first, "%d", what);
  snprintf(second, sizeof second, "%d", fd);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
