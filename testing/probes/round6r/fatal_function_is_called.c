// possible: fatal -?[0-9]+\n=7
#include "p.h"
#include <event.h>
static void on_fatal(int e) { printf("fatal %d\n", e); exit(7); }
static void no_log(int s, const char* t) { (void)s, (void)t; }
HANDLER(on_a) { UNUSED; struct event* ev = malloc(sizeof *ev); event_set(ev, 1, EV_SIGNAL | EV_READ, spare, NULL); }
int main(void) {
  event_set_fatal_callback(on_fatal);
  event_set_log_callback(no_log);
  base = event_init();
  due(base, spare, NULL);
  due(base, on_a, NULL);
  event_base_dispatch(base);
  return 0;
}
