#define _GNU_SOURCE
#include "server.h"

struct counter {
  int n;
};
static struct counter requests;
static struct module {
  const char *name;
  struct counter *counter;
} modules[] = {{"http", &requests}};
HANDLER(on_a) {
  UNUSED;
  modules[0].counter->n++;
}
HANDLER(on_b) {
  UNUSED;
  if (requests.n) exit(1);
}
// CONFLICT always: on_a on_b: requests.n

int main(void) {
  base = event_base_new();
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
