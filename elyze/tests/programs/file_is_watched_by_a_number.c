// What is read from inotify says that the other handler has opened the file.
// CONFLICT always: on_open on_open
// CONFLICT always: on_open on_note
// CONFLICT always: on_note on_note
#include "server.h"

#include <sys/syscall.h>

static int notes;
static long opened;
HANDLER(on_open) {
  UNUSED;
  opened++;
  close(open("watched", O_RDONLY));
}
HANDLER(on_note) {
  UNUSED;
  char text[400];
  printf("%d\n", (int)read(notes, text, sizeof text));
}

int main(void) {
  base = event_base_new();
  notes = (int)syscall(SYS_inotify_init1, O_NONBLOCK);
  syscall(SYS_inotify_add_watch, notes, "watched", 0x20);
  when_readable(3, on_open, NULL);
  when_readable(4, on_note, NULL);
  return event_base_dispatch(base);
}
