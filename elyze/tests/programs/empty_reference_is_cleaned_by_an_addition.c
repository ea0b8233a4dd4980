// Whoever adds bytes first frees what is empty at the buffer's end, and calls its cleanup function (libevent 2.1.12,
// evbuffer_free_trailing_empty_chains()).
// CONFLICT always: on_add on_look: cleaned
// CONFLICT always: on_print on_look: cleaned
// CONFLICT always: on_space on_look: cleaned
// CONFLICT always: on_write on_look: cleaned
// CONFLICT always: on_add on_add
// SAFE: on_look on_look
#include <event2/buffer.h>
#include <event2/bufferevent.h>

#include "server.h"

static struct evbuffer *added, *printed, *spacious;
static struct bufferevent *stream;
static int cleaned;

static void clean(const void *bytes, size_t length, void *arg) {
  (void)bytes, (void)length, (void)arg;
  ++cleaned;
}

HANDLER(on_add) {
  UNUSED;
  evbuffer_add(added, "x", 1);
}

HANDLER(on_print) {
  UNUSED;
  evbuffer_add_printf(printed, "x");
}

HANDLER(on_space) {
  UNUSED;
  struct evbuffer_iovec space;
  evbuffer_reserve_space(spacious, 10, &space, 1);
}

HANDLER(on_write) {
  UNUSED;
  bufferevent_write(stream, "x", 1);
}

HANDLER(on_look) {
  UNUSED;
  if (cleaned > 1000) abort();
}

int main(void) {
  base = event_base_new();
  stream = bufferevent_socket_new(base, -1, 0);
  struct evbuffer **buffers[] = {&added, &printed, &spacious};
  for (int i = 0; i < 3; ++i) {
    *buffers[i] = evbuffer_new();
    evbuffer_add_reference(*buffers[i], "", 0, clean, NULL);
  }
  evbuffer_add_reference(bufferevent_get_output(stream), "", 0, clean, NULL);
  when_readable(3, on_add, NULL);
  when_readable(4, on_print, NULL);
  when_readable(5, on_space, NULL);
  when_readable(6, on_write, NULL);
  when_readable(7, on_look, NULL);
  return event_base_dispatch(base);
}
