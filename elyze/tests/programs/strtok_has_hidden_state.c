#define _GNU_SOURCE
#include "server.h"

struct session {
  char text[64];
};
HANDLER(on_a) {
  struct session *s = arg;
  UNUSED;
  if (strtok(s->text, ",")) s->text[0] = 0;
}
// CONFLICT always: on_a on_a: hidden state of strtok

int main(void) {
  base = event_base_new();
  for (int i = 3; i < 9; i++) when_readable(i, on_a, calloc(1, sizeof(struct session)));
  return event_base_dispatch(base);
}
