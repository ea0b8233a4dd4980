// event_base_loopcontinue() changes which handler is next. event_base_loopexit() does not: all that is due is called.
// CONFLICT always: on_urgent on_urgent: event loop
// CONFLICT always: on_urgent on_other: event loop
// CONFLICT always: on_urgent on_last: event loop
// SAFE: on_other on_other
// SAFE: on_other on_last
// SAFE: on_last on_last
#include "server.h"

HANDLER(on_urgent) {
  UNUSED;
  event_base_loopcontinue(base);
}

HANDLER(on_other) {
  UNUSED;
  puts("other");
}

HANDLER(on_last) {
  UNUSED;
  event_base_loopexit(base, NULL);
}

int main(void) {
  base = event_base_new();
  when_readable(3, on_urgent, NULL);
  when_readable(4, on_other, NULL);
  when_readable(5, on_last, NULL);
  return event_base_dispatch(base);
}
