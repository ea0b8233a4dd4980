// The texts of an entry stand in a static buffer that the next call fills again.
// CONFLICT always: on_a on_b
// CONFLICT always: on_a on_a
// SAFE: on_b on_b
#include <pwd.h>
#include "server.h"
static const char* home;
HANDLER(on_a) {
  UNUSED;
  if (getpwnam("nobody") == NULL) abort();
}
HANDLER(on_b) {
  UNUSED;
  printf("%s\n", home);
}

int main(void) {
  base = event_base_new();
  home = getpwnam("root")->pw_dir;
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
