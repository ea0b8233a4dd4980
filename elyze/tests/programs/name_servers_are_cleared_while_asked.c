// Name servers are cleared while asked.
// CONFLICT always: on_a on_b: settings of resolvers
#include "server.h"
#include <event2/dns.h>
static struct evdns_base *dns;
HANDLER(on_a) {
  UNUSED;
  struct sockaddr_storage s;
  int n = evdns_base_get_nameserver_addr(dns, 0, (struct sockaddr *)&s, sizeof s);
  if (n > 0) printf("%d\n", n);
}
HANDLER(on_b) {
  UNUSED;
  evdns_base_clear_nameservers_and_suspend(dns);
  evdns_base_resume(dns);
}
int main(void) {
  base = event_base_new();
  dns = evdns_base_new(base, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
