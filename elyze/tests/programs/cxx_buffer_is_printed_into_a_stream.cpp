// FLAGS: -std=c++17
// `out << buffer` takes characters from the buffer until none is left (C++17 30.7.5.2.3): two streams, one buffer.
// CONFLICT always: on_a on_a: *input
// CONFLICT always: on_a on_b: *input
// CONFLICT always: on_b on_b: *input
#include <event2/event.h>

#include <cstdlib>
#include <iostream>
#include <streambuf>

static std::streambuf* input;

extern "C" void on_a(evutil_socket_t, short, void*) { std::cout << input; }

extern "C" void on_b(evutil_socket_t, short, void*) { std::cerr << input; }

int main() {
  event_base* base = event_base_new();
  input = std::cin.rdbuf();
  event_add(event_new(base, 3, EV_READ | EV_PERSIST, on_a, nullptr), nullptr);
  event_add(event_new(base, 4, EV_READ | EV_PERSIST, on_b, nullptr), nullptr);
  return event_base_dispatch(base);
}
