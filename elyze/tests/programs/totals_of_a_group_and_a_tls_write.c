// A TLS filter in a group counts for the group when it is written to.
// CONFLICT always: on_a on_a: *b
// CONFLICT always: on_a on_b
// CONFLICT always: on_b on_b: seen

#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <openssl/ssl.h>

#include "server.h"
static struct bufferevent *b;
static struct bufferevent_rate_limit_group *g;
static long seen;
HANDLER(on_a) {
  UNUSED;
  bufferevent_write(b, "a", 1);
  bufferevent_write(b, "b", 1);
}
HANDLER(on_b) {
  UNUSED;
  ev_uint64_t r, w;
  bufferevent_rate_limit_group_get_totals(g, &r, &w);
  seen = w;
  bufferevent_rate_limit_group_get_totals(g, &r, &w);
  seen += w;
}
int main(int argc, char **argv) {
  base = event_base_new();
  struct timeval tv = {1, 0};
  g = bufferevent_rate_limit_group_new(base, ev_token_bucket_cfg_new(10, 10, 10, 10, &tv));
  b = bufferevent_openssl_filter_new(base, bufferevent_socket_new(base, 5, 0), SSL_new(SSL_CTX_new(TLS_method())),
                                     BUFFEREVENT_SSL_OPEN, 0);
  bufferevent_add_to_rate_limit_group(b, g);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
