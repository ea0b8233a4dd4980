// A function makes a text in a buffer of its own, and returns it. Nobody keeps it.
// CONFLICT always: on_read on_read
// APART never: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const char* number_of(int n) {
  static char text[32];
  snprintf(text, sizeof text, "number %d", n);
  return text;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  const char* text = number_of(what);
  usleep(strlen(text));
  if (strchr(text, '7') != NULL) usleep(1);
}

int main(void) {
  struct event_base* base = event_base_new();
  printf("%s\n", number_of(0));
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  printf("%s\n", number_of(1));
  return 0;
}
