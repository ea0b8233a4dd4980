// Labels whose addresses are kept, in a table and in the session: each may be where it goes on.
// CONFLICT session: on_tick on_tick: steps->next
// CONFLICT always: on_tick on_show: hits
// SAFE: on_show on_show
#include "server.h"

static atomic_int hits;

struct steps {
  void* next;
};

HANDLER(on_tick) {
  UNUSED;
  static void* const labels[] = {&&quiet, &&count};
  struct steps* steps = arg;
  goto*(steps->next != NULL ? steps->next : labels[0]);
quiet:
  steps->next = labels[1];
  return;
count:
  hits++;
  steps->next = &&quiet;
}

HANDLER(on_show) {
  UNUSED;
  printf("%d\n", *(volatile int*)&hits);
}

int main(void) {
  base = event_base_new();
  for (int fd = 3; fd < 5; fd++) when_readable(fd, on_tick, calloc(1, sizeof(struct steps)));
  when_readable(9, on_show, NULL);
  return event_base_dispatch(base);
}
