// What the library calls back writes over the end of the text.
// CONFLICT always: on_read on_read
// APART always: on_read on_read

#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static char text[32];

static int compare(const void* a, const void* b) {
  text[1] = 'x';
  return *(const int*)a - *(const int*)b;
}

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  int numbers[] = {what, 3, 1};
  snprintf(text, sizeof text, "%d", what & 7);
  qsort(numbers, 3, sizeof *numbers, compare);
  usleep(strlen(text));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_read, NULL), NULL);
  event_base_dispatch(base);
  return 0;
}
