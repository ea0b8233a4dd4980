// A callee copies a global structure over its caller's block, which is of a kind that all know.
// CONFLICT always: on_work on_work: common
// CONFLICT always: on_work on_common: common
// CONFLICT always: on_common on_common: common
#include "server.h"

struct client {
  int jobs;
};

struct box {
  struct client *client;
  long size, used;
};

static struct client common;
static struct box model = {&common, 0, 0};
static struct box *kept;

static void reset(struct box *box) {
  struct box *like = box->size == 0 ? kept : box;
  long size = like->size;
  *box = model;
  box->size = size;
}

HANDLER(on_work) {
  UNUSED;
  struct client own = {0};
  struct box *box = calloc(1, sizeof *box);
  box->client = &own;
  reset(box);
  box->client->jobs++;
  free(box);
}

HANDLER(on_common) {
  UNUSED;
  common.jobs++;
}

int main(void) {
  base = event_base_new();
  kept = calloc(1, sizeof *kept);
  reset(kept);
  when_readable(3, on_work, NULL);
  when_readable(4, on_work, NULL);
  when_readable(5, on_common, NULL);
  return event_base_dispatch(base);
}
