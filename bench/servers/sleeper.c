/* Answers every request after sleeping for 5 ms, as a server does that asks a disk or a database and waits. The handler
 * touches nothing but its own connection. Ends on SIGTERM. */
#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

struct session {
  struct event read;
  size_t used;
  char request[1024];
};

static struct event_base *base;

static void end(struct session *s, int fd) {
  event_del(&s->read);
  close(fd);
  free(s);
}

static void on_request(evutil_socket_t fd, short what, void *arg) {
  static const char answer[] = "HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 5\r\n\r\ndone\n";
  static const struct timespec five_ms = {.tv_nsec = 5000000};
  struct session *s = arg;
  (void)what;

  ssize_t n = read(fd, s->request + s->used, sizeof s->request - s->used);
  if (n < 0 && (errno == EAGAIN || errno == EINTR)) return;
  if (n <= 0 || s->used + (size_t)n == sizeof s->request) {
    end(s, fd);
    return;
  }
  s->used += (size_t)n;
  if (s->used < 4 || memcmp(s->request + s->used - 4, "\r\n\r\n", 4) != 0) return;
  s->used = 0;
  nanosleep(&five_ms, NULL);
  if (write(fd, answer, sizeof answer - 1) != (ssize_t)sizeof answer - 1) end(s, fd);
}

static void on_accept(evutil_socket_t fd, short what, void *arg) {
  (void)what, (void)arg;
  int peer = accept(fd, NULL, NULL);
  if (peer < 0) return;
  evutil_make_socket_nonblocking(peer);
  struct session *s = calloc(1, sizeof *s);
  if (s == NULL) {
    close(peer);
    return;
  }
  event_assign(&s->read, base, peer, EV_READ | EV_PERSIST, on_request, s);
  event_add(&s->read, NULL);
}

static void on_signal(evutil_socket_t number, short what, void *arg) {
  (void)number, (void)what, (void)arg;
  event_base_loopbreak(base);
}

int main(void) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  socklen_t size = sizeof address;
  struct event accept_event, term_event;

  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  int fd = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (fd < 0 || bind(fd, (struct sockaddr *)&address, sizeof address) != 0 || listen(fd, 1024) != 0 ||
      getsockname(fd, (struct sockaddr *)&address, &size) != 0) {
    perror("sleeper: cannot listen");
    return 2;
  }
  signal(SIGPIPE, SIG_IGN);
  base = event_base_new();
  event_assign(&accept_event, base, fd, EV_READ | EV_PERSIST, on_accept, NULL);
  evsignal_assign(&term_event, base, SIGTERM, on_signal, NULL);
  event_add(&accept_event, NULL);
  event_add(&term_event, NULL);
  printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  event_base_dispatch(base);
  event_base_free(base);
  return 0;
}
