// std::map: its nodes are linked by functions of the library, and what one handler puts in another one finds.
// CONFLICT always: on_add on_add: visits
// CONFLICT always: on_add on_find: visits
// CONFLICT always: on_find on_find: visits

#include <event2/event.h>

#include <map>

static const struct timeval second = {1, 0};
static std::map<int, int> visits;

extern "C" {

void on_add(evutil_socket_t, short what, void*) { visits.emplace(what, 0); }

void on_find(evutil_socket_t, short what, void*) {
  const auto found = visits.find(what);
  if (found != visits.end()) ++found->second;
}
}

int main() {
  event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_add, nullptr), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_find, nullptr), &second);
  return event_base_dispatch(base);
}
