// A log in one variable is one stream at a time, though a handler opens it anew: its lock keeps records whole.
// SAFE: on_request on_request
// CONFLICT always: on_request on_rotate
#include "server.h"

static FILE *log_file;

static void open_log(void) {
  log_file = fopen("log", "w");
  if (log_file == NULL) exit(1);
}

HANDLER(on_request) {
  UNUSED;
  fprintf(log_file, "request\n");
}

HANDLER(on_rotate) {
  UNUSED;
  fclose(log_file);
  open_log();
}

int main(void) {
  base = event_base_new();
  open_log();
  when_readable(3, on_request, NULL);
  when_readable(4, on_rotate, NULL);
  return event_base_dispatch(base);
}
