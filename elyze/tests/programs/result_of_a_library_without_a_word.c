// The entry of next_client() in result_of_a_library_without_a_word.yaml does not say what it returns: it may be what
// the library was given before.
// CONFLICT always: on_work on_work: common
// CONFLICT always: on_work on_common: common
// CONFLICT always: on_common on_common: common
#include "server.h"

struct client {
  int jobs;
};
extern void remember(struct client *);
extern struct client *next_client(void);

static struct client common;

HANDLER(on_work) {
  UNUSED;
  struct client *next = next_client();
  if (next != NULL) next->jobs++;
}

HANDLER(on_common) {
  UNUSED;
  common.jobs++;
}

int main(void) {
  base = event_base_new();
  remember(&common);
  when_readable(3, on_work, NULL);
  when_readable(4, on_common, NULL);
  return event_base_dispatch(base);
}
