// Every member that is read was set, by the function or by one that it calls.
// CONFLICT always: on_read on_read
// APART never: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

struct request {
  int kind;
  int unused;
  long bytes;
  char* name;
};

static void fill(struct request* to, long bytes) {
  to->bytes = bytes;
  to->name = "request";
}

static long weigh(const struct request* one) { return one->bytes + one->kind + (long)strlen(one->name); }

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  static struct request request;
  request.kind = what;
  fill(&request, fd);
  usleep((unsigned)weigh(&request) % 3);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
