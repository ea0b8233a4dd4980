// A copy of a list of headers leads to the same headers.
// CONFLICT always: on_a on_a: g
// CONFLICT always: on_a on_b: g
// CONFLICT always: on_b on_b: seen

#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <sys/queue.h>

#include "server.h"
static struct evkeyvalq g, h;
static long seen;
HANDLER(on_a) {
  UNUSED;
  char *v = (char *)evhttp_find_header(&g, "k");
  v[0] = 'x';
  v[0] = 'y';
}
HANDLER(on_b) {
  UNUSED;
  seen = evhttp_find_header(&h, "k") != NULL;
  seen += evhttp_find_header(&h, "k")[0];
}
int main(int argc, char **argv) {
  base = event_base_new();
  evhttp_parse_query_str("k=1&l=2", &g);
  h = g;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
