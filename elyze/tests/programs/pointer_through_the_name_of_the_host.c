// sethostname() has no spec, gethostname() has one: what unknown code is given
// comes out of a library that is known.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#define _GNU_SOURCE
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
  struct item *name = &item;
  sethostname((char *)&name, sizeof name);
  gethostname((char *)&found, sizeof found);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
