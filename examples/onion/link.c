#define _GNU_SOURCE /* accept4's flags for socket() */
#include "link.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "circuit.h"
#include "server.h"

enum { MOST_QUEUED = 4096 * CELL_SIZE };

static struct {
  struct event_base *base;
  struct link *first;
  int count;
  uint64_t last_serial;
} links;

void links_init(struct event_base *base) { links.base = base; }

int links_count(void) { return links.count; }

static void link_close(struct link *link) {
  circuits_lose(link);
  if (link->previous != NULL) link->previous->next = link->next;
  if (link->next != NULL) link->next->previous = link->previous;
  if (links.first == link) links.first = link->next;
  links.count--;
  event_del(&link->read);
  event_del(&link->write);
  close(link->fd);
  free(link->out);
  free(link);
  server_may_accept();
}

void links_close_all(void) {
  while (links.first != NULL) link_close(links.first);
}

void link_break(struct link *link) {
  link->broken = true;
  event_active(&link->write, EV_WRITE, 0);
}

static void on_read(evutil_socket_t fd, short what, void *arg) {
  struct link *link = arg;
  size_t done = 0;
  (void)what;

  ssize_t n = read(fd, link->in + link->in_used, sizeof link->in - link->in_used);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0 || link->broken) {
    link_close(link);
    return;
  }
  link->in_used += (size_t)n;
  while (link->in_used - done >= CELL_SIZE && !link->broken) {
    circuit_take(link, link->in + done);
    done += CELL_SIZE;
  }
  link->in_used -= done;
  memmove(link->in, link->in + done, link->in_used);
}

static void on_write(evutil_socket_t fd, short what, void *arg) {
  struct link *link = arg;
  (void)what;

  if (link->broken) {
    link_close(link);
    return;
  }
  ssize_t n = write(fd, link->out + link->out_sent, link->out_used - link->out_sent);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n < 0) {
    link_close(link);
    return;
  }
  link->out_sent += (size_t)n;
  if (link->out_sent < link->out_used) return;
  link->out_sent = link->out_used = 0;
  event_del(&link->write);
}

static struct link *link_new(int fd) {
  const int on = 1;
  struct link *link = calloc(1, sizeof *link);

  if (link == NULL) {
    close(fd);
    return NULL;
  }
  setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  link->serial = ++links.last_serial;
  link->fd = fd;
  event_assign(&link->read, links.base, fd, EV_READ | EV_PERSIST, on_read, link);
  event_assign(&link->write, links.base, fd, EV_WRITE | EV_PERSIST, on_write, link);
  link->next = links.first;
  if (link->next != NULL) link->next->previous = link;
  links.first = link;
  links.count++;
  event_add(&link->read, NULL);
  return link;
}

struct link *link_accept(int fd) { return link_new(fd); }

struct link *link_to(uint16_t port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons(port)};

  for (struct link *link = links.first; link != NULL; link = link->next) {
    if (link->ours && !link->broken && link->leads_to == port) return link;
  }
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) return NULL;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  if (connect(fd, (struct sockaddr *)&address, sizeof address) != 0 && errno != EINPROGRESS) {
    close(fd);
    return NULL;
  }
  struct link *link = link_new(fd);
  if (link == NULL) return NULL;
  link->ours = true;
  link->leads_to = port;
  return link;
}

static bool make_room(struct link *link) {
  if (link->out_used + CELL_SIZE <= link->out_size) return true;
  size_t size = link->out_size == 0 ? 4 * CELL_SIZE : 2 * link->out_size;
  uint8_t *out = size > MOST_QUEUED ? NULL : realloc(link->out, size);
  if (out == NULL) return false;
  link->out = out;
  link->out_size = size;
  return true;
}

void link_send(struct link *link, const uint8_t *cell) {
  if (link->broken) return;
  if (!make_room(link)) {
    link_break(link);
    return;
  }
  memcpy(link->out + link->out_used, cell, CELL_SIZE);
  link->out_used += CELL_SIZE;
  event_add(&link->write, NULL);
}
