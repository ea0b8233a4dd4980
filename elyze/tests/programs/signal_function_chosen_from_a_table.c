// The function for the signal stands in a table, and a helper of a helper raises it.
// CONFLICT always: on_reload on_reload: generation
// CONFLICT always: on_reload on_read: generation
// SAFE: on_read on_read
#include <signal.h>

#include "server.h"

static int generation;

static void reload(int number) {
  (void)number;
  generation++;
}

static const struct {
  int number;
  void (*function)(int);
} table[] = {{SIGHUP, reload}, {SIGUSR1, reload}};

static void tell(int number) { raise(number); }
static void tell_all(void) { tell(SIGHUP); }

HANDLER(on_reload) {
  UNUSED;
  tell_all();
}

HANDLER(on_read) {
  UNUSED;
  printf("%d\n", generation);
}

int main(void) {
  for (size_t i = 0; i < sizeof table / sizeof *table; i++) signal(table[i].number, table[i].function);
  base = event_base_new();
  when_readable(3, on_reload, NULL);
  when_readable(4, on_read, NULL);
  return event_base_dispatch(base);
}
