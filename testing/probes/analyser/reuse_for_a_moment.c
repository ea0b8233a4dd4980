// CONFLICT always: on_a on_b: x
/* SO_REUSEADDR of a bound socket decides whether another may bind */
#include "server.h"
#include <netinet/in.h>
static int s1, s2, n;
HANDLER(on_a) {
  UNUSED;
  int y = 1, z = 0;
  setsockopt(s1, SOL_SOCKET, SO_REUSEADDR, &y, sizeof y);
  setsockopt(s1, SOL_SOCKET, SO_REUSEADDR, &z, sizeof z);
}
HANDLER(on_b) {
  UNUSED;
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(5000)};
  n = bind(s2, (struct sockaddr*)&a, sizeof a);
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  s1 = socket(AF_INET, SOCK_DGRAM, 0);
  s2 = socket(AF_INET, SOCK_DGRAM, 0);
  int y = 1;
  setsockopt(s2, SOL_SOCKET, SO_REUSEADDR, &y, sizeof y);
  struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons(5000)};
  bind(s1, (struct sockaddr*)&a, sizeof a);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
