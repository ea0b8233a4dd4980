// A word of the command line is sent without a copy, and changed by a handler.
// CONFLICT always: on_sent on_edit
// CONFLICT always: on_edit on_edit
// CONFLICT always: on_sent on_sent: sent
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include "server.h"
static char **words;
static long sent;
static void on_sent(struct bufferevent *bev, void *arg) {
  (void)bev, (void)arg;
  sent++;
}
HANDLER(on_edit) {
  UNUSED;
  words[1][0]++;
}
int main(int argc, char **argv) {
  if (argc < 2) return 2;
  words = argv;
  base = event_base_new();
  struct bufferevent *bev = bufferevent_socket_new(base, 5, 0);
  bufferevent_setcb(bev, NULL, on_sent, NULL, NULL);
  evbuffer_add_reference(bufferevent_get_output(bev), argv[1], strlen(argv[1]), NULL, NULL);
  bufferevent_enable(bev, EV_WRITE);
  when_readable(9, on_edit, NULL);
  return event_base_dispatch(base);
}
