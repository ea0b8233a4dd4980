// A lease that a function takes, and that ends with the stream of its descriptor (fcntl(2), F_SETLEASE).
// CONFLICT always: on_a on_a: held
// CONFLICT always: on_a on_b: directory entry of state.db
// CONFLICT always: on_b on_b: first
#define _GNU_SOURCE
#include "server.h"

static FILE* held;
static int first, second;

static void change(int file, int command, int value) { fcntl(file, command, value); }

HANDLER(on_a) {
  UNUSED;
  if (held != NULL) fclose(held);
  held = NULL;
}

HANDLER(on_b) {
  UNUSED;
  first = open("state.db", O_WRONLY | O_NONBLOCK);
  second = open("state.db", O_WRONLY | O_NONBLOCK);
}

int main(void) {
  base = event_base_new();
  close(open("state.db", O_WRONLY | O_CREAT, 0600));
  held = fopen("state.db", "r");
  if (held == NULL) return 1;
  change(fileno(held), F_SETLEASE, F_RDLCK);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
