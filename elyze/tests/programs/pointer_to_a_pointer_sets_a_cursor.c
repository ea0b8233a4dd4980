// A cursor in the session points into the session itself and is set through a pointer to it.
// CONFLICT session: on_point on_point: session->cursor
// CONFLICT session: on_point on_write: session->cursor
// CONFLICT session: on_write on_write: session->text

#include <event2/event.h>
#include <stdlib.h>

static const struct timeval second = {1, 0};

struct session {
  char text[16];
  char* cursor;
};

static void rewind_cursor(char** cursor, char* start) { *cursor = start; }

static void on_point(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  rewind_cursor(&s->cursor, s->text);
}

static void on_write(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct session* s = arg;
  *s->cursor = 'x';
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct session* s = calloc(1, sizeof *s);
    s->cursor = s->text;
    event_add(event_new(base, -1, EV_PERSIST, on_point, s), &second);
    event_add(event_new(base, -1, EV_PERSIST, on_write, s), &second);
  }
  return event_base_dispatch(base);
}
