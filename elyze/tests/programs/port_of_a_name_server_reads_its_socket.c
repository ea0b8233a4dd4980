// The loop reads the questions from a port's socket, before it calls the callback.
// CONFLICT always: on_question on_question
// CONFLICT always: on_question on_poll
// SAFE: on_poll on_poll
#include <event2/dns.h>
#include <event2/dns_struct.h>
#include <poll.h>

#include "server.h"

static int server;

static void on_question(struct evdns_server_request *request, void *arg) {
  (void)arg;
  evdns_server_request_drop(request);
}

HANDLER(on_poll) {
  UNUSED;
  struct pollfd one = {server, POLLIN, 0}, two = one;
  poll(&one, 1, 0);
  poll(&two, 1, 0);
  if (one.revents != two.revents) abort();
}

int main(void) {
  base = event_base_new();
  server = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK, 0);
  evdns_add_server_port_with_base(base, server, 0, on_question, NULL);
  when_readable(3, on_poll, NULL);
  return event_base_dispatch(base);
}
