// One array of bytes holds a callback and a comparator, so that points-to finds both where the callback is loaded. The
// comparator is cast, but to no type by which libevent calls: it is no handler.
// CONFLICT always: on_data on_data: lines

#include <event2/bufferevent.h>
#include <event2/bufferevent_struct.h>
#include <event2/event.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

struct client {
  int rank;
};
typedef int (*compare_fn)(const void *, const void *);

static int lines, compared;
static compare_fn order;
static bufferevent_data_cb reader;

static void on_data(struct bufferevent *bev, void *arg) {
  (void)bev, (void)arg;
  lines++;
}

static int compare_clients(const struct client *a, const struct client *b) {
  compared++;
  return a->rank - b->rank;
}

static char *place(char *bytes, int which) { return bytes + (size_t)which * sizeof(void *); }

int main(int argc, char **argv) {
  struct event_base *base = event_base_new();
  struct client clients[2] = {{argc}, {2}};
  char *bytes = malloc(4 * sizeof(void *));
  (void)argv;
  reader = on_data;
  order = (compare_fn)compare_clients;
  memcpy(place(bytes, argc & 1), &reader, sizeof reader);
  memcpy(place(bytes, (argc & 1) + 1), &order, sizeof order);
  qsort(clients, 2, sizeof *clients, order);
  for (int fd = 3; fd < 5; fd++) {
    struct bufferevent *bev = bufferevent_socket_new(base, fd, 0);
    memcpy(&bev->readcb, place(bytes, argc & 1), sizeof bev->readcb);
    bufferevent_enable(bev, EV_READ);
  }
  return event_base_dispatch(base);
}
