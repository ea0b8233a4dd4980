// A std::string is changed by functions of the library: a global one is shared, wherever its text lies.
// CONFLICT always: on_add on_add: history
// CONFLICT always: on_add on_show: history
// SAFE: on_show on_show

#include <event2/event.h>

#include <cstdio>
#include <string>

static const struct timeval second = {1, 0};
static std::string history;

extern "C" {

void on_add(evutil_socket_t, short, void*) { history.append("tick\n"); }

void on_show(evutil_socket_t, short, void*) { std::fputs(history.c_str(), stdout); }
}

int main() {
  event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_add, nullptr), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_show, nullptr), &second);
  return event_base_dispatch(base);
}
