// ENGINE_set_default_RSA() says what ENGINE_get_default_RSA() returns.
// CONFLICT always: on_set on_set
// CONFLICT always: on_set on_ask
// SAFE: on_ask on_ask
#include "server.h"

extern void *ENGINE_by_id(const char *);
extern int ENGINE_set_default_RSA(void *);
extern void *ENGINE_get_default_RSA(void);

static void *engine;

HANDLER(on_set) {
  UNUSED;
  ENGINE_set_default_RSA(engine);
}

HANDLER(on_ask) {
  UNUSED;
  if (ENGINE_get_default_RSA() != ENGINE_get_default_RSA()) abort();
}

int main(void) {
  base = event_base_new();
  engine = ENGINE_by_id("dynamic");
  when_readable(3, on_set, NULL);
  when_readable(4, on_ask, NULL);
  return event_base_dispatch(base);
}
