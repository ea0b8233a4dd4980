// The helper writes over the end of the text by its second parameter.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static char text[32];

static unsigned long length(char* to, char* also, int n) {
  snprintf(to, 8, "%d", n);
  *also = 'x';
  return strlen(to);
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  usleep(length(text, text + 1, what & 7));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
