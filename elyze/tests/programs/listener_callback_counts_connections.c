// The listener is locked by the library, the counter of its callback is not.
// CONFLICT always: on_accept on_accept: accepted
// CONFLICT always: on_accept on_show: accepted
// SAFE: on_show on_show

#include <arpa/inet.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>

static const struct timeval second = {1, 0};
static long accepted;

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* address, int length,
                      void* arg) {
  (void)listener, (void)address, (void)length, (void)arg;
  accepted++;
  evutil_closesocket(fd);
}

static void on_show(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  printf("%ld\n", accepted);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
  evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_REUSEABLE, -1, (struct sockaddr*)&address, sizeof address);
  event_add(event_new(base, -1, EV_PERSIST, on_show, NULL), &second);
  return event_base_dispatch(base);
}
