#define _GNU_SOURCE
#include "server.h"

struct request {
  char path[64];
  int length;
};
static void parse(struct request *r, int n) {
  r->length = n;
  memset(r->path, 0, sizeof r->path);
}
HANDLER(on_a) {
  struct request r;
  UNUSED;
  parse(&r, fd);
  if (r.length > 4) exit(1);
}
// SAFE: on_a on_a

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  return event_base_dispatch(base);
}
