// gethostbyname returns the library's own structure, getaddrinfo a fresh list that the caller frees.
// CONFLICT always: on_old on_old: hidden state of gethostbyname
// SAFE: on_new on_old
// SAFE: on_new on_new

#include <event2/event.h>
#include <netdb.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};

static void on_old(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  const struct hostent* host = gethostbyname("localhost");
  if (host != NULL) printf("%s\n", host->h_name);
}

static void on_new(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  struct addrinfo* list;
  if (getaddrinfo("localhost", NULL, NULL, &list) != 0) return;
  printf("%d\n", list->ai_family);
  freeaddrinfo(list);
}

int main(void) {
  struct event_base* base = event_base_new();
  event_add(event_new(base, -1, EV_PERSIST, on_old, NULL), &second);
  event_add(event_new(base, -1, EV_PERSIST, on_new, NULL), &second);
  return event_base_dispatch(base);
}
