// One structure is filled through a pointer to another: the function is called by a type that it was not stored with.
// CONFLICT always: on_tick on_tick: hits
#include "server.h"

static int hits;

struct plain {
  void (*go)(void);
};

struct full {
  void (*go)(long* by);
};

static void skip(long* by) { *by = 2; }

static void hit(void) { hits++; }

static void install(void* where) { ((struct plain*)where)->go = hit; }

HANDLER(on_tick) {
  UNUSED;
  struct full* task = arg;
  long by = 1;
  task->go(&by);
}

int main(int argc, char** argv) {
  (void)argv;
  base = event_base_new();
  for (int fd = 3; fd < 5; fd++) {
    struct full* task = malloc(sizeof *task);
    task->go = skip;
    if (argc > 0) install(task);
    when_readable(fd, on_tick, task);
  }
  return event_base_dispatch(base);
}
