// Two streams of one file that are opened at one place: each has a lock of its own, so two lines come apart.
// CONFLICT always: on_first on_second: contents of log
#include "server.h"

static FILE *streams[2];

HANDLER(on_first) {
  UNUSED;
  fputs("one\ntwo\n", streams[0]);
}

HANDLER(on_second) {
  UNUSED;
  fputs("three\nfour\n", streams[1]);
}

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 2; i++) {
    streams[i] = fopen("log", "w");
    if (streams[i] == NULL) return 1;
    setvbuf(streams[i], NULL, _IOLBF, BUFSIZ);
  }
  when_readable(3, on_first, NULL);
  when_readable(4, on_second, NULL);
  return event_base_dispatch(base);
}
