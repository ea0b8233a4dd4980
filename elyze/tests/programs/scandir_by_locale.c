// CONFLICT always: on_a on_a: character tables
// CONFLICT always: on_a on_b: locale
// CONFLICT always: on_b on_b: c
/* alphasort() compares by the locale */
#include "server.h"
#include <locale.h>
#include <dirent.h>
static int n, c;
HANDLER(on_a) {
  UNUSED;
  setlocale(LC_ALL, "C");
  setlocale(LC_ALL, "de_DE");
}
HANDLER(on_b) {
  UNUSED;
  struct dirent** l;
  n = scandir("/tmp", &l, 0, alphasort);
  if (n > 0) c = l[0]->d_name[0];
}
int main(int argc, char** argv) {
  (void)argc;
  (void)argv;
  base = event_base_new();

  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
