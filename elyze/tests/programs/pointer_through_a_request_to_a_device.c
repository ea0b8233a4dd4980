// What one request tells a device another one may ask for.
// CONFLICT always: on_a on_a: item
// CONFLICT always: on_a on_b: item
// CONFLICT always: on_b on_b: item
#include <sys/ioctl.h>
#include "server.h"

struct item {
  long hits;
};
static struct item item;
static struct item *found;
HANDLER(on_a) {
  UNUSED;
  found->hits++;
}
HANDLER(on_b) {
  UNUSED;
  item.hits++;
}

int main(void) {
  base = event_base_new();
  struct item *kept = &item;
  ioctl(9, 77, &kept);
  ioctl(9, 78, &found);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
