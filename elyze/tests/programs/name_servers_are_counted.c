// Name servers are counted.
// CONFLICT always: on_a on_b: settings of resolvers
#include "server.h"
#include <event2/dns.h>
static struct evdns_base *dns;
static long g;
HANDLER(on_a) {
  UNUSED;
  g = evdns_base_count_nameservers(dns);
}
HANDLER(on_b) {
  UNUSED;
  evdns_base_nameserver_ip_add(dns, "127.0.0.1");
}
int main(void) {
  base = event_base_new();
  dns = evdns_base_new(base, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
