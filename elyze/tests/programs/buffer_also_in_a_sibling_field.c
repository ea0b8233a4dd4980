// The owned buffer moves into another session by memcpy of one pointer.
#include "server.h"

struct session {
  char *buffer;
  struct session *next;
};
static struct session *last;
HANDLER(on_client) {
  struct session *s = arg;
  UNUSED;
  s->buffer[0]++;
}
HANDLER(on_share) {
  struct session *s = arg;
  UNUSED;
  memcpy(&s->next->buffer, &s->buffer, sizeof(char *));
}
// CONFLICT always: on_client on_client: session->buffer
// CONFLICT always: on_client on_share: session->buffer
// CONFLICT always: on_share on_share: session->buffer

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) {
    struct session *a = calloc(1, sizeof *a);
    a->buffer = malloc(9);
    a->next = last;
    last = a;
    when_readable(i, on_client, a);
    when_readable(i + 20, on_share, a);
  }
  return event_base_dispatch(base);
}
