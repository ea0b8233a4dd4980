// A buffer that a helper allocates for the session is owned by it from wherever the helper is called; one that is stored
// in two sessions is not.
// CONFLICT session: on_read on_read: client->reply
// CONFLICT session: on_read on_write: client->reply
// SAFE: on_write on_write
// SAFE: on_pair on_read
// SAFE: on_pair on_write
// CONFLICT always: on_pair on_pair: pair->buffer

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct client {
  int errors;
  char* reply;
};

struct pair {
  long padding;
  char* buffer;
};

static void set_reply(struct client* c, char text) {
  free(c->reply);
  c->reply = malloc(2);
  if (c->reply == NULL) return;
  c->reply[0] = text;
  c->reply[1] = '\0';
}

static void answer(struct client* c, int problem) {
  if (problem) {
    set_reply(c, 'n');
    c->errors++;
  }
  if (c->errors < 3) set_reply(c, 'y');
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)what;
  answer(arg, fd < 0);
}

static void on_write(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  const struct client* c = arg;
  if (c->reply != NULL) puts(c->reply);
}

static void on_pair(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct pair* p = arg;
  p->buffer[0]++;
}

static void share(struct pair* one, struct pair* other) {
  char* buffer = calloc(1, 16);
  one->buffer = buffer;
  other->buffer = buffer;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct client* c = calloc(1, sizeof *c);
    event_add(event_new(base, -1, EV_PERSIST, on_read, c), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_write, c), &second);
    struct pair* one = calloc(1, sizeof *one);
    struct pair* other = calloc(1, sizeof *other);
    share(one, other);
    event_add(event_new(base, -1, EV_PERSIST, on_pair, one), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_pair, other), &second);
  }
  return event_base_dispatch(base);
}
