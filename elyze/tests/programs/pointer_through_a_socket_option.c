// An option of a socket is kept by the kernel as it was given.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <sys/socket.h>
#include "server.h"

struct item {
  long hits;
};
static struct item item;
static struct item *found;
HANDLER(on_a) {
  UNUSED;
  found->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  struct item *kept = &item;
  socklen_t length = sizeof found;
  int file = socket(AF_INET, SOCK_STREAM, 0);
  setsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &kept, sizeof kept);
  getsockopt(file, SOL_SOCKET, SO_RCVTIMEO, &found, &length);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
