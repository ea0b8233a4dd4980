// A pointer that is thrown is caught as it is: the handler writes to what it points to, not to the exception.
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b
// SAFE: on_b on_b

#include <event2/event.h>

#include <cstdio>

static const struct timeval second = {1, 0};
static int shared;

extern "C" {

void on_a(evutil_socket_t, short what, void*) {
  try {
    if (what & EV_TIMEOUT) throw &shared;
  } catch (int* counter) {
    ++*counter;
  }
}

void on_b(evutil_socket_t, short, void*) { std::printf("%d\n", shared); }
}

int main() {
  event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, nullptr), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, nullptr), &second);
  return event_base_dispatch(base);
}
