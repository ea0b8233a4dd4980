// A server that computes digests: a client sends "ROUNDS TEXT" lines and gets the digest of each.
//
// What goes wrong is counted, in one place for the whole program. That alone keeps every two of its handlers apart,
// although next to no request goes wrong.
#include <arpa/inet.h>
#include <errno.h>
#include <event2/event.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "errors.h"

enum { MOST_ROUNDS = 100000000 };

struct client {
  struct event *readable;
  size_t used;
  char text[512];
};

// FNV-1a of 64 bits, over and over.
static uint64_t digest(const char *text, long rounds) {
  uint64_t hash = 0xcbf29ce484222325;
  for (long round = 0; round < rounds; round++)
    for (const char *at = text; *at != 0; at++) hash = (hash ^ (unsigned char)*at) * 0x100000001b3;
  return hash;
}

static long parse(char *line, char **text) {
  const long rounds = strtol(line, text, 10);
  if (*text == line || **text != ' ' || rounds < 1 || rounds > MOST_ROUNDS) {
    errors_count(BAD_REQUEST);
    return -1;
  }
  ++*text;
  return rounds;
}

static void answer(int fd, char *line) {
  char reply[64];
  char *text;
  const long rounds = parse(line, &text);
  int size;
  if (rounds < 0)
    size = snprintf(reply, sizeof reply, "error: send ROUNDS TEXT\n");
  else
    size = snprintf(reply, sizeof reply, "%016" PRIx64 "\n", digest(text, rounds));
  if (send(fd, reply, (size_t)size, MSG_NOSIGNAL) < 0) errors_count(LOST_ANSWER);
}

static void drop(int fd, struct client *client) {
  event_free(client->readable);
  free(client);
  close(fd);
}

static void on_readable(evutil_socket_t fd, short what, void *arg) {
  (void)what;
  struct client *client = arg;
  const ssize_t got = recv(fd, client->text + client->used, sizeof client->text - 1 - client->used, 0);
  if (got < 0) {
    if (errno != EAGAIN && errno != EINTR) {
      errors_count(FAILED_READ);
      drop(fd, client);
    }
    return;
  }
  if (got == 0) {
    drop(fd, client);
    return;
  }
  client->used += (size_t)got;
  char *line = client->text;
  char *end;
  while ((end = memchr(line, '\n', client->used)) != NULL) {
    *end = 0;
    answer(fd, line);
    client->used -= (size_t)(end + 1 - line);
    line = end + 1;
  }
  memmove(client->text, line, client->used);
  if (client->used == sizeof client->text - 1) {
    client->used = 0;
    if (send(fd, "error: too long\n", 16, MSG_NOSIGNAL) < 0) errors_count(LOST_ANSWER);
  }
}

static void on_accept(evutil_socket_t listener, short what, void *base) {
  (void)what;
  const int fd = accept(listener, NULL, NULL);
  if (fd < 0) {
    errors_count(FAILED_ACCEPT);
    return;
  }
  evutil_make_socket_nonblocking(fd);
  struct client *client = calloc(1, sizeof *client);
  if (client == NULL) {
    errors_count(FAILED_ACCEPT);
    close(fd);
    return;
  }
  client->readable = event_new(base, fd, EV_READ | EV_PERSIST, on_readable, client);
  event_add(client->readable, NULL);
}

static void on_report(evutil_socket_t number, short what, void *arg) {
  (void)number, (void)what, (void)arg;
  errors_print();
}

static void on_stop(evutil_socket_t number, short what, void *base) {
  (void)number, (void)what;
  event_base_loopbreak(base);
}

int main(void) {
  struct event_base *base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  const int listener = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0);
  if (base == NULL || listener < 0 || bind(listener, (struct sockaddr *)&address, size) != 0 ||
      listen(listener, 128) != 0) {
    perror("digest");
    return 1;
  }
  struct event *accepting = event_new(base, listener, EV_READ | EV_PERSIST, on_accept, base);
  struct event *report = evsignal_new(base, SIGUSR1, on_report, NULL);
  struct event *stop = evsignal_new(base, SIGTERM, on_stop, base);
  event_add(accepting, NULL);
  event_add(report, NULL);
  event_add(stop, NULL);
  getsockname(listener, (struct sockaddr *)&address, &size);
  printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  event_base_dispatch(base);
  errors_print();
  return 0;
}
