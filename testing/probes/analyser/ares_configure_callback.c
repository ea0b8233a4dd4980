// CONFLICT always: on_a on_b: x
/* called for each new socket */
#include "server.h"
#include <ares.h>
#include <netdb.h>
static int count, n;
static void done(void* a, int s, int t, struct hostent* h) {
  (void)a;
  (void)s;
  (void)t;
  (void)h;
}
static int conf(ares_socket_t s, int t, void* a) {
  (void)s;
  (void)t;
  (void)a;
  count++;
  count++;
  return 0;
}
HANDLER(on_a) {
  UNUSED;
  ares_gethostbyname(arg, "h", AF_INET, done, NULL);
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
  ares_channel c;
  ares_init(&c);
  ares_set_socket_configure_callback(c, conf, NULL);
  when_readable(3, on_a, c);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
