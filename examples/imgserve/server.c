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

#include "client.h"
#include "clock.h"
#include "config.h"
#include "log.h"
#include "stats.h"

enum { BACKLOG = 1024, LINGER_S = 2, DRAIN_S = 5, SWEEP_MAX_S = 5 };

static struct {
  struct event_base *base;
  int fd, port;
  struct event accept, sweep, sigterm, sigint;
  bool accept_paused; /* no descriptor is free; the sweep tries again */
  bool draining;
  int64_t drain_until_us;
} server = {.fd = -1};

/* Each sweep looks at every client, so no more often than the idle time asks for. */
static int sweep_s(void) {
  int quarter = config.idle_s / 4;
  return quarter < 1 ? 1 : quarter < SWEEP_MAX_S ? quarter : SWEEP_MAX_S;
}

static bool sweep_every(int seconds) {
  const struct timeval period = {.tv_sec = seconds};
  return event_add(&server.sweep, &period) == 0;
}

static void on_accept(evutil_socket_t fd, short what, void *arg) {
  (void)what, (void)arg;
  int peer = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
  if (peer < 0) {
    if (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM) {
      server.accept_paused = true;
      event_del(&server.accept);
      sweep_every(1);
    }
    return;
  }
  int on = 1;
  setsockopt(peer, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);

  struct client *c = client_new(server.base, peer);
  if (c == NULL || event_add(&c->read, NULL) != 0) {
    free(c);
    close(peer);
    return;
  }
  client_insert(c);
  stats.accepted++;
}

static void on_sweep(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  int64_t now = now_us();
  stats.swept += clients_close_idle(now - (int64_t)config.idle_s * 1000000, now - (int64_t)LINGER_S * 1000000);
  log_flush();
  if (server.draining) {
    if (client_count() == 0 || now > server.drain_until_us) event_base_loopexit(server.base, NULL);
  } else if (server.accept_paused) {
    server.accept_paused = false;
    event_add(&server.accept, NULL);
    sweep_every(sweep_s());
  }
}

static void on_signal(evutil_socket_t signal, short what, void *arg) {
  (void)signal, (void)what, (void)arg;
  if (server.draining) { /* asked twice: now */
    event_base_loopexit(server.base, NULL);
    return;
  }
  server.draining = true;
  server.drain_until_us = now_us() + (int64_t)DRAIN_S * 1000000;
  sweep_every(1);
  event_del(&server.accept);
  close(server.fd);
  server.fd = -1;
  clients_close_unused();
  server_client_closed();
}

bool server_draining(void) { return server.draining; }

void server_client_closed(void) {
  if (server.draining && client_count() == 0) event_base_loopexit(server.base, NULL);
}

bool server_listen(int port) {
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_port = htons((uint16_t)port)};
  socklen_t size = sizeof address;
  int on = 1;

  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  server.fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (server.fd < 0 || setsockopt(server.fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      bind(server.fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(server.fd, BACKLOG) != 0 ||
      getsockname(server.fd, (struct sockaddr *)&address, &size) != 0) {
    fprintf(stderr, "imgserve: cannot listen on 127.0.0.1:%d (%s): choose another port with -p, or -p 0 for any\n",
            port, strerror(errno));
    return false;
  }
  server.port = ntohs(address.sin_port);
  return true;
}

bool server_start(struct event_base *base) {
  server.base = base;
  signal(SIGPIPE, SIG_IGN);
  event_assign(&server.accept, base, server.fd, EV_READ | EV_PERSIST, on_accept, NULL);
  event_assign(&server.sweep, base, -1, EV_PERSIST, on_sweep, NULL);
  evsignal_assign(&server.sigterm, base, SIGTERM, on_signal, NULL);
  evsignal_assign(&server.sigint, base, SIGINT, on_signal, NULL);
  if (event_add(&server.accept, NULL) != 0 || !sweep_every(sweep_s()) || event_add(&server.sigterm, NULL) != 0 ||
      event_add(&server.sigint, NULL) != 0) {
    fputs("imgserve: the event loop takes no events\n", stderr);
    return false;
  }
  printf("listening on 127.0.0.1:%d\n", server.port);
  fflush(stdout);
  return true;
}

void server_stop(void) {
  event_del(&server.accept);
  event_del(&server.sweep);
  event_del(&server.sigterm);
  event_del(&server.sigint);
  clients_close_all();
  if (server.fd >= 0) close(server.fd);
}
