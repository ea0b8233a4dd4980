// Before it publishes its own block, the handler writes the block of the round before, which is published.
#include "server.h"

struct session {
  struct session *before;
  long hits;
};
static long accepted;
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  s->hits++;
}
HANDLER(on_accept) {
  UNUSED;
  accepted++;
  struct session *chain = NULL;
  for (int i = 0; i < 4; i++) {
    struct session *s = calloc(1, sizeof *s);
    s->before = chain;
    if (s->before) s->before->hits = 1;
    when_readable(fd + i, on_client, s);
    chain = s;
  }
}
// CONFLICT always: on_accept on_accept: accepted
// CONFLICT always: on_accept on_client: session->hits
// CONFLICT session: on_client on_client: session->hits

int main(void) {
  base = event_base_new();
  when_readable(3, on_accept, NULL);
  when_readable(4, on_accept, NULL);
  return event_base_dispatch(base);
}
