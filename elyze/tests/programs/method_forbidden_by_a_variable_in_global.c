// The program forbids libevent epoll in the environment, so what the loop waits for may be a file that it also opens.
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

int main(int argc, char **argv) {
  setenv("EVENT_NOEPOLL", "1", 1);
  base = event_base_new();
  unsetenv("EVENT_NOEPOLL");
  when_readable(argc > 1 ? atoi(argv[1]) : 3, on_ready, NULL);
  when_readable(4, on_look, NULL);
  return event_base_dispatch(base);
}
