// Pointer through evbuffer printf.
// CONFLICT always: on_a on_b: g
#include "server.h"

static long g;
#include <event2/buffer.h>
static struct evbuffer* buffer;
HANDLER(on_a) {
  UNUSED;
  char text[40] = "";
  evbuffer_copyout(buffer, text, sizeof text - 1);
  void* v = NULL;
  sscanf(text, "%p", &v);
  long* p = v;
  (*p)++;
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  buffer = evbuffer_new();
  evbuffer_add_printf(buffer, "%p", (void*)&g);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
