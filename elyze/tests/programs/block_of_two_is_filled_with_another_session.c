// A callee stores the newest client, of another session, in one of two blocks that lie on the heap.
// CONFLICT always: on_client on_client: client->jobs
// CONFLICT always: on_client on_accept: newest
// CONFLICT always: on_accept on_accept: newest
#include "server.h"

struct client {
  int jobs;
};

struct box {
  struct client *client;
};

static struct client *newest;
static struct box *kept;

static void put(struct box *one, struct box *other, int first) {
  struct box *box = first ? one : other;
  if (newest != NULL) box->client = newest;
}

HANDLER(on_client) {
  UNUSED;
  struct box *one = malloc(sizeof *one), *other = malloc(sizeof *other);
  one->client = other->client = arg;
  put(one, other, fd & 1);
  one->client->jobs++;
  other->client->jobs++;
  free(one);
  free(other);
}

HANDLER(on_accept) {
  UNUSED;
  struct client *client = calloc(1, sizeof *client);
  newest = client;
  put(kept, kept, 0);
  when_readable(accept(fd, NULL, NULL), on_client, client);
}

int main(void) {
  base = event_base_new();
  kept = calloc(1, sizeof *kept);
  when_readable(3, on_accept, NULL);
  when_readable(4, on_accept, NULL);
  return event_base_dispatch(base);
}
