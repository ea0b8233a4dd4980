// possible: (locked\n){4}=0
// Each handler opens the file, locks it without waiting, unlocks and closes it: no two are in the middle.
#include "p.h"
#include <sys/file.h>
HANDLER(on_a) {
  UNUSED;
  int f = open("out/locked", O_RDWR | O_CREAT, 0600);
  puts(flock(f, LOCK_EX | LOCK_NB) == 0 ? "locked" : "refused");
  take(60);
  flock(f, LOCK_UN);
  close(f);
}
int main(void) {
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}
