#define _GNU_SOURCE
#include "server.h"

struct reader {
  int n;
};
struct writer {
  int n;
};
HANDLER(on_a) {
  struct reader *s = arg;
  UNUSED;
  s->n++;
}
HANDLER(on_b) {
  struct writer *s = arg;
  UNUSED;
  s->n++;
}
// SAFE: on_a on_b
// CONFLICT session: on_a on_a: reader->n

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, calloc(1, sizeof(struct reader)));
  when_readable(4, on_b, calloc(1, sizeof(struct writer)));
  return event_base_dispatch(base);
}
