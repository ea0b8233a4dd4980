// Printf calls a registered function.
// CONFLICT always: on_a on_b: g
#define _GNU_SOURCE
#include "server.h"
#include <printf.h>
static long g;
static int show(FILE *out, const struct printf_info *info, const void *const *args) {
  (void)out, (void)info, (void)args;
  g++;
  return 0;
}
static int sizes(const struct printf_info *info, size_t n, int *types, int *size) {
  (void)info;
  if (n > 0) types[0] = PA_INT, size[0] = sizeof(int);
  return 1;
}
static const char *volatile format = "%Y";
HANDLER(on_a) {
  UNUSED;
  char text[20];
  snprintf(text, sizeof text, format, 1);
}
HANDLER(on_b) {
  UNUSED;
  g++;
}
int main(void) {
  base = event_base_new();
  register_printf_specifier('Y', show, sizes);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
