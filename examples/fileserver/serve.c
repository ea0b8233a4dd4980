#include "serve.h"

#include <errno.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "conn.h"
#include "date.h"
#include "log.h"
#include "reply.h"
#include "resource.h"
#include "server.h"
#include "stats.h"

enum { LINGER_MS = 2000 };

static struct timeval span(int64_t ms) { return (struct timeval){.tv_sec = ms / 1000, .tv_usec = ms % 1000 * 1000}; }

static void finish(struct conn *c) {
  c->state = CONN_FINISHING;
  event_active(&c->finish, 0, 0);
}

/* The peer is gone or beyond help: no (further) answer. */
static void give_up(struct conn *c) {
  c->broken = true;
  event_del(&c->read);
  event_del(&c->write);
  finish(c);
}

static void start_sending(struct conn *c) {
  event_del(&c->read);
  if (c->out == NULL) {
    give_up(c);
    return;
  }
  c->state = CONN_SENDING;
  event_add(&c->write, NULL);
}

void serve_refuse(struct conn *c, int status) {
  c->request.keep_alive = false;
  reply_page(c, status, "");
  start_sending(c);
}

void on_read(evutil_socket_t fd, short what, void *arg) {
  struct conn *c = arg;

  if (what & EV_READ) { /* otherwise there may be a request in the buffer already */
    ssize_t n = read(fd, c->in + c->in_used, sizeof c->in - c->in_used);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
    if (n <= 0) {
      give_up(c);
      return;
    }
    c->in_used += (size_t)n;
    c->moved_ms = now_ms();
  }
  int status = request_parse(&c->request, c->in, c->in_used);
  if (status == 0) return;
  if (status != 200) {
    serve_refuse(c, status);
    return;
  }
  resource_answer(c);
  if (map_crowded()) server_clean_soon();
  start_sending(c);
}

/* Sends what is left, as far as the socket takes it and the pace allows. False: the connection is broken. */
static bool send_some(struct conn *c) {
  struct iovec parts[2];
  int count = 0;
  size_t done = c->sent < c->out_size ? 0 : c->sent - c->out_size;
  size_t portion = pace_portion(&c->pace);
  size_t left = c->file_size - done;

  if (c->sent < c->out_size) parts[count++] = (struct iovec){c->out + c->sent, c->out_size - c->sent};
  if (left > 0) parts[count++] = (struct iovec){(char *)c->file + done, left < portion ? left : portion};
  ssize_t n = writev(c->fd, parts, count);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  c->sent += (size_t)n;
  c->pace.sent += n;
  c->pace.uncollected += n;
  c->moved_ms = now_ms();
  return true;
}

void on_send(evutil_socket_t fd, short what, void *arg) {
  struct conn *c = arg;
  (void)fd, (void)what;

  if (!send_some(c)) {
    give_up(c);
    return;
  }
  if (c->sent == c->out_size + c->file_size) {
    event_del(&c->write);
    finish(c);
    return;
  }
  int64_t delay_ms = pace_delay_ms(&c->pace, c->moved_ms);
  if (delay_ms > 0) {
    const struct timeval delay = span(delay_ms);
    event_del(&c->write);
    c->state = CONN_PAUSED;
    event_add(&c->wakeup, &delay);
  }
}

void on_wakeup(evutil_socket_t fd, short what, void *arg) {
  struct conn *c = arg;
  (void)fd, (void)what;

  c->moved_ms = now_ms(); /* it was not the peer that kept us waiting */
  c->state = CONN_SENDING;
  event_add(&c->write, NULL);
}

void serve_end_request(struct conn *c) {
  if (c->status != 0) {
    size_t body = c->sent > c->head_size ? c->sent - c->head_size : 0;
    stats.requests++;
    stats.bytes += body;
    if (c->status >= 400) stats.refused++;
    log_request(c, body);
  }
  throttle_leave(&c->pace);
  if (c->map != NULL) map_release(c->map);
  c->map = NULL;
  c->file_size = 0;
}

void on_finish(evutil_socket_t fd, short what, void *arg) {
  struct conn *c = arg;
  (void)fd, (void)what;

  serve_end_request(c);
  if (c->broken || server_stopping()) {
    server_drop(c);
  } else if (c->request.keep_alive) {
    conn_next_request(c);
    c->state = CONN_READING;
    event_add(&c->read, NULL);
    if (c->in_used > 0) event_active(&c->read, 0, 0); /* the peer did not wait for the answer */
  } else if (c->status >= 400) {
    const struct timeval limit = span(LINGER_MS);
    shutdown(c->fd, SHUT_WR);
    c->linger_until_ms = now_ms() + LINGER_MS;
    c->state = CONN_LINGERING;
    event_add(&c->linger, &limit);
  } else {
    server_drop(c);
  }
}

void on_linger(evutil_socket_t fd, short what, void *arg) {
  struct conn *c = arg;
  char waste[4096];
  int64_t left_ms = c->linger_until_ms - now_ms();

  if ((what & EV_TIMEOUT) || left_ms <= 0 || read(fd, waste, sizeof waste) <= 0) {
    server_drop(c);
    return;
  }
  const struct timeval limit = span(left_ms);
  event_add(&c->linger, &limit);
}
