// A filter that is put on a filter lets the bufferevent at the bottom read again.
// CONFLICT always: on_a on_a: low middle
// CONFLICT always: on_a on_b: low
// CONFLICT always: on_b on_b: low

#include <event2/bufferevent.h>

#include "server.h"
static struct bufferevent *low, *middle;
HANDLER(on_a) {
  UNUSED;
  bufferevent_filter_new(middle, NULL, NULL, 0, NULL, NULL);
}
HANDLER(on_b) {
  UNUSED;
  bufferevent_disable(low, EV_READ);
}
int main(int argc, char** argv) {
  base = event_base_new();
  low = bufferevent_socket_new(base, -1, 0);
  middle = bufferevent_filter_new(low, NULL, NULL, 0, NULL, NULL);
  when_readable(3, on_a, NULL);
  when_readable(4, on_b, NULL);
  return event_base_dispatch(base);
}
