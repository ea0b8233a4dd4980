#define _GNU_SOURCE /* accept4 */
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event_struct.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "config.h"
#include "conn.h"
#include "date.h"
#include "log.h"
#include "map_cache.h"
#include "serve.h"
#include "stats.h"
#include "throttle.h"

enum { BACKLOG = 1024, IDLE_MAX_S = 5, OCCASIONAL_S = 120, KEEP_MAPS_MS = 600 * 1000, THROTTLE_S = 2 };

static struct {
  struct event_base *base;
  int fd, port;
  bool paused; /* not accepting: there is no room for a connection */
  bool stopping;
} server = {.fd = -1};

static struct event accepting, idle, occasional, throttle, statistics, sigterm, sigint, sigusr1, sighup;

static void pause_accepting(void) {
  server.paused = true;
  event_del(&accepting);
}

static void resume_accepting(void) {
  if (!server.paused || server.stopping) return;
  server.paused = false;
  event_add(&accepting, NULL);
}

static bool take_peer(int peer, const struct sockaddr_in *address) {
  int on = 1;
  setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  struct conn *c = conn_new(server.base, peer, address);
  if (c == NULL || event_add(&c->read, NULL) != 0) {
    free(c);
    close(peer);
    return false;
  }
  conn_insert(c);
  stats.accepted++;
  return true;
}

/* All that wait, as long as there is room. */
static void on_accept(evutil_socket_t fd, short what, void *arg) {
  (void)what, (void)arg;
  while (!conn_table_full()) {
    struct sockaddr_in address;
    socklen_t size = sizeof address;
    int peer = accept4(fd, (struct sockaddr *)&address, &size, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (peer < 0) {
      if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) pause_accepting();
      return;
    }
    if (!take_peer(peer, &address)) return;
  }
  pause_accepting();
}

void server_drop(struct conn *c) {
  conn_close(c);
  resume_accepting();
  if (server.stopping && conn_count() == 0) event_base_loopexit(server.base, NULL);
}

/* Paused connections are not idle: it is we who keep them waiting. */
static void drop_if_idle(struct conn *c, int64_t before_ms) {
  if (c->moved_ms >= before_ms) return;
  if (c->state == CONN_READING && c->in_used > 0) {
    c->moved_ms = now_ms();
    serve_refuse(c, 408);
  } else if (c->state == CONN_READING || c->state == CONN_SENDING) {
    serve_end_request(c);
    server_drop(c);
  }
}

static void on_idle(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  int64_t before_ms = now_ms() - (int64_t)config.idle_s * 1000;
  for (int i = conn_count() - 1; i >= 0; i--) drop_if_idle(conn_at(i), before_ms);
  resume_accepting(); /* there may be descriptors again */
  log_flush();
}

static void on_occasional(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  map_clean(now_ms() - KEEP_MAPS_MS);
}

void server_clean_soon(void) { event_active(&occasional, EV_TIMEOUT, 0); }

static void on_throttle(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  for (int i = 0; i < conn_count(); i++) throttle_collect(&conn_at(i)->pace);
  throttle_rate(THROTTLE_S);
  for (int i = 0; i < conn_count(); i++) throttle_assign(&conn_at(i)->pace);
}

static void on_stats(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  stats_report(config.stats_s);
}

static void on_stop(evutil_socket_t signal, short what, void *arg) {
  (void)signal, (void)what, (void)arg;
  event_base_loopexit(server.base, NULL);
}

static void on_graceful(evutil_socket_t signal, short what, void *arg) {
  (void)signal, (void)what, (void)arg;
  if (server.stopping) return;
  server.stopping = true;
  event_del(&accepting);
  close(server.fd);
  server.fd = -1;
  for (int i = conn_count() - 1; i >= 0; i--) {
    struct conn *c = conn_at(i);
    if (c->state == CONN_LINGERING || (c->state == CONN_READING && c->in_used == 0)) conn_close(c);
  }
  if (conn_count() == 0) event_base_loopexit(server.base, NULL);
}

static void on_reopen(evutil_socket_t signal, short what, void *arg) {
  (void)signal, (void)what, (void)arg;
  log_reopen();
}

bool server_stopping(void) { return server.stopping; }

bool server_listen(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  socklen_t size = sizeof address;
  const int on = 1;

  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  bool good = server.fd >= 0 && setsockopt(server.fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) == 0;
  good = good && bind(server.fd, (struct sockaddr *)&address, size) == 0 && listen(server.fd, BACKLOG) == 0;
  good = good && getsockname(server.fd, (struct sockaddr *)&address, &size) == 0;
  if (!good) {
    fprintf(stderr, "fileserver: cannot listen on 127.0.0.1:%d (%s): choose another port with -p, or -p 0 for any\n",
            port, strerror(errno));
  }
  server.port = ntohs(address.sin_port);
  return good;
}

static const struct timer {
  struct event *event;
  event_callback_fn handler;
  int period_s; /* 0: from the command line */
} timers[] = {
    {&idle, on_idle, 0},
    {&occasional, on_occasional, OCCASIONAL_S},
    {&throttle, on_throttle, THROTTLE_S},
    {&statistics, on_stats, 0},
};

static const struct {
  int number;
  struct event *event;
  event_callback_fn handler;
} signals[] = {
    {SIGTERM, &sigterm, on_stop},
    {SIGINT, &sigint, on_stop},
    {SIGUSR1, &sigusr1, on_graceful},
    {SIGHUP, &sighup, on_reopen},
};

/* Looking for idle connections looks at every one, so no more often than the idle time asks for. */
static int period_of(const struct timer *timer) {
  int quarter = config.idle_s / 4;
  if (timer->period_s > 0) return timer->period_s;
  if (timer->event == &statistics) return config.stats_s;
  return quarter < 1 ? 1 : quarter < IDLE_MAX_S ? quarter : IDLE_MAX_S;
}

bool server_start(struct event_base *base) {
  server.base = base;
  signal(SIGPIPE, SIG_IGN);
  event_assign(&accepting, base, server.fd, EV_READ | EV_PERSIST, on_accept, NULL);
  bool good = event_add(&accepting, NULL) == 0;
  for (size_t i = 0; i < sizeof timers / sizeof *timers; i++) {
    const struct timeval period = {.tv_sec = period_of(&timers[i])};
    event_assign(timers[i].event, base, -1, EV_PERSIST, timers[i].handler, NULL);
    good = good && event_add(timers[i].event, &period) == 0;
  }
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) {
    evsignal_assign(signals[i].event, base, signals[i].number, signals[i].handler, NULL);
    good = good && event_add(signals[i].event, NULL) == 0;
  }
  if (!good) {
    fputs("fileserver: the event loop takes no events\n", stderr);
    return false;
  }
  printf("listening on 127.0.0.1:%d\n", server.port);
  fflush(stdout);
  return true;
}

void server_stop(void) {
  event_del(&accepting);
  for (size_t i = 0; i < sizeof timers / sizeof *timers; i++) event_del(timers[i].event);
  for (size_t i = 0; i < sizeof signals / sizeof *signals; i++) event_del(signals[i].event);
  while (conn_count() > 0) {
    struct conn *c = conn_at(0);
    serve_end_request(c);
    conn_close(c);
  }
  if (server.fd >= 0) close(server.fd);
}
