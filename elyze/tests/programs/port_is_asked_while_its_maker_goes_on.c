// A port of name servers waits for questions from the call on that makes it.
// CONFLICT always: on_open on_question: port->questions
#include <event2/dns.h>
#include "server.h"

struct port {
  int questions;
};

static void on_question(struct evdns_server_request* request, void* arg) {
  struct port* port = arg;
  port->questions++;
  evdns_server_request_drop(request);
}
HANDLER(on_open) {
  (void)what, (void)arg;
  struct port* port = calloc(1, sizeof *port);
  evdns_add_server_port_with_base(base, fd, 0, on_question, port);
  port->questions++;
}
int main(void) {
  base = event_base_new();
  for (int i = 3; i < 5; i++)
    event_base_once(base, i, EV_READ, on_open, NULL, NULL);
  return event_base_dispatch(base);
}
