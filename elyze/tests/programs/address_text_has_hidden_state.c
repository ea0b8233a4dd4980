// inet_ntoa returns a buffer of the library, one for each thread (glibc, inet/inet_ntoa.c); inet_ntop fills the caller's.
// CONFLICT always: on_old on_old: hidden state of inet_ntoa
// SAFE: on_new on_old
// SAFE: on_new on_new
// PINNED: on_old by inet_ntoa
// ANY THREAD: on_new

#include <arpa/inet.h>
#include <event2/event.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

static void on_old(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  struct in_addr address = {.s_addr = htonl(0x7f000001)};
  puts(inet_ntoa(address));
}

static void on_new(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  struct in_addr address = {.s_addr = htonl(0x7f000001)};
  char text[INET_ADDRSTRLEN];
  puts(inet_ntop(AF_INET, &address, text, sizeof text));
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_old, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_new, NULL), &second);
  return event_base_dispatch(base);
}
