#include "steps.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/uio.h>
#include <unistd.h>

#include "cache.h"
#include "client.h"
#include "clock.h"
#include "config.h"
#include "log.h"
#include "server.h"
#include "stats.h"

static void activate(struct event *step) { event_active(step, 0, 0); }

static void answer(struct client *c, int status, const char *type, const void *data, size_t size) {
  c->status = status;
  c->body = malloc(size);
  if (c->body != NULL) {
    memcpy(c->body, data, size);
    c->body_size = size;
  } else {
    c->status = 500;
    c->request.keep_alive = false;
  }
  c->header_size = http_format(c->header, c->status, type, c->body_size, c->request.keep_alive);
}

static void answer_problem(struct client *c, int status) {
  char text[RENDER_ERROR_SIZE + 64];
  int length =
      snprintf(text, sizeof text, "%d %s%s%s\n", status, http_reason(status), c->problem[0] ? ": " : "", c->problem);
  answer(c, status, "text/plain", text, (size_t)length);
}

/* The peer is gone or beyond help: no answer. */
static void give_up(struct client *c) {
  c->status = 0;
  c->request.keep_alive = false;
  c->state = CLIENT_WORKING;
  activate(&c->log);
}

void on_read(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;

  if (what & EV_READ) { /* otherwise there may be a request in the buffer already */
    ssize_t n = read(fd, c->in + c->in_used, sizeof c->in - c->in_used);
    if (n < 0 && (errno == EAGAIN || errno == EINTR)) {
      event_add(&c->read, NULL);
      return;
    }
    if (n <= 0) {
      give_up(c);
      return;
    }
    if (c->state == CLIENT_LINGERING) {
      event_add(&c->read, NULL);
      return;
    }
    c->in_used += (size_t)n;
    c->active_us = now_us();
  }
  c->status = http_parse(c->in, c->in_used, &c->request);
  if (c->status == 0) {
    event_add(&c->read, NULL);
    return;
  }
  if (c->status != 200) c->request.keep_alive = false;
  c->started_us = now_us();
  c->state = CLIENT_WORKING;
  activate(&c->lookup);
}

void on_lookup(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;
  char text[512];
  size_t size;
  (void)fd, (void)what;

  int status = c->status;
  if (status == 200) status = route_parse(c->request.target, config.default_width, &c->route);
  if (status != 200) {
    answer_problem(c, status);
    activate(&c->write);
    return;
  }
  if (c->route.kind == ROUTE_THUMB) {
    const struct cache_entry *entry = cache_find(c->route.key);
    if (entry == NULL) {
      activate(&c->render);
      return;
    }
    const void *data = cache_data(entry, &size);
    c->hit = true;
    answer(c, 200, "image/jpeg", data, size);
  } else if (c->route.kind == ROUTE_STATS) {
    size = stats_format(text, sizeof text);
    answer(c, 200, "text/plain", text, size);
  } else {
    static const char hello[] = "Hello from imgserve.\n";
    answer(c, 200, "text/plain", hello, sizeof hello - 1);
  }
  activate(&c->write);
}

void on_render(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;
  unsigned char *jpeg = NULL;
  size_t size = 0;
  int64_t start_us = now_us();
  (void)fd, (void)what;

  int status = render_thumbnail(config.pictures, c->route.name, c->route.width, &jpeg, &size, c->problem);
  c->render_us = now_us() - start_us;
  if (status != 200) {
    answer_problem(c, status);
    activate(&c->write);
    return;
  }
  answer(c, 200, "image/jpeg", jpeg, size);
  free(jpeg);
  activate(&c->store);
}

void on_store(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;
  (void)fd, (void)what;

  if (c->status == 200) cache_add(c->route.key, c->body, c->body_size);
  activate(&c->write);
}

/* Sends what is left, as far as the socket takes it. False: the connection is broken. */
static bool send_some(struct client *c, size_t total) {
  struct iovec parts[2];
  int count = 0;

  if (c->sent < c->header_size) {
    parts[count++] = (struct iovec){c->header + c->sent, c->header_size - c->sent};
    if (total > c->header_size) parts[count++] = (struct iovec){c->body, c->body_size};
  } else {
    size_t done = c->sent - c->header_size;
    parts[count++] = (struct iovec){c->body + done, c->body_size - done};
  }
  ssize_t n = writev(c->fd, parts, count);
  if (n < 0) return errno == EAGAIN || errno == EINTR;
  c->sent += (size_t)n;
  c->active_us = now_us();
  return true;
}

void on_write(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;
  size_t total = c->header_size + (c->request.head ? 0 : c->body_size);
  (void)fd, (void)what;

  if (!send_some(c, total)) {
    give_up(c);
    return;
  }
  if (c->sent < total) {
    c->state = CLIENT_SENDING;
    event_add(&c->write, NULL);
    return;
  }
  c->state = CLIENT_WORKING;
  activate(&c->log);
}

static void count_and_log(const struct client *c) {
  stats.requests++;
  stats.bytes_sent += c->sent;
  if (c->hit) stats.hits++;
  if (c->status >= 400) stats.refused++;
  if (c->render_us > 0) {
    stats.rendered++;
    stats.render_us += (uint64_t)c->render_us;
  }
  log_line("%s %s %d %zu %" PRId64 "us%s%s%s", c->request.method[0] ? c->request.method : "-",
           c->request.target[0] ? c->request.target : "-", c->status, c->sent, now_us() - c->started_us,
           c->hit ? " hit" : "", c->problem[0] ? " " : "", c->problem);
}

void on_log(evutil_socket_t fd, short what, void *arg) {
  struct client *c = arg;
  (void)fd, (void)what;

  if (c->status != 0) count_and_log(c);
  if (c->status >= 400 && !c->request.keep_alive && !server_draining()) {
    shutdown(c->fd, SHUT_WR);
    client_next_request(c);
    c->in_used = 0;
    c->state = CLIENT_LINGERING;
    event_add(&c->read, NULL);
    return;
  }
  if (!c->request.keep_alive || server_draining()) {
    client_close(c);
    server_client_closed();
    return;
  }
  client_next_request(c);
  c->state = CLIENT_WAITING;
  if (c->in_used > 0)
    activate(&c->read); /* the peer did not wait for the answer */
  else
    event_add(&c->read, NULL);
}
