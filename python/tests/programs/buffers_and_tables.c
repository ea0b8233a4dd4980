// Memory that one function owns, and what is filled when it is first needed.
// CAUSE variable show.text: own-buffer
// CAUSE variable table: initialise-early
// CAUSE variable ready: initialise-early
// CAUSE variable settings: swap
#include <event2/event.h>
#include <stdio.h>
#include <stdlib.h>

static int table[256];
static int ready;
static struct {
  int limit;
  char name[32];
} settings;

static int squared(int number) {
  if (!ready) {
    for (int i = 0; i < 256; i++) table[i] = i * i;
    ready = 1;
  }
  return table[number & 255];
}

static const char *show(int number) {
  static char text[32];
  snprintf(text, sizeof text, "%d", number);
  return text;
}

static void on_a(evutil_socket_t fd, short what, void *arg) {
  (void)what, (void)arg;
  if (squared(fd) < settings.limit) puts(show(fd));
}

static void on_b(evutil_socket_t fd, short what, void *arg) {
  (void)what, (void)arg;
  if (settings.limit > squared(fd)) puts(settings.name);
}

static void on_reload(evutil_socket_t fd, short what, void *arg) {
  (void)what, (void)arg;
  settings.limit = fd * 3;
  snprintf(settings.name, sizeof settings.name, "limit %d", settings.limit);
}

int main(void) {
  struct event_base *base = event_base_new();
  event_add(event_new(base, 0, EV_READ | EV_PERSIST, on_a, NULL), NULL);
  event_add(event_new(base, 1, EV_READ | EV_PERSIST, on_b, NULL), NULL);
  event_add(event_new(base, 1, EV_SIGNAL | EV_PERSIST, on_reload, NULL), NULL);
  return event_base_dispatch(base);
}
