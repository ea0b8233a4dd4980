// getopt() complains in the language of LC_MESSAGES (gettext(3)): in German in no serial run.
// CONFLICT always: on_a on_a: locale
// CONFLICT always: on_a on_b: locale
// CONFLICT always: on_b on_b: hidden state of getopt
#include <locale.h>

#include "server.h"

HANDLER(on_a) {
  UNUSED;
  setlocale(LC_ALL, "de_DE.UTF-8");
  setlocale(LC_ALL, "C");
}

HANDLER(on_b) {
  UNUSED;
  char* words[] = {"x", "-z", NULL};
  optind = 1;
  getopt(2, words, "a");
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
