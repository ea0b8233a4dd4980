#include "client.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "steps.h"

static struct {
  struct client *first;
  size_t count;
} clients;

struct client *client_new(struct event_base *base, int fd) {
  struct client *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->fd = fd;
  c->state = CLIENT_WAITING;
  c->active_us = now_us();
  event_assign(&c->read, base, fd, EV_READ, on_read, c);
  event_assign(&c->lookup, base, -1, 0, on_lookup, c);
  event_assign(&c->render, base, -1, 0, on_render, c);
  event_assign(&c->store, base, -1, 0, on_store, c);
  event_assign(&c->write, base, fd, EV_WRITE, on_write, c);
  event_assign(&c->log, base, -1, 0, on_log, c);
  return c;
}

void client_insert(struct client *c) {
  c->next = clients.first;
  c->previous = NULL;
  if (clients.first != NULL) clients.first->previous = c;
  clients.first = c;
  clients.count++;
}

void client_next_request(struct client *c) {
  c->in_used -= c->request.size;
  memmove(c->in, c->in + c->request.size, c->in_used);
  c->request.size = 0;
  c->status = 0;
  c->started_us = c->render_us = 0;
  c->hit = false;
  c->problem[0] = '\0';
  c->header_size = 0;
  free(c->body);
  c->body = NULL;
  c->body_size = 0;
  c->sent = 0;
}

void client_close(struct client *c) {
  if (c->previous != NULL)
    c->previous->next = c->next;
  else
    clients.first = c->next;
  if (c->next != NULL) c->next->previous = c->previous;
  clients.count--;

  event_del(&c->read);
  event_del(&c->lookup);
  event_del(&c->render);
  event_del(&c->store);
  event_del(&c->write);
  event_del(&c->log);
  close(c->fd);
  free(c->body);
  free(c);
}

size_t clients_close_idle(int64_t since_us, int64_t lingering_since_us) {
  size_t closed = 0;
  struct client *next;
  for (struct client *c = clients.first; c != NULL; c = next) {
    next = c->next;
    int64_t limit_us = c->state == CLIENT_LINGERING ? lingering_since_us : since_us;
    if (c->state != CLIENT_WORKING && c->active_us < limit_us) {
      client_close(c);
      closed++;
    }
  }
  return closed;
}

void clients_close_unused(void) {
  struct client *next;
  for (struct client *c = clients.first; c != NULL; c = next) {
    next = c->next;
    if (c->state == CLIENT_LINGERING || (c->state == CLIENT_WAITING && c->in_used == 0)) client_close(c);
  }
}

void clients_close_all(void) {
  while (clients.first != NULL) client_close(clients.first);
}

size_t client_count(void) { return clients.count; }
