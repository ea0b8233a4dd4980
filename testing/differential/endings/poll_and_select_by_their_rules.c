/* libevent walks the table of poll(2), and the descriptors of select(2), from a random one on: what is ready comes in a
 * rotation of that order, whenever it became ready. Neither looks for closing, and for select() an end is nothing to
 * write. */
#include <sys/socket.h>

#include "small.h"

enum { kPipes = 4 };
static int end[kPipes][2];
static char order[2 * kPipes];
static unsigned told;

HANDLER(on_pipe) {
  (void)what;
  char byte;
  if (read(fd, &byte, 1) == 1) strncat(order, arg, 1);
}
HANDLER(on_closed) {
  UNUSED;
  say("closed\n");
}
HANDLER(on_either) {
  (void)fd, (void)arg;
  told |= (unsigned)what;
}

static void run(int with_poll) {
  struct event_config* config = event_config_new();
  event_config_avoid_method(config, "epoll");
  if (!with_poll) event_config_avoid_method(config, "poll");
  base = event_base_new_with_config(config);
  event_config_free(config);
  struct event* evs[kPipes];
  int socket_end[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK, 0, socket_end) != 0) exit(2);
  for (int i = 0; i < kPipes; ++i) {
    if (pipe(end[i]) != 0) exit(2);
    evs[i] = event_new(base, end[i][0], EV_READ | EV_PERSIST, on_pipe, (void*)&"0123"[i]);
    event_add(evs[i], NULL);
  }
  for (int i = kPipes - 1; i >= 0; --i)
    if (write(end[i][1], "x", 1) != 1) exit(2);
  order[0] = 0;
  event_base_loop(base, EVLOOP_NONBLOCK);
  printf("%s: %s\n", event_base_get_method(base), strstr("0123012", order) != NULL ? "a rotation" : order);
  if (with_poll) {
    /* The last one takes the place of the first. */
    event_del(evs[0]);
    for (int i = 1; i < kPipes; ++i)
      if (write(end[i][1], "x", 1) != 1) exit(2);
    order[0] = 0;
    event_base_loop(base, EVLOOP_NONBLOCK);
    printf("%s\n", strstr("31231", order) != NULL ? "a rotation" : order);
  }
  shutdown(socket_end[1], SHUT_WR);
  event_add(event_new(base, socket_end[0], EV_CLOSED, on_closed, NULL), NULL);
  event_add(event_new(base, socket_end[0], EV_READ | EV_CLOSED, on_either, NULL), NULL);
  event_base_loop(base, EVLOOP_NONBLOCK);
  printf("%x\n", told);
  told = 0;
  close(end[1][1]);
  event_del(evs[1]);
  event_add(event_new(base, end[1][0], EV_READ | EV_WRITE, on_either, NULL), NULL);
  event_base_loop(base, EVLOOP_NONBLOCK);
  printf("%x\n", told);
  told = 0;
}

int main(void) {
  run(1);
  run(0);
  return 0;
}
