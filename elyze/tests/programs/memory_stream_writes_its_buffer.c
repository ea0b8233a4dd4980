// A memory stream tells where its text is, each time it is flushed.
// CONFLICT always: on_log on_log: text
// CONFLICT always: on_log on_show: text
// SAFE: on_show on_show
#include "server.h"

static FILE* stream;
static char* text;
static size_t size;

HANDLER(on_log) {
  UNUSED;
  fprintf(stream, "%d\n", fd);
  fflush(stream);
}

HANDLER(on_show) {
  UNUSED;
  printf("%zu %s\n", size, text);
}

int main(void) {
  stream = open_memstream(&text, &size);
  base = event_base_new();
  when_readable(3, on_log, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
