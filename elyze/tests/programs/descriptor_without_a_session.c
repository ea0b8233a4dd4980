// Connections are served by their descriptor alone: without a session nothing tells when it is the same one.
// CONFLICT always: on_read on_read: the connection
// SAFE: on_accept on_read
// SAFE: on_accept on_accept

#include <arpa/inet.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <unistd.h>

static void on_read(evutil_socket_t fd, short what, void* arg) {
  (void)what, (void)arg;
  char bytes[64];
  printf("%zd bytes\n", read(fd, bytes, sizeof bytes));
}

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* address, int length,
                      void* arg) {
  (void)address, (void)length, (void)arg;
  struct event* e = event_new(evconnlistener_get_base(listener), fd, EV_READ | EV_PERSIST, on_read, NULL);
  if (e != NULL) event_add(e, NULL);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr*)&address, sizeof address);
  return event_base_dispatch(base);
}
