// strdup allocates: the old name is freed and a fresh one stored, all inside the session.
// CONFLICT session: on_rename on_rename: user->name
// CONFLICT session: on_rename on_show: user->name
// SAFE: on_show on_show

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct timeval second = {1, 0};

struct user {
  char* name;
};

static void on_rename(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct user* u = arg;
  free(u->name);
  u->name = strdup("renamed");
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct user* u = arg;
  printf("%s\n", u->name);
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct user* u = calloc(1, sizeof *u);
    u->name = strdup("new");
    event_add(event_new(base, -1, EV_PERSIST, on_rename, u), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, u), &second);
  }
  return event_base_dispatch(base);
}
