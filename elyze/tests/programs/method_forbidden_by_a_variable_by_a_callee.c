// A function puts the name together of a variable that forbids libevent epoll; what is waited for may be a file.
// CONFLICT always: on_ready on_look: contents of notes
// CONFLICT always: on_ready on_ready
// CONFLICT always: on_look on_look: letters
#include "server.h"

static long letters;

HANDLER(on_ready) {
  (void)what, (void)arg;
  if (write(fd, "x", 1) < 0) event_base_loopexit(base, NULL);
}

HANDLER(on_look) {
  UNUSED;
  char letter;
  int file = open("notes", O_RDONLY);
  if (file >= 0 && read(file, &letter, 1) == 1) letters++;
  close(file);
}

static void forbid(const char *how, const char *method) {
  char name[32];
  snprintf(name, sizeof name, how, method);
  setenv(name, "yes", 1);
}

int main(int argc, char **argv) {
  forbid("EVENT_NO%s", "EPOLL");
  base = event_base_new();
  
  when_readable(argc > 1 ? atoi(argv[1]) : 3, on_ready, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
