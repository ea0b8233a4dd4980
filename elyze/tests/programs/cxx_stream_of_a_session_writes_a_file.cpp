// A stream that a session has may be that of a file (C++17 30.9.1).
// CONFLICT always: _ZL8on_writeisPv _ZL8on_writeisPv: contents of some file
// CONFLICT always: _ZL8on_writeisPv _ZL7on_readisPv: contents of log
// CONFLICT always: _ZL7on_readisPv _ZL7on_readisPv: counted
#include <fstream>

#include "server.h"

struct Session {
  std::ofstream log{"log", std::ios::app};
};
static long counted;

HANDLER(on_write) {
  UNUSED;
  auto* session = static_cast<Session*>(arg);
  session->log << "one" << std::flush;
  session->log << "two" << std::flush;
}

HANDLER(on_read) {
  UNUSED;
  char text[6];
  const int file = open("log", O_RDONLY);
  counted += read(file, text, sizeof text);
  close(file);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_write, new Session);
  when_readable(4, on_write, new Session);
  when_readable(5, on_read, NULL);
  return event_base_dispatch(base);
}
