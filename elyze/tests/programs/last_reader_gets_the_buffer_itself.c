// A message goes to one bufferevent by reference, and to another as it is. The loop sends both, and counts in its data.
// CONFLICT always: on_first on_last
// CONFLICT always: on_first on_message
// CONFLICT always: on_last on_message
// CONFLICT always: on_message on_message
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"
static struct bufferevent *first, *last;
static void on_first(struct bufferevent *bev, void *arg) { (void)bev, (void)arg; }
static void on_last(struct bufferevent *bev, void *arg) { (void)bev, (void)arg; }
static void send_both(struct evbuffer *message) {
  evbuffer_add_buffer_reference(bufferevent_get_output(first), message);
  bufferevent_write_buffer(last, message);
}
HANDLER(on_message) {
  UNUSED;
  struct evbuffer *message = evbuffer_new();
  evbuffer_add(message, "text", 4);
  send_both(message);
  evbuffer_free(message);
}
int main(void) {
  base = event_base_new();
  first = bufferevent_socket_new(base, 4, 0);
  last = bufferevent_socket_new(base, 5, 0);
  bufferevent_setcb(first, NULL, on_first, NULL, NULL);
  bufferevent_setcb(last, NULL, on_last, NULL, NULL);
  bufferevent_enable(first, EV_WRITE);
  bufferevent_enable(last, EV_WRITE);
  when_readable(3, on_message, NULL);
  return event_base_dispatch(base);
}
