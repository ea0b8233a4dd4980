// std::cout and stdout are one file, and std::cerr is standard error (ISO C++17 30.4.3).
// CONFLICT always: on_print on_print
// CONFLICT always: on_print on_stream
// CONFLICT always: on_stream on_stream
// CONFLICT always: on_print on_error
// CONFLICT always: on_error on_stream
// CONFLICT always: on_error on_error
#include <event2/event.h>

#include <cstdio>
#include <iostream>

extern "C" {
void on_print(evutil_socket_t, short, void*) {
  std::printf("a\n");
  std::printf("b\n");
}
void on_stream(evutil_socket_t, short, void*) { std::cout << "x" << std::endl; }
void on_error(evutil_socket_t, short, void*) { std::cerr << "y" << std::endl; }
}

int main() {
  event_base* base = event_base_new();
  event_add(event_new(base, 3, EV_READ | EV_PERSIST, on_print, nullptr), nullptr);
  event_add(event_new(base, 4, EV_READ | EV_PERSIST, on_stream, nullptr), nullptr);
  event_add(event_new(base, 5, EV_READ | EV_PERSIST, on_error, nullptr), nullptr);
  return event_base_dispatch(base);
}
