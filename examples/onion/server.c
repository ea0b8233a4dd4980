#define _GNU_SOURCE /* accept4 */
#include "server.h"

#include <arpa/inet.h>
#include <errno.h>
#include <event2/event_struct.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "circuit.h"
#include "link.h"
#include "pk_ops.h"

enum { BACKLOG = 1024 };

static struct {
  struct event_base *base;
  int fd, port;
  bool paused; /* not accepting: no descriptor was free */
  struct event accepting, statistics, sigterm, sigint;
} server = {.fd = -1};

/* All that wait. */
static void on_accept(evutil_socket_t fd, short what, void *arg) {
  (void)what, (void)arg;
  for (;;) {
    int peer = accept4(fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
    if (peer < 0 && (errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM)) {
      server.paused = true;
      event_del(&server.accepting);
    }
    if (peer < 0 || link_accept(peer) == NULL) return;
  }
}

void server_may_accept(void) {
  if (!server.paused) return;
  server.paused = false;
  event_add(&server.accepting, NULL);
}

static void on_stats(evutil_socket_t fd, short what, void *arg) {
  (void)fd, (void)what, (void)arg;
  fprintf(stderr,
          "onion: %d links, %d circuits, %lu built; public-key operations: %lu decrypted, %lu made, %lu agreed\n",
          links_count(), circuits_count(), circuits_built(), pk_ops_so_far(PK_DECRYPT), pk_ops_so_far(PK_FRESH_KEY),
          pk_ops_so_far(PK_AGREE));
}

static void on_stop(evutil_socket_t number, short what, void *arg) {
  (void)number, (void)what, (void)arg;
  event_base_loopexit(server.base, NULL);
}

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
    fprintf(stderr, "onion: cannot listen on 127.0.0.1:%d (%s): choose another port with -p, or -p 0 for any\n", port,
            strerror(errno));
  }
  server.port = ntohs(address.sin_port);
  return good;
}

bool server_start(struct event_base *base, int stats_s) {
  const struct timeval period = {.tv_sec = stats_s};

  server.base = base;
  signal(SIGPIPE, SIG_IGN);
  event_assign(&server.accepting, base, server.fd, EV_READ | EV_PERSIST, on_accept, NULL);
  event_assign(&server.statistics, base, -1, EV_PERSIST, on_stats, NULL);
  evsignal_assign(&server.sigterm, base, SIGTERM, on_stop, NULL);
  evsignal_assign(&server.sigint, base, SIGINT, on_stop, NULL);
  if (event_add(&server.accepting, NULL) != 0 || event_add(&server.statistics, &period) != 0 ||
      event_add(&server.sigterm, NULL) != 0 || event_add(&server.sigint, NULL) != 0) {
    fputs("onion: the event loop takes no events\n", stderr);
    return false;
  }
  printf("listening on 127.0.0.1:%d\n", server.port);
  fflush(stdout);
  return true;
}

void server_stop(void) {
  event_del(&server.accepting);
  event_del(&server.statistics);
  event_del(&server.sigterm);
  event_del(&server.sigint);
  close(server.fd);
}
