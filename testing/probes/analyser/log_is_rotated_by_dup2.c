// The log's stream goes on with another file: both lines must be in one of them.
// CONFLICT always: on_log on_log
// CONFLICT always: on_log on_rotate
// CONFLICT always: on_rotate on_rotate
#include "server.h"
static FILE* out;
HANDLER(on_log) {
  UNUSED;
  fprintf(out, "begin\n");
  fflush(out);
  fprintf(out, "end\n");
  fflush(out);
}
HANDLER(on_rotate) {
  UNUSED;
  int next = socket(AF_UNIX, SOCK_STREAM, 0);
  dup2(next, fileno(out));
  close(next);
}
int main(void) {
  base = event_base_new();
  out = fdopen(socket(AF_UNIX, SOCK_STREAM, 0), "w");
  when_readable(3, on_log, NULL);
  when_readable(4, on_rotate, NULL);
  return event_base_dispatch(base);
}
