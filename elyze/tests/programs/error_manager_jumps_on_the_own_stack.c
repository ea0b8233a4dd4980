// setjmp and longjmp through a structure on the stack, as image libraries do it: nothing leaves the invocation.
// SAFE: on_a on_a
// SAFE: on_a on_b
// SAFE: on_b on_b

#include <event2/event.h>
#include <setjmp.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

struct manager {
  jmp_buf escape;
  int code;
};

static void fail(struct manager* m, int code) {
  m->code = code;
  longjmp(m->escape, 1);
}

static int decode(int size) {
  struct manager m;
  m.code = 0;
  if (setjmp(m.escape)) return m.code;
  if (size == 0) fail(&m, 22);
  return 0;
}

static void on_a(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  printf("%d\n", decode(what));
}

static void on_b(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%d\n", decode(0));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_a, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_b, NULL), &second);
  return event_base_dispatch(base);
}
