// What an exception carries is used where it is caught, two calls further up.
// CONFLICT always: on_a on_a: shared
// CONFLICT always: on_a on_b: shared
// SAFE: on_b on_b

#include <event2/event.h>

#include <cstdio>

static const struct timeval second = {1, 0};
static int shared;

namespace {

struct Problem {
  int* counter;
};

void fail(int* counter) { throw Problem{counter}; }

void step() { fail(&shared); }

}  // namespace

extern "C" {

void on_a(evutil_socket_t, short, void*) {
  try {
    step();
  } catch (const Problem& problem) {
    ++*problem.counter;
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
