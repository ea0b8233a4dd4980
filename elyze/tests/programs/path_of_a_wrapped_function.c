// ld --wrap: the path that is given to __real_show() is opened by show().
// CONFLICT always: on_write on_write: contents of elyze-one
// CONFLICT always: on_write on_show: contents of elyze-one
// SAFE: on_show on_show
#include "server.h"

static int out;
void __real_show(const char* path);
void show(const char* path);

void show(const char* path) {
  char t[8];
  int in = open(path, O_RDONLY);
  read(in, t, 8);
  close(in);
}

HANDLER(on_write) {
  UNUSED;
  write(out, "a", 1);
  write(out, "b", 1);
}

HANDLER(on_show) {
  UNUSED;
  __real_show("/tmp/elyze-one");
}

int main(void) {
  base = event_base_new();
  show("/tmp/elyze-two");
  out = open("/tmp/elyze-one", O_WRONLY | O_CREAT | O_APPEND, 0600);
  when_readable(3, on_write, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
