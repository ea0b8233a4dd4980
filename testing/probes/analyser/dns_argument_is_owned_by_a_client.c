// The question is the resolver callback's session and belongs to a client, who looks at it.
// CONFLICT always: on_answer on_client: question->address
// CONFLICT session: on_client on_client
// CONFLICT session: on_answer on_answer
#include <event2/dns.h>
#include "server.h"
struct question {
  int address;
};
struct client {
  struct question* asked;
  int seen;
};
static struct evdns_base* resolver;
static void on_answer(int result, char type, int count, int ttl, void* addresses, void* arg) {
  struct question* q = arg;
  (void)result, (void)type, (void)ttl;
  if (count > 0) q->address = *(int*)addresses;
}
HANDLER(on_client) {
  struct client* c = arg;
  UNUSED;
  c->seen = c->asked->address;
}
int main(void) {
  base = event_base_new();
  resolver = evdns_base_new(base, 0);
  for (int i = 3; i < 5; i++) {
    struct client* c = calloc(1, sizeof *c);
    c->asked = calloc(1, sizeof *c->asked);
    evdns_base_resolve_ipv4(resolver, "localhost", 0, on_answer, c->asked);
    when_readable(i, on_client, c);
  }
  return event_base_dispatch(base);
}
