// By an option the log has one buffer or the other; a handler looks at what stands in them.
// CONFLICT always: on_print on_peek: first, second
// CONFLICT always: on_peek on_peek: sum
// SAFE: on_print on_print
#include "server.h"
static char first[4096], second[4096];
static FILE *log_file;
static long sum;
HANDLER(on_print) { UNUSED; fprintf(log_file, "line\n"); }
HANDLER(on_peek) { UNUSED; sum += first[0] + second[0]; }
int main(int argc, char **argv) {
  (void)argv; base = event_base_new();
  log_file = fopen("/tmp/atk-log", "w");
  if (argc > 1) setvbuf(log_file, first, _IOFBF, sizeof first);
  else setvbuf(log_file, second, _IOFBF, sizeof second);
  when_readable(3, on_print, NULL); when_readable(4, on_peek, NULL);
  return event_base_dispatch(base);
}
