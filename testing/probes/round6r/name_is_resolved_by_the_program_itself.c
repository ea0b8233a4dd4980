// possible: 0 10\.1\.2\.3\n=0
// A resolver and a server of names on one base.
#include "p.h"
#include <event2/dns.h>
#include <event2/dns_struct.h>
static void on_query(struct evdns_server_request* q, void* arg) {
  (void)arg;
  ev_uint32_t a = htonl(0x0a010203);
  for (int i = 0; i < q->nquestions; ++i) evdns_server_request_add_a_reply(q, q->questions[i]->name, 1, &a, 60);
  evdns_server_request_respond(q, 0);
}
static void on_answer(int result, char type, int n, int ttl, void* all, void* arg) {
  (void)type, (void)n, (void)ttl, (void)arg;
  char text[32] = "";
  if (result == 0) inet_ntop(AF_INET, all, text, sizeof text);
  printf("%d %s\n", result, text);
  event_base_loopbreak(base);
}
int main(void) {
  base = event_base_new();
  int s = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof a;
  if (bind(s, (struct sockaddr*)&a, size) != 0) return 2;
  evutil_make_socket_nonblocking(s);
  getsockname(s, (struct sockaddr*)&a, &size);
  evdns_add_server_port_with_base(base, s, 0, on_query, NULL);
  struct evdns_base* d = evdns_base_new(base, 0);
  evdns_base_nameserver_sockaddr_add(d, (struct sockaddr*)&a, size, 0);
  due(base, spare, NULL);
  evdns_base_resolve_ipv4(d, "a.example", DNS_QUERY_NO_SEARCH, on_answer, NULL);
  event_base_dispatch(base);
  return 0;
}
