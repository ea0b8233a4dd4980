// The order of strcoll() is that of the locale, also where qsort() calls it; that of strcmp() is always the same.
// CONFLICT always: on_sort on_locale: locale
// SAFE: on_sort on_sort
// SAFE: on_sort on_plain
// SAFE: on_plain on_plain
// SAFE: on_plain on_locale
// CONFLICT always: on_locale on_locale
#include <locale.h>

#include "server.h"

HANDLER(on_sort) {
  UNUSED;
  char rows[3][8] = {"b", "a", "C"};
  qsort(rows, 3, sizeof rows[0], (int (*)(const void *, const void *))strcoll);
}

HANDLER(on_plain) {
  UNUSED;
  char rows[3][8] = {"b", "a", "C"};
  qsort(rows, 3, sizeof rows[0], (int (*)(const void *, const void *))strcmp);
}

HANDLER(on_locale) {
  UNUSED;
  setlocale(LC_COLLATE, "C");
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_sort, NULL);
  when_readable(4, on_plain, NULL);
  when_readable(5, on_locale, NULL);
  return event_base_dispatch(base);
}
