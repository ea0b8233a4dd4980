// A locale that a function is given is read (newlocale(3)); freelocale() takes it away.
// CONFLICT always: on_name on_end: locale
// CONFLICT always: on_error on_end: locale
// SAFE: on_name on_name
#define _GNU_SOURCE
#include <langinfo.h>
#include <locale.h>

#include "server.h"

static locale_t names;

HANDLER(on_name) {
  UNUSED;
  if (*nl_langinfo_l(CODESET, names) == 0) abort();
}
HANDLER(on_error) {
  UNUSED;
  if (*strerror_l(2, names) == 0) abort();
}
HANDLER(on_end) {
  UNUSED;
  freelocale(names);
}

int main(void) {
  base = event_base_new();
  names = newlocale(LC_ALL_MASK, "C.UTF-8", (locale_t)0);
  when_readable(3, on_name, NULL);
  when_readable(4, on_error, NULL);
  event_base_once(base, -1, EV_TIMEOUT, on_end, NULL, NULL);
  return event_base_dispatch(base);
}
