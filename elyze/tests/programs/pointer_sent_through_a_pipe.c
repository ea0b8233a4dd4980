// One handler writes a pointer into a pipe, the other reads it there: the pointee is another session.
#include "server.h"

struct session {
  long hits;
};
static int wake[2];
static long sent, received;
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  s->hits++;
  sent++;
  if (write(wake[1], &s, sizeof s) != sizeof s) return;
}
HANDLER(on_wake) {
  struct session *s;
  UNUSED;
  received++;
  if (read(wake[0], &s, sizeof s) == sizeof s) s->hits++;
}
// CONFLICT always: on_client on_client: sent
// CONFLICT always: on_wake on_wake: received
// CONFLICT always: on_client on_wake: session->hits

int main(void) {
  base = event_base_new();
  if (pipe(wake)) return 1;
  for (int i = 3; i < 9; i++) when_readable(i, on_client, calloc(1, sizeof(struct session)));
  when_readable(wake[0], on_wake, NULL);
  return event_base_dispatch(base);
}
