// Search domains are cleared.
// CONFLICT always: on_a on_b: settings of resolvers
#include "server.h"
#include <event2/dns.h>
static struct evdns_base *dns;
HANDLER(on_a) {
  UNUSED;
  evdns_base_search_clear(dns);
}
HANDLER(on_b) {
  UNUSED;
  evdns_base_search_add(dns, "example.org");
}
int main(void) {
  base = event_base_new();
  dns = evdns_base_new(base, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
