// What lies outside the program: hidden state of the C library, state of the process, code that nobody knows.
// CAUSE hidden state strtok: reentrant
// CAUSE process working directory: process-state
// CAUSE unknown unknown external vendor_log: describe
// CAUSE variable tick: one-owner
#include <event2/event.h>
#include <event2/event_struct.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

void vendor_log(const char *text);
static struct event tick;

static void on_line(evutil_socket_t fd, short what, void *arg) {
  char line[64];
  (void)what, (void)arg;
  line[read(fd, line, sizeof line - 1) & 63] = '\0';
  for (char *word = strtok(line, " "); word; word = strtok(NULL, " ")) puts(word);
  event_add(&tick, &(struct timeval){1, 0});
}

static void on_move(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  if (chdir("/tmp")) event_del(&tick);
}

static void on_vendor(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  vendor_log("tick");
}

static void on_tick(evutil_socket_t fd, short what, void *arg) { (void)fd, (void)what, (void)arg; }

int main(void) {
  struct event_base *base = event_base_new();
  event_assign(&tick, base, -1, 0, on_tick, NULL);
  event_add(event_new(base, 0, EV_READ | EV_PERSIST, on_line, NULL), NULL);
  event_add(event_new(base, 1, EV_SIGNAL | EV_PERSIST, on_move, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_vendor, NULL), &(struct timeval){1, 0});
  return event_base_dispatch(base);
}
