#include "conn.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include "date.h"
#include "serve.h"

enum { SPARE_DESCRIPTORS = 16 }; /* for the files that are opened while they are mapped, and for ourselves */

static struct {
  struct conn **all; /* the first `used` ones */
  int used, size, most;
} table;

bool conn_table_init(int size) {
  struct rlimit descriptors;
  if (getrlimit(RLIMIT_NOFILE, &descriptors) == 0 && descriptors.rlim_cur < (rlim_t)size + SPARE_DESCRIPTORS)
    size = descriptors.rlim_cur > SPARE_DESCRIPTORS ? (int)descriptors.rlim_cur - SPARE_DESCRIPTORS : 1;
  table.all = calloc((size_t)size, sizeof(struct conn *));
  table.size = size;
  return table.all != NULL;
}

void conn_table_free(void) { free(table.all); }

int conn_count(void) { return table.used; }

int conn_most(void) { return table.most; }

bool conn_table_full(void) { return table.used == table.size; }

struct conn *conn_at(int slot) { return table.all[slot]; }

struct conn *conn_new(struct event_base *base, int fd, const struct sockaddr_in *peer) {
  struct conn *c = calloc(1, sizeof *c);
  if (c == NULL) return NULL;
  c->fd = fd;
  c->state = CONN_READING;
  c->moved_ms = now_ms();
  inet_ntop(AF_INET, &peer->sin_addr, c->peer, sizeof c->peer);
  request_reset(&c->request);
  event_assign(&c->read, base, fd, EV_READ | EV_PERSIST, on_read, c);
  event_assign(&c->write, base, fd, EV_WRITE | EV_PERSIST, on_send, c);
  event_assign(&c->finish, base, -1, 0, on_finish, c);
  event_assign(&c->wakeup, base, -1, 0, on_wakeup, c);
  event_assign(&c->linger, base, fd, EV_READ, on_linger, c);
  return c;
}

void conn_insert(struct conn *c) {
  c->slot = table.used;
  table.all[table.used++] = c;
  if (table.used > table.most) table.most = table.used;
}

void conn_next_request(struct conn *c) {
  c->in_used -= c->request.size;
  memmove(c->in, c->in + c->request.size, c->in_used);
  request_reset(&c->request);
  c->status = 0;
  free(c->out);
  c->out = NULL;
  c->out_size = c->head_size = 0;
  c->sent = 0;
}

void conn_close(struct conn *c) {
  struct conn *last = table.all[--table.used];
  table.all[c->slot] = last;
  last->slot = c->slot;

  event_del(&c->read);
  event_del(&c->write);
  event_del(&c->finish);
  event_del(&c->wakeup);
  event_del(&c->linger);
  close(c->fd);
  free(c->out);
  free(c);
}
