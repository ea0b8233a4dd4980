// A text is a constant, or it stands in the C library's entry for the user.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// SAFE: on_b on_b
#include <pwd.h>
#include "server.h"
static char* home = "/";
static int found;
HANDLER(on_a) {
  UNUSED;
  if (found) home[0]++;
}
HANDLER(on_b) {
  UNUSED;
  printf("%s\n", home);
}

int main(void) {
  base = event_base_new();
  struct passwd* user = getpwuid(0);
  if (user != NULL) {
    home = user->pw_dir;
    found = 1;
  }
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
