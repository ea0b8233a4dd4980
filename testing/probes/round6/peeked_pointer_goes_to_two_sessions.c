// Peeked pointer goes to two sessions.
// CONFLICT: always: on_a on_b: g
#include "server.h"
#include <sys/socket.h>
static int s[2];
struct item { long n; };
struct conn { struct item *item; };
static struct conn *make(void) {
  struct conn *c = calloc(1, sizeof *c);
  if (recv(s[0], &c->item, sizeof c->item, MSG_PEEK) < 0) exit(1);
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
  socketpair(AF_UNIX, SOCK_STREAM, 0, s);
  struct item *item = calloc(1, sizeof *item);
  if (write(s[1], &item, sizeof item) < 0) return 1;
  when_readable(3, on_a, make());
  when_readable(4, on_b, make());
  return event_base_dispatch(base);
}
