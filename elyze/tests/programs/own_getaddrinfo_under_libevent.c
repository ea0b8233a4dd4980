// CONFLICT always: on_a on_a: count
// CONFLICT always: on_a on_b: count
// CONFLICT always: on_b on_b: n
// evutil_getaddrinfo() finds the program's own getaddrinfo().
#include "server.h"
#include <event2/util.h>
#include <netdb.h>
static int count, n;
static struct evutil_addrinfo* r;
int getaddrinfo(const char* h, const char* s, const struct addrinfo* i, struct addrinfo** o) {
  (void)h;
  (void)s;
  (void)i;
  count++;
  *o = 0;
  return 1;
}
HANDLER(on_a) {
  UNUSED;
  evutil_getaddrinfo("h", "1", 0, &r);
}
HANDLER(on_b) {
  UNUSED;
  int k = count;
  n = k + count;
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
