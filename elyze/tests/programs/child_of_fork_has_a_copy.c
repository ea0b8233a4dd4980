// The child of fork() clears the counter in its own copy of memory, closes what it inherited, and never gets back into the
// loop: none of that is the parent's. What it reads must not be half changed when the copy is made, and the position in an
// open file is one for both.
// CONFLICT always: on_spawn on_spawn: children
// CONFLICT always: on_spawn on_set: options
// CONFLICT always: on_spawn on_log: log_file
// SAFE: on_spawn on_count
// CONFLICT always: on_set on_set: options
// SAFE: on_set on_log
// SAFE: on_set on_count
// CONFLICT always: on_log on_log: log_file
// SAFE: on_log on_count
// CONFLICT always: on_count on_count: counter
#include "server.h"

static int counter, options, log_file;

HANDLER(on_spawn) {
  UNUSED;
  if (fork() == 0) {
    counter = 0;
    if (write(log_file, "child\n", 6) < 0) counter = 1;
    close(fd);
    chdir(options ? "/" : "/tmp");
    execl("/bin/true", "true", (char *)NULL);
    _exit(1);
  }
}

HANDLER(on_set) {
  UNUSED;
  options++;
}

HANDLER(on_log) {
  UNUSED;
  if (write(log_file, "tick\n", 5) < 0) return;
}

HANDLER(on_count) {
  UNUSED;
  counter++;
}

int main(void) {
  base = event_base_new();
  log_file = open("log", O_WRONLY | O_CREAT, 0600);
  when_readable(3, on_spawn, NULL);
  when_readable(4, on_set, NULL);
  when_readable(5, on_log, NULL);
  when_readable(6, on_count, NULL);
  return event_base_dispatch(base);
}
