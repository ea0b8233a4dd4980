// A handler without a prototype, out of a table, gives one buffer to two sessions.
// CONFLICT always: on_use on_use: *session->buffer
// CONFLICT always: on_share on_use: session->buffer
#include "server.h"
struct session {
  struct session* peer;
  char* buffer;
};
static void on_share(fd, what, arg) int fd;
short what;
void* arg;
{
  (void)fd;
  (void)what;
  struct session* s = arg;
  s->peer->buffer = s->buffer;
}
HANDLER(on_use) {
  (void)fd;
  (void)what;
  struct session* s = arg;
  s->buffer[0]++;
}
static const struct {
  void (*on)(int, short, void*);
} table[] = {{(void (*)(int, short, void*))on_share}, {on_use}};
static struct session* last;
static void add(int fd) {
  struct session* s = calloc(1, sizeof *s);
  s->buffer = malloc(64);
  s->peer = last ? last : s;
  last = s;
  for (int i = 0; i < 2; ++i) when_readable(fd + i, table[i].on, s);
}
int main(void) {
  base = event_base_new();
  add(3);
  add(5);
  event_base_dispatch(base);
}
