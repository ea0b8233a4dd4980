/* The least that a crawl can cost: a loop over epoll(7), connections that stay open, links by hand, nothing allocated
 * for a page, nothing checked, nothing written. Prints the number of pages.
 *
 *   raw PORT CONNECTIONS MOST_PAGES */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/socket.h>

#include "hand_scan.h"

enum { BUFFER = 256 << 10, EVENTS = 256 };

struct connection {
  int fd;
  size_t got, body, whole; /* bytes: received, before the body, in all (0: not known yet) */
  char bytes[BUFFER];
};

static int port;

static int send_next(struct connection* c) {
  char request[512];
  const char* const path = take_path();
  if (path == NULL) return 0;
  const int size =
      snprintf(request, sizeof request,
               "GET %s HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nUser-Agent: raw\r\nAccept: */*\r\n\r\n", path, port);
  c->got = c->whole = 0;
  return send(c->fd, request, (size_t)size, MSG_NOSIGNAL) == size;
}

/* True if the answer is whole. */
static int receive(struct connection* c) {
  for (;;) {
    const ssize_t n = recv(c->fd, c->bytes + c->got, BUFFER - c->got, MSG_DONTWAIT);
    if (n <= 0) return 0;
    c->got += (size_t)n;
    if (c->whole == 0) {
      const char* const end = memmem(c->bytes, c->got, "\r\n\r\n", 4);
      if (end == NULL) continue;
      c->body = (size_t)(end + 4 - c->bytes);
      const char* const size = memmem(c->bytes, c->body, "Content-Length: ", 16);
      c->whole = c->body + strtoul(size + 16, NULL, 10);
    }
    if (c->got >= c->whole) return 1;
  }
}

static void open_connection(struct connection* c, int epoll) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  c->fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(c->fd, (struct sockaddr*)&address, sizeof address) != 0) exit(1);
  struct epoll_event event = {.events = EPOLLIN | EPOLLET, .data.ptr = c};
  epoll_ctl(epoll, EPOLL_CTL_ADD, c->fd, &event);
}

int main(int count, char** words) {
  if (count != 4) return 2;
  port = atoi(words[1]);
  const size_t connections = strtoul(words[2], NULL, 10);
  begin_scan(strtoul(words[3], NULL, 10));
  struct connection *const all = calloc(connections, sizeof *all), **idle = calloc(connections, sizeof *idle);
  const int epoll = epoll_create1(0);
  size_t idle_count = 0, running = 0, done = 0;
  for (size_t i = 0; i < connections; ++i) open_connection(&all[i], epoll), idle[idle_count++] = &all[i];
  add_path("/p/00000000.html", 16);
  struct epoll_event events[EVENTS];
  for (;;) {
    for (; idle_count > 0 && send_next(idle[idle_count - 1]); --idle_count) ++running;
    if (running == 0) break;
    const int ready = epoll_wait(epoll, events, EVENTS, -1);
    for (int i = 0; i < ready; ++i) {
      struct connection* const c = events[i].data.ptr;
      if (!receive(c)) continue;
      ++done;
      scan(c->bytes + c->body, c->whole - c->body);
      if (send_next(c)) continue;
      idle[idle_count++] = c;
      --running;
    }
  }
  printf("%zu\n", done);
  return 0;
}
