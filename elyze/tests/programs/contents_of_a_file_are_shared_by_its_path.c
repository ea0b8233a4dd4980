// Each handler opens the file anew. What is in it is one object.
// CONFLICT always: on_save on_save: contents of state
// CONFLICT always: on_save on_load: contents of state
// SAFE: on_load on_load
// SAFE: on_save on_hosts
// SAFE: on_load on_hosts
// SAFE: on_hosts on_hosts
#include "server.h"

static void show(const char *path) {
  char bytes[64];
  int file = open(path, O_RDONLY);
  if (file >= 0 && read(file, bytes, sizeof bytes) > 0) puts(bytes);
  close(file);
}

HANDLER(on_save) {
  UNUSED;
  int file = open("/srv/state", O_WRONLY | O_CREAT, 0644);
  if (write(file, "a", 1) != 1 || write(file, "b", 1) != 1) abort();
  close(file);
}

HANDLER(on_load) {
  UNUSED;
  show("/srv/state");
}

HANDLER(on_hosts) {
  UNUSED;
  char bytes[64];
  int file = open("/etc/hosts", O_RDONLY);
  if (file >= 0 && read(file, bytes, sizeof bytes) > 0) bytes[0] = 0;
  close(file);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_save, NULL);
  when_readable(4, on_load, NULL);
  when_readable(5, on_hosts, NULL);
  return event_base_dispatch(base);
}
