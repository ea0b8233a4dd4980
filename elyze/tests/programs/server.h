/* What every small program here needs: an event base and a way to have a handler called. */
#include <event2/event.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

static struct event_base *base;

#define HANDLER(name) static void name(evutil_socket_t fd, short what, void *arg)
#define UNUSED (void)fd, (void)what, (void)arg

static inline void when_readable(int fd, event_callback_fn handler, void *arg) {
  event_add(event_new(base, fd, EV_READ | EV_PERSIST, handler, arg), NULL);
}
