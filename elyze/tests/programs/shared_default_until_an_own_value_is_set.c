// The field holds an own block in some sessions and the common default in the others: it is not owned.
// CONFLICT always: on_edit on_edit: default_name
// CONFLICT always: on_edit on_show: default_name
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct timeval second = {1, 0};

struct user {
  char* name;
};

static char default_name[] = "guest";

static struct user* user_new(const char* name) {
  struct user* u = calloc(1, sizeof *u);
  u->name = name == NULL ? default_name : strdup(name);
  return u;
}

static void on_edit(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct user* u = arg;
  u->name[0] = 'G';
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct user* u = arg;
  puts(u->name);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct user* users[] = {user_new("root"), user_new(NULL), user_new(NULL)};
  for (int i = 0; i < 3; i++) {
    event_add(event_new(base, -1, EV_PERSIST, on_edit, users[i]), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_show, users[i]), &second);
  }
  return event_base_dispatch(base);
}
