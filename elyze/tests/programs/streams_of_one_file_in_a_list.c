// The same through a global list, by a function that opens each of them.
// CONFLICT always: on_first on_second: contents of log
#include "server.h"

struct output {
  FILE *stream;
  struct output *next;
};

static struct output *all;

static void add_output(void) {
  struct output *made = malloc(sizeof *made);
  made->stream = fopen("log", "w");
  if (made->stream == NULL) exit(1);
  setvbuf(made->stream, NULL, _IOLBF, BUFSIZ);
  made->next = all;
  all = made;
}

HANDLER(on_first) {
  UNUSED;
  fputs("one\ntwo\n", all->stream);
}

HANDLER(on_second) {
  UNUSED;
  fputs("three\nfour\n", all->next->stream);
}

int main(void) {
  base = event_base_new();
  add_output();
  add_output();
  when_readable(3, on_first, NULL);
  when_readable(4, on_second, NULL);
  return event_base_dispatch(base);
}
