/* A filter's functions run when data arrives and when somebody writes. */
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"

static long filtered;

static enum bufferevent_filter_result on_input(struct evbuffer *source, struct evbuffer *target, ev_ssize_t limit,
                                               enum bufferevent_flush_mode mode, void *arg) {
  (void)limit, (void)mode, (void)arg;
  filtered++;
  evbuffer_add_buffer(target, source);
  return BEV_OK;
}

HANDLER(on_report) {
  UNUSED;
  printf("%ld\n", filtered);
}

int main(void) {
  base = event_base_new();
  struct bufferevent *below = bufferevent_socket_new(base, 3, 0);
  struct bufferevent *above = bufferevent_filter_new(below, on_input, NULL, 0, NULL, NULL);
  bufferevent_enable(above, EV_READ);
  when_readable(4, on_report, NULL);
  return event_base_dispatch(base);
}
// CONFLICT always: on_input on_input: filtered
// CONFLICT always: on_input on_report: filtered
// SAFE: on_report on_report
