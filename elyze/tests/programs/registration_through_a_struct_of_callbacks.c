// The handlers come out of a structure of callbacks; read and write end up with the right function.
// CONFLICT session: on_read on_read: stream->in
// SAFE: on_read on_write
// CONFLICT session: on_write on_write: stream->out

#include <event2/event.h>
#include <event2/event_struct.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

struct callbacks {
  event_callback_fn read, write;
};

struct stream {
  struct event read, write;
  long in, out;
};

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct stream* s = arg;
  s->in++;
}

static void on_write(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct stream* s = arg;
  s->out++;
}

static const struct callbacks plain = {on_read, on_write};

static void stream_open(struct event_base* base, const struct callbacks* callbacks) {
  struct stream* s = calloc(1, sizeof *s);
  event_assign(&s->read, base, STDIN_FILENO, EV_READ | EV_PERSIST, callbacks->read, s);
  event_assign(&s->write, base, STDIN_FILENO + 1, EV_WRITE | EV_PERSIST, callbacks->write, s);
  event_add(&s->read, NULL);
  event_add(&s->write, NULL);
}

int main(void) {
  struct event_base* base = event_base_new();
  stream_open(base, &plain);
  stream_open(base, &plain);
  return event_base_dispatch(base);
}
