// The name of a thread is sixteen bytes of any value.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <sys/prctl.h>
#include "server.h"

struct item {
  long hits;
};
static struct item item;
static struct item *found;
HANDLER(on_a) {
  UNUSED;
  found->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  struct item *name[2] = {&item, &item}, *now[2];
  prctl(PR_SET_NAME, name);
  prctl(PR_GET_NAME, now);
  found = now[0];
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
