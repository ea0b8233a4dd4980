// possible: (made\n){4}=0
#include "p.h"
#define PLACE "out/directory"
HANDLER(on_a) {
  UNUSED;
  puts(mkdir(PLACE, 0700) == 0 ? "made" : "refused");
  take(60);
  rmdir(PLACE);
}
int main(void) {
  rmdir(PLACE);
  base = event_base_new();
  static int session[4];
  for (int i = 0; i < 4; i++) due(base, on_a, &session[i]);
  event_base_dispatch(base);
  return 0;
}
