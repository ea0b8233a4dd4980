// The state of a lookup that is not yet known to anybody else is owned by a session, and looked at in its timer.
// CONFLICT always: on_answer on_timer: lookup->count
// CONFLICT session: on_timer on_timer
// CONFLICT session: on_answer on_answer: lookup->count
#include <event2/dns.h>
#include <event2/util.h>
#include "server.h"
struct lookup {
  int count;
};
struct session {
  struct lookup* lookup;
  long seen;
};
static struct evdns_base* resolver;
static void on_answer(int result, struct evutil_addrinfo* found, void* arg) {
  (void)result, (void)found;
  ((struct lookup*)arg)->count++;
}
HANDLER(on_timer) {
  struct session* s = arg;
  UNUSED;
  s->seen += s->lookup->count;
}
int main(void) {
  base = event_base_new();
  resolver = evdns_base_new(base, 0);
  for (int i = 3; i < 6; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->lookup = calloc(1, sizeof *s->lookup);
    evdns_getaddrinfo(resolver, "localhost", "80", NULL, on_answer, s->lookup);
    when_readable(i, on_timer, s);
  }
  return event_base_dispatch(base);
}
