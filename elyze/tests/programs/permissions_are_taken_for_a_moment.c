// Who may open a file, or go through a directory, is decided when somebody does.
// CONFLICT always: on_chmod on_open: directory entry of state
// CONFLICT always: on_fchmod on_open: directory entry of state
// CONFLICT always: on_directory on_open: directory entry of spool
// SAFE: on_other on_open
#include "server.h"
#include <sys/stat.h>
static int state, opened;
HANDLER(on_chmod) {
  UNUSED;
  chmod("spool/state", 0);
  chmod("spool/state", 0600);
}
HANDLER(on_fchmod) {
  UNUSED;
  fchmod(state, 0);
  fchmod(state, 0600);
}
HANDLER(on_directory) {
  UNUSED;
  chmod("spool", 0);
  chmod("spool", 0700);
}
HANDLER(on_other) {
  UNUSED;
  chmod("log", 0);
  chmod("log", 0600);
}
HANDLER(on_open) {
  UNUSED;
  opened = open("spool/state", O_RDONLY);
}
int main(void) {
  base = event_base_new();
  state = open("spool/state", O_RDWR);
  when_readable(3, on_chmod, NULL);
  when_readable(4, on_fchmod, NULL);
  when_readable(5, on_directory, NULL);
  when_readable(6, on_other, NULL);
  when_readable(7, on_open, NULL);
  return event_base_dispatch(base);
}
