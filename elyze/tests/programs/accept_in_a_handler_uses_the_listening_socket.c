// accept takes a connection from the listening socket, which two invocations share; the new one is fresh.
// CONFLICT always: on_accept on_accept: the listening socket
// SAFE: on_accept on_tick
// SAFE: on_tick on_tick

#include <arpa/inet.h>
#include <event2/event.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

static const struct timeval second = {1, 0};

static void on_accept(evutil_socket_t fd, short what, void* arg) {
  (void)what, (void)arg;
  int connection = accept(fd, NULL, NULL);
  if (connection >= 0) close(connection);
}

static void on_tick(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  puts("alive");
}

int main(void) {
  struct event_base* base = event_base_new();
  int listening = socket(AF_INET, SOCK_STREAM, 0);
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(8080)};
  bind(listening, (struct sockaddr*)&address, sizeof address);
  listen(listening, 16);
  event_add(event_new(base, listening, EV_READ | EV_PERSIST, on_accept, NULL), NULL);
  event_add(event_new(base, -1, EV_PERSIST, on_tick, NULL), &second);
  return event_base_dispatch(base);
}
