// possible: 2 at once\n=0
// A sends two datagrams to a socket of the program's; who reads all that is there finds both.
#include "p.h"
static int in, out;
HANDLER(on_a) {
  UNUSED;
  if (send(out, "1", 1, 0) != 1) return;
  take(80);
  if (send(out, "2", 1, 0) != 1) return;
}
HANDLER(on_read) {
  UNUSED;
  char c;
  int n = 0;
  while (recv(in, &c, 1, MSG_DONTWAIT) == 1) n++;
  printf("%d at once\n", n);
}
int main(void) {
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t n = sizeof at;
  in = socket(AF_INET, SOCK_DGRAM, 0), out = socket(AF_INET, SOCK_DGRAM, 0);
  bind(in, (struct sockaddr*)&at, n), getsockname(in, (struct sockaddr*)&at, &n);
  if (connect(out, (struct sockaddr*)&at, n) != 0) return 1;
  base = event_base_new();
  event_add(event_new(base, in, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  due(base, spare, NULL);
  due(base, on_a, NULL);
  struct timeval t = {0, 400000};
  event_base_loopexit(base, &t);
  event_base_dispatch(base);
  return 0;
}
