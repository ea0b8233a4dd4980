// wait4() fills a structure for its fourth argument.
// CONFLICT always: on_child on_child: used
// CONFLICT always: on_child on_show: used
// SAFE: on_show on_show
#define _DEFAULT_SOURCE
#include <sys/resource.h>
#include <sys/wait.h>

#include "server.h"

static struct rusage used;

HANDLER(on_child) {
  UNUSED;
  wait4(-1, NULL, WNOHANG, &used);
}

HANDLER(on_show) {
  UNUSED;
  printf("%ld\n", used.ru_maxrss);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_child, NULL);
  when_readable(4, on_show, NULL);
  return event_base_dispatch(base);
}
