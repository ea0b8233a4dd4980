// Two events change places.
// CONFLICT session: on_a on_a
// CONFLICT session: on_c on_c
// IMPRECISE: on_a on_c: never
// CONFLICT always: on_a on_stop: first
// CONFLICT always: on_c on_stop: first
// CONFLICT always: on_stop on_stop: first
#include "server.h"
struct item {
  long hits;
};
struct other {
  long hits;
  long more;
};
static struct event first, second;
HANDLER(on_a) {
  struct item *item = arg;
  (void)fd, (void)what;
  item->hits++;
}
HANDLER(on_c) {
  struct other *other = arg;
  (void)fd, (void)what;
  other->hits++;
}
HANDLER(on_stop) {
  UNUSED;
  event_del(&first);
}
int main(int argc, char **argv) {
  (void)argv;
  base = event_base_new();
  event_assign(&first, base, 3, EV_READ | EV_PERSIST, on_a, calloc(1, sizeof(struct item)));
  event_assign(&second, base, 4, EV_READ | EV_PERSIST, on_c, calloc(1, sizeof(struct other)));
  if (argc > 1) {
    struct event kept = first;
    first = second;
    second = kept;
  }
  event_add(&first, NULL);
  event_add(&second, NULL);
  when_readable(9, on_stop, NULL);
  return event_base_dispatch(base);
}
