// CONFLICT always: on_a on_a: environment
// CONFLICT always: on_a on_b: environment
// SAFE: on_b on_b
/* gettext: LANGUAGE */
#include "server.h"
#include <locale.h>
#include <errno.h>
#include <netdb.h>
#include <err.h>

HANDLER(on_a) {
  UNUSED;
  setenv("LANGUAGE", "de", 1);
  setenv("LANGUAGE", "en", 1);
}
HANDLER(on_b) {
  UNUSED;
  errno = ENOENT;
  warn("x");
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();
  setlocale(LC_ALL, "");
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
