/* Functions of libevent that look whether they are given anything. */
#include <event2/event_compat.h>

#include "small.h"

HANDLER(on_never) { UNUSED; }

int main(void) {
  struct timeval time = {0, 0};
  struct event_config* config = event_config_new();
  printf("%d %d %d\n", event_base_loopexit(NULL, NULL), event_base_loopexit(NULL, &time), event_loopexit(NULL));
  printf("%d %d %d\n", event_base_loopbreak(NULL), event_base_loopcontinue(NULL), event_loopbreak());
  printf("%d %d\n", event_once(-1, EV_TIMEOUT, on_never, NULL, NULL), event_config_avoid_method(config, NULL));
  base = event_base_new_with_config(config);
  event_config_free(config);
  printf("%d\n", event_base_dispatch(base));
  return 0;
}
