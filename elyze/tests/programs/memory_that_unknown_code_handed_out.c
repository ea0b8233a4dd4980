#define _GNU_SOURCE
#include "server.h"

struct box {
  int n;
};
struct box *vendor_box(struct box *);
static struct box *first, *second;
HANDLER(on_a) {
  UNUSED;
  first->n++;
}
HANDLER(on_b) {
  UNUSED;
  second->n++;
}
// CONFLICT always: on_a on_b

int main(void) {
  base = event_base_new();
  first = calloc(1, sizeof *first);
  second = vendor_box(first);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
