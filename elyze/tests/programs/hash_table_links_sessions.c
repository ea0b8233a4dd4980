// Sessions are chained in the buckets of a global table: inserting writes the table, looking up reads other sessions.
// CONFLICT always: on_join on_join: table
// CONFLICT always: on_join on_lookup: table
// SAFE: on_lookup on_lookup
// SAFE: on_count on_join
// SAFE: on_count on_lookup
// CONFLICT session: on_count on_count: user->messages

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct user {
  struct user* next;
  unsigned id;
  long messages;
};

static struct user* table[64];

static void on_join(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct user* u = arg;
  u->next = table[u->id % 64];
  table[u->id % 64] = u;
}

static void on_lookup(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  const struct user* u = table[3];
  while (u != NULL && u->id != 3) u = u->next;
  if (u != NULL) puts("here");
}

static void on_count(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct user* u = arg;
  u->messages++;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (unsigned i = 0; i < 4; i++) {
    struct user* u = calloc(1, sizeof *u);
    u->id = i;
    event_add(event_new(base, -1, 0, on_join, u), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_count, u), &second);
  }
  event_add(event_new(base, -1, EV_PERSIST, on_lookup, NULL), &second);
  return event_base_dispatch(base);
}
