// A table of functions indexed at run time: any entry may be the one that is called.
// CONFLICT always: on_command on_command: total
// CONFLICT always: on_command on_show: total
// SAFE: on_show on_show

#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static const struct timeval second = {1, 0};
static long total;

static void command_add(void) { total++; }

static void command_ping(void) { puts("pong"); }

static void (*const commands[])(void) = {command_ping, command_add};

static void on_command(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)arg;
  commands[what & 1]();
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld\n", total);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, STDIN_FILENO, EV_READ | EV_PERSIST, on_command, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}
