// possible: (10.0.0.9\n){4}=0
// What main keeps points to that buffer, too.
#include "p.h"
static char* kept;
HANDLER(on_a) {
  UNUSED;
  take(40);
  struct in_addr a = {htonl(0x0a000009u)};
  inet_ntoa(a);
  puts(kept);
}
HANDLER(on_slow) {
  UNUSED;
  take(60);
}
int main(void) {
  base = event_base_new();
  struct in_addr a = {htonl(0x01020304u)};
  kept = inet_ntoa(a);
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_slow, &session[i]), due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
