// Each piece goes behind the others.
// CONFLICT always: on_read on_read
// APART never: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char path[64];

static void add(char* to, const char* piece) {
  strcat(to, "/");
  strcat(to, piece);
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  strcpy(path, "here");
  add(path, what & EV_TIMEOUT ? "soon" : "now");
  usleep(strlen(path));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
