// As where both are known by name (address_may_be_had_twice_for_a_moment), but in a session, and by calls.
// CONFLICT always: on_session on_session: state of the system
// CONFLICT always: on_session on_ask: state of the system
// CONFLICT always: on_ask on_ask: state of the system
#include <netinet/in.h>
#include <stdlib.h>

#include "server.h"

struct session {
  struct event* readable;
  int descriptor;
  int failed;
};

static void allow(struct session* session, int yes) {
  setsockopt(session->descriptor, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
}

HANDLER(on_session) {
  (void)fd;
  (void)what;
  struct session* session = arg;
  allow(session, 1);
  allow(session, 0);
}

static int address_for(int descriptor) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(5000)};
  return bind(descriptor, (struct sockaddr*)&address, sizeof address);
}

HANDLER(on_ask) {
  (void)fd;
  (void)what;
  struct session* session = arg;
  allow(session, 1);
  if (address_for(session->descriptor) != 0) session->failed++;
}

static void begin(event_callback_fn handler) {
  struct session* session = calloc(1, sizeof *session);
  session->descriptor = socket(AF_INET, SOCK_DGRAM, 0);
  session->readable = event_new(base, session->descriptor, EV_READ | EV_PERSIST, handler, session);
  event_add(session->readable, NULL);
}

int main(void) {
  base = event_base_new();
  for (int i = 0; i < 4; i++) begin(i % 2 == 0 ? on_session : on_ask);
  return event_base_dispatch(base);
}
