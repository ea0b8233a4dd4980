// A table that nobody writes is no reason to serialise its readers.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

struct status {
  int code;
  const char* text;
};

static const struct status table[] = {{200, "OK"}, {404, "Not Found"}, {500, "Internal Server Error"}};

static const char* text_of(int code) {
  for (size_t i = 0; i < sizeof table / sizeof table[0]; i++) {
    if (table[i].code == code) return table[i].text;
  }
  return "?";
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts(text_of(200));
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts(text_of(404));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
