// The session has a pointer to it when the handler is over.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct session {
  const char* name;
};
static struct session only = {"nobody"};

static char* name_of(int n) {
  static char text[32];
  sprintf(text, "%d", n);
  return text;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  struct session* session = &only;
  usleep(strlen(session->name));
  session->name = name_of(what);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
