// The program behind server.constraints.json: three handlers that conflict always, in a session, and never.
#include <stddef.h>
#include <stdlib.h>

struct event;
struct event_base;
struct timeval;
struct event_base* event_base_new(void);
typedef void (*event_handler)(int, short, void*);
struct event* event_new(struct event_base* base, int fd, short what, event_handler handler, void* argument);
int event_add(struct event* event, const struct timeval* timeout);
int event_base_dispatch(struct event_base* base);

static struct event_base* base;
static long served;

struct client {
  int fd;
  long requests;
};

static void on_read(int fd, short what, void* argument) {
  (void)fd, (void)what;
  struct client* client = argument;
  client->requests++;
}

static void on_accept(int fd, short what, void* argument) {
  (void)fd, (void)what, (void)argument;
  struct client* client = calloc(1, sizeof *client);
  if (client == NULL) return;
  client->fd = fd;
  served++;
  event_add(event_new(base, client->fd, 2, on_read, client), NULL);
}

static void on_tick(int fd, short what, void* argument) {
  (void)fd, (void)what, (void)argument;
  if (served > 1000) served = 0;
}

int main(void) {
  base = event_base_new();
  event_add(event_new(base, 3, 2, on_accept, NULL), NULL);
  event_add(event_new(base, -1, 1, on_tick, NULL), NULL);
  return event_base_dispatch(base);
}
