// Two answers have nothing in common but the resolver, which has a lock; a question that is cancelled must not be
// answered meanwhile.
// CONFLICT session: on_answer on_answer: session->address
// CONFLICT always: on_answer on_cancel: questions of resolvers
// CONFLICT always: on_cancel on_cancel: questions of resolvers

#include <event2/dns.h>

#include "server.h"

struct session {
  struct evdns_request* question;
  int address;
};

static struct evdns_base* resolver;

static void on_answer(int result, char type, int count, int ttl, void* addresses, void* arg) {
  struct session* s = arg;
  (void)result, (void)type, (void)ttl;
  if (count > 0) s->address = *(int*)addresses;
}

HANDLER(on_cancel) {
  struct session* s = arg;
  (void)fd, (void)what;
  evdns_cancel_request(resolver, s->question);
}

int main(void) {
  base = event_base_new();
  resolver = evdns_base_new(base, 0);
  for (int i = 3; i < 5; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->question = evdns_base_resolve_ipv4(resolver, "localhost", 0, on_answer, s);
    when_readable(i, on_cancel, s);
  }
  return event_base_dispatch(base);
}
