// What evbuffer_pullup() shows of a text that is referred to begins behind what was drained.
// CONFLICT always: on_edit on_edit
// CONFLICT always: on_edit on_look: page
// SAFE: on_look on_look
#include "server.h"
#include <event2/buffer.h>

static struct {
  char text[16];
  int length;
} page = {"hello, world", 12};
static unsigned char *shown;

HANDLER(on_edit) {
  UNUSED;
  if (shown != NULL) *shown = *shown == 'w' ? 'W' : 'w';
}

HANDLER(on_look) {
  UNUSED;
  if (page.text[7] == 'x') abort();
}

int main(void) {
  base = event_base_new();
  struct evbuffer *buffer = evbuffer_new();
  evbuffer_add_reference(buffer, page.text, 12, NULL, NULL);
  evbuffer_drain(buffer, 7);
  shown = evbuffer_pullup(buffer, 5);
  when_readable(3, on_edit, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
