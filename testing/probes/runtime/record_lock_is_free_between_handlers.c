// possible: (locked\n){4}=0
#include "p.h"
HANDLER(on_a) {
  UNUSED;
  int f = open("out/locked2", O_RDWR | O_CREAT, 0600);
  struct flock whole = {.l_type = F_WRLCK};
  puts(fcntl(f, F_OFD_SETLK, &whole) == 0 ? "locked" : "refused");
  take(60);
  close(f);
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}
