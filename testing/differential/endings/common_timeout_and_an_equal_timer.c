/* Of two timers that end together, one with a common timeout, libevent calls first what came first; it puts off a list
 * of common timeouts no more when the first of them has gone. What the plain one activates shows in which order they
 * were found. */
#include "small.h"

static struct event* first;
static int calls; /* all of them count, so that the loop is libevent's */

HANDLER(on_active) {
  UNUSED;
  ++calls;
  say("active\n");
}
HANDLER(on_plain) {
  UNUSED;
  ++calls;
  say("plain\n");
  due(base, on_active, NULL);
}
HANDLER(on_common) {
  UNUSED;
  ++calls;
  say("common\n");
}
HANDLER(on_second) {
  UNUSED;
  ++calls;
  const struct timeval common = {0, 40000}, plain = {0, 30000};
  event_add(event_new(base, -1, 0, on_common, NULL), event_base_init_common_timeout(base, &common));
  event_add(event_new(base, -1, 0, on_plain, NULL), &plain);
  event_del(first);
  take(100);
}
HANDLER(on_first) {
  UNUSED;
  ++calls;
  const struct timeval time = {0, 20000}, common = {0, 40000};
  event_add(event_new(base, -1, 0, on_common, NULL), event_base_init_common_timeout(base, &time));
  event_add(event_new(base, -1, 0, on_plain, NULL), &time);
  first = event_new(base, -1, 0, on_common, NULL);
  event_add(first, event_base_init_common_timeout(base, &common));
  const struct timeval later = {0, 25000};
  event_add(event_new(base, -1, 0, on_second, NULL), &later);
}

int main(void) {
  base = event_base_new();
  due(base, on_first, NULL);
  event_base_dispatch(base);
  return 0;
}
