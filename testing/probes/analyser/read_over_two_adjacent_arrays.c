// A read into the first array of a structure fills the second one, too, as its number of bytes says.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: packet.body
// SAFE: on_b on_b
#include "server.h"
static struct {
  char head[4];
  char body[60];
} packet;
static int in;
HANDLER(on_a) {
  UNUSED;
  size_t wanted = (size_t)fd + 20;
  if (recv(in, packet.head, wanted, 0) < 0) abort();
}
HANDLER(on_b) {
  UNUSED;
  printf("%c\n", packet.body[8]);
}

int main(void) {
  base = event_base_new();
  in = socket(AF_INET, SOCK_STREAM, 0);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
