// The handler goes back to where nothing is known to be written.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[32];
static jmp_buf back;

static void fails(int n) {
  if (n & EV_READ) longjmp(back, 1);
  snprintf(text, sizeof text, "%d", n);
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  if (setjmp(back) == 0) fails(what);
  usleep(strlen(text));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
