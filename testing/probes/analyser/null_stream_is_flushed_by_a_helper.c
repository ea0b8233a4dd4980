// fflush() of a null pointer writes out all streams (C17 7.21.5.2), also where a helper is given the null.
// IMPRECISE: on_flush on_flush: never
// CONFLICT always: on_flush on_measure: flush of all streams
// CONFLICT always: on_measure on_measure: torn
#include <sys/stat.h>

#include "server.h"

static FILE* out;
static int file, torn;
static void flush(FILE* stream) { fflush(stream); }

HANDLER(on_flush) {
  UNUSED;
  flush(NULL);
}

HANDLER(on_measure) {
  UNUSED;
  struct stat one, two;
  fstat(file, &one);
  fstat(file, &two);
  torn += one.st_size != two.st_size;
}

int main(void) {
  base = event_base_new();
  out = fopen("/tmp/elyze-log", "w");
  file = open("/tmp/elyze-log", O_RDONLY);
  fputs("waiting", out);
  when_readable(3, on_flush, NULL);
  when_readable(4, on_measure, NULL);
  return event_base_dispatch(base);
}
