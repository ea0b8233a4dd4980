// The old way to write a flexible array, of structures: item[1] at the end, with more behind it.
// CONFLICT always: on_some on_third: list->item
#include "server.h"

struct item {
  long count, bytes;
};

struct list {
  long length;
  struct item item[1];
};

static struct list *list;

HANDLER(on_some) {
  UNUSED;
  list->item[fd & 3].bytes++;
}

HANDLER(on_third) {
  UNUSED;
  list->item[2].bytes++;
}

int main(void) {
  list = calloc(1, sizeof *list + 9 * sizeof(struct item));
  list->length = 10;
  base = event_base_new();
  when_readable(3, on_some, NULL);
  when_readable(4, on_third, NULL);
  return event_base_dispatch(base);
}
