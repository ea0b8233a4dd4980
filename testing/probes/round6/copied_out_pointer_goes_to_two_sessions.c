// Copied out pointer goes to two sessions.
// CONFLICT: always: on_a on_b: g
#include "server.h"
#include <event2/buffer.h>
static struct evbuffer *s;
struct item { long n; };
struct conn { struct item *item; };
static struct conn *make(void) {
  struct conn *c = calloc(1, sizeof *c);
  if (evbuffer_copyout(s, &c->item, sizeof c->item) < 0) exit(1);
  return c;
}

HANDLER(on_a) {
  UNUSED;
  ((struct conn *)arg)->item->n++;
}
HANDLER(on_b) {
  UNUSED;
  ((struct conn *)arg)->item->n++;
}
int main(void) {
  base = event_base_new();
  s = evbuffer_new();
  struct item *item = calloc(1, sizeof *item);
  evbuffer_add(s, &item, sizeof item);
  when_readable(3, on_a, make());
  when_readable(4, on_b, make());
  return event_base_dispatch(base);
}
