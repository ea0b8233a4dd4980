// Which element it is another variable says, from call to call.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char texts[4][16];
static unsigned next;

static char* text_of(int n) {
  char* text = texts[next++ & 3];
  snprintf(text, 16, "%d", n);
  return text;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  const char* a = text_of(what);
  const char* b = text_of(fd);
  if (strcmp(a, b) != 0) usleep(1);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
