// The file that was added to the output is read when the loop sends it, which is when the callback's turn comes.
// CONFLICT always: on_sent on_edit
// CONFLICT always: on_edit on_edit
// CONFLICT always: on_sent on_sent: sent
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include "server.h"
static int file;
static long sent;
static void on_sent(struct bufferevent* bev, void* arg) {
  (void)bev, (void)arg;
  sent++;
}
HANDLER(on_edit) {
  UNUSED;
  if (pwrite(file, "x", 1, 0) == 1 && pwrite(file, "y", 1, 9) == 1) return;
  abort();
}
int main(void) {
  base = event_base_new();
  file = open("/srv/x", O_RDWR);
  for (int i = 0; i < 3; i++) {
    struct bufferevent* bev = bufferevent_socket_new(base, socket(AF_INET, SOCK_STREAM, 0), 0);
    bufferevent_setcb(bev, NULL, on_sent, NULL, calloc(1, 8));
    evbuffer_add_file(bufferevent_get_output(bev), file, 0, 10);
    bufferevent_enable(bev, EV_WRITE);
  }
  when_readable(9, on_edit, NULL);
  return event_base_dispatch(base);
}
