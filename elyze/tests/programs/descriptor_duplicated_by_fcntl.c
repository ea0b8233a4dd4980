// F_DUPFD gives a second descriptor of the same open file.
// CONFLICT always: on_log on_log: file of log_file
// CONFLICT always: on_log on_copy: file of log_file
// CONFLICT always: on_copy on_copy: file of log_file
#include "server.h"

static int log_file, copy;

HANDLER(on_log) {
  UNUSED;
  if (write(log_file, "a", 1) < 0) return;
}

HANDLER(on_copy) {
  UNUSED;
  if (write(copy, "b", 1) < 0) return;
}

int main(void) {
  log_file = open("/dev/null", O_WRONLY);
  copy = fcntl(log_file, F_DUPFD_CLOEXEC, 10);
  base = event_base_new();
  when_readable(3, on_log, NULL);
  when_readable(4, on_copy, NULL);
  return event_base_dispatch(base);
}
