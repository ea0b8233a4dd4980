// FLAGS: -std=c++17
// libstdc++ looks its first terminate handler up by name, and finds the program's definition first (ld.so(8)).
// CONFLICT always: on_a on_a
// CONFLICT always: on_a on_b: ended
// SAFE: on_b on_b
#include <event2/event.h>
#include <unistd.h>

#include <cstdlib>
#include <exception>

static int ended;

namespace __gnu_cxx {
void __verbose_terminate_handler() {
  ++ended;
  _exit(0);
}
}  // namespace __gnu_cxx

extern "C" void on_a(evutil_socket_t, short what, void*) {
  if (what & EV_TIMEOUT) std::terminate();
}

extern "C" void on_b(evutil_socket_t, short, void*) {
  if (ended > 1) std::abort();
}

int main() {
  event_base* base = event_base_new();
  event_add(event_new(base, 3, EV_READ | EV_PERSIST, on_a, nullptr), nullptr);
  event_add(event_new(base, 4, EV_READ | EV_PERSIST, on_b, nullptr), nullptr);
  return event_base_dispatch(base);
}
