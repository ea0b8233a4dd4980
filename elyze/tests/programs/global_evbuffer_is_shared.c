// One evbuffer for everybody: evbuffers have no lock unless a program asks for one.
// CONFLICT always: on_a on_a: journal
// CONFLICT always: on_a on_b: journal
// CONFLICT always: on_b on_b: journal

#include <event2/buffer.h>
#include <event2/event.h>
#include <stddef.h>

static const struct timeval second = {1, 0};
static struct evbuffer* journal;

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  evbuffer_add_printf(journal, "a %d\n", (int)what);
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  evbuffer_drain(journal, evbuffer_get_length(journal));
}

int main(void) {
  struct event_base* base = event_base_new();
  journal = evbuffer_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
