// Connecting to a name asks the name servers that are set.
// CONFLICT always: on_a on_b: settings of resolvers
#include <event2/bufferevent.h>
#include <event2/dns.h>

#include "server.h"
static struct evdns_base *resolver;
static struct bufferevent *out;
HANDLER(on_a) {
  UNUSED;
  bufferevent_socket_connect_hostname(out, resolver, AF_INET, "host", 80);
}
HANDLER(on_b) {
  UNUSED;
  evdns_base_nameserver_ip_add(resolver, "127.0.0.1");
}
int main(void) {
  base = event_base_new();
  resolver = evdns_base_new(base, 0);
  out = bufferevent_socket_new(base, -1, 0);
  when_readable(5, on_a, NULL);
  when_readable(6, on_b, NULL);
  return event_base_dispatch(base);
}
