// A loop of the program's own calls two kinds of handlers: one gets the client, the other what the client owns.
// CONFLICT always: on_client on_state: state->bytes
// CONFLICT session: on_client on_client
// CONFLICT session: on_state on_state: state->bytes
#include <poll.h>
#include <stdlib.h>
struct state {
  long bytes;
};
struct client {
  struct state* state;
  void (*ready)(struct client*);
  void (*tick)(struct state*);
};
static struct client* clients[3];
static void on_client(struct client* c) { c->state->bytes++; }
static void on_state(struct state* s) { s->bytes++; }
static void serve(void) {
  struct pollfd fds[3] = {{3, POLLIN, 0}, {4, POLLIN, 0}, {5, POLLIN, 0}};
  while (poll(fds, 3, 100) >= 0) {
    for (int i = 0; i < 3; i++) {
      if (fds[i].revents) clients[i]->ready(clients[i]);
      clients[i]->tick(clients[i]->state);
    }
  }
}
int main(void) {
  for (int i = 0; i < 3; i++) {
    clients[i] = calloc(1, sizeof **clients);
    clients[i]->state = calloc(1, sizeof(struct state));
    clients[i]->ready = on_client;
    clients[i]->tick = on_state;
  }
  serve();
  return 0;
}
