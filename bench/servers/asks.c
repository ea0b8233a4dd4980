/* A load generator for servers of any protocol: many connections, each of which asks one question again and again.
 *
 *   asks [-u] [-e] [-c CONNECTIONS] [-w WARM_UP_S] [-s SECONDS] [-b PORT] [-p PID] PORT QUESTION-IN-HEX
 *
 * What the first answer is long, all must be, and begin alike. -u: over UDP. -e: over a connection of its own for each
 * question. -b: is also the server behind a proxy, and sends back what comes to that port. Says in one line of JSON how
 * many answers there were in how many seconds, and what processor time process PID took for them. One thread, so that
 * the server has the other cores.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { LONGEST = 1 << 20, BEGINNING = 12, MOST = 4096, QUIET_MS = 200, PATIENCE_MS = 20000 };

enum kind { ASKS, LISTENS, ECHOES };
struct peer {
  enum kind kind;
  int fd;
  size_t got;
};

static char question[LONGEST], answer[LONGEST], space[LONGEST];
static size_t question_size, answer_size;
static int udp, each, poller, server_port;
static unsigned long answers;
static struct peer peers[MOST];

static void fail(const char *what) {
  fprintf(stderr, "asks: %s (%s)\n", what, strerror(errno));
  exit(1);
}

static double seconds_of(clockid_t clock) {
  struct timespec now;
  if (clock_gettime(clock, &now) != 0) fail("the server is gone");
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static struct sockaddr_in address(int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  return to;
}

static void watch(struct peer *peer) {
  struct epoll_event interest = {.events = EPOLLIN, .data.ptr = peer};
  if (epoll_ctl(poller, EPOLL_CTL_ADD, peer->fd, &interest) != 0) fail("epoll_ctl");
}

static void ask(struct peer *peer) {
  peer->got = 0;
  if (question_size != 0 && write(peer->fd, question, question_size) != (ssize_t)question_size) fail("cannot ask");
}

static void connect_and_ask(struct peer *peer) {
  const struct sockaddr_in to = address(server_port);
  const int on = 1;
  const struct linger at_once = {1, 0}; /* leaves no port waiting for a minute */
  peer->kind = ASKS;
  peer->fd = socket(AF_INET, (udp ? SOCK_DGRAM : SOCK_STREAM) | SOCK_CLOEXEC, 0);
  if (peer->fd < 0 || connect(peer->fd, (const struct sockaddr *)&to, sizeof to) != 0) fail("cannot connect");
  if (!udp) setsockopt(peer->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
  if (each) setsockopt(peer->fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once);
  watch(peer);
  ask(peer);
}

static void echo(struct peer *peer) {
  const ssize_t size = read(peer->fd, space, sizeof space);
  if (size > 0 && write(peer->fd, space, (size_t)size) == size) return;
  close(peer->fd);
  free(peer);
}

static void take_connection(const struct peer *listener) {
  struct peer *peer = calloc(1, sizeof *peer);
  if (peer == NULL) fail("no memory");
  peer->kind = ECHOES;
  peer->fd = accept4(listener->fd, NULL, NULL, SOCK_CLOEXEC);
  if (peer->fd < 0) fail("accept");
  watch(peer);
}

/* True if that was all of the first answer: the server has closed. */
static int receive(struct peer *peer) {
  const ssize_t size = read(peer->fd, space, sizeof space);
  if (size < 0) fail("no answer");
  if (size == 0 && !(each && (answer_size == 0 || peer->got == answer_size))) {
    errno = 0;
    fail("the server closed a connection");
  }
  if (answer_size == 0) { /* the first */
    memcpy(answer + peer->got, space, (size_t)size);
    peer->got += (size_t)size;
    return size == 0;
  }
  if (peer->got == 0 && memcmp(space, answer, (size_t)size < BEGINNING ? (size_t)size : BEGINNING) != 0) {
    errno = 0;
    fail("an answer begins otherwise than the first");
  }
  peer->got += (size_t)size;
  if (peer->got > answer_size) {
    errno = 0;
    fail("an answer is longer than the first");
  }
  if (peer->got < answer_size) return 0;
  if (!each) {
    ++answers;
    ask(peer);
  } else {
    ++answers;
    close(peer->fd);
    connect_and_ask(peer);
  }
  return 0;
}

/* Until the time has come, or with one connection until its answer has. */
static void work_until(double end) {
  struct epoll_event found[64];
  while (end == 0 || seconds_of(CLOCK_MONOTONIC) < end) {
    const int wait_ms = end != 0 ? PATIENCE_MS : peers[0].got != 0 ? QUIET_MS : PATIENCE_MS;
    const int count = epoll_wait(poller, found, 64, wait_ms);
    if (count == 0 && end == 0 && peers[0].got != 0) return;
    if (count <= 0) fail("no answer comes");
    for (int i = 0; i < count; ++i) {
      struct peer *peer = found[i].data.ptr;
      if (peer->kind == LISTENS)
        take_connection(peer);
      else if (peer->kind == ECHOES)
        echo(peer);
      else if (receive(peer) && end == 0)
        return;
    }
  }
}

static void learn_answer(void) {
  connect_and_ask(&peers[0]);
  work_until(0);
  answer_size = peers[0].got;
  close(peers[0].fd);
}

static void listen_at(int port) {
  static struct peer listener = {.kind = LISTENS};
  const struct sockaddr_in at = address(port);
  const int on = 1;
  listener.fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
  setsockopt(listener.fd, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(listener.fd, (const struct sockaddr *)&at, sizeof at) != 0 || listen(listener.fd, MOST) != 0)
    fail("cannot listen");
  watch(&listener);
}

static void read_question(const char *hex) {
  unsigned byte;
  for (; hex[0] != 0 && hex[1] != 0 && sscanf(hex, "%2x", &byte) == 1; hex += 2) question[question_size++] = (char)byte;
}

int main(int argc, char **argv) {
  int connections = 1, option;
  double warm_up_s = 0.2, length_s = 1;
  clockid_t servers = CLOCK_PROCESS_CPUTIME_ID;
  poller = epoll_create1(EPOLL_CLOEXEC);
  while ((option = getopt(argc, argv, "uec:w:s:b:p:")) != -1) {
    if (option == 'u') udp = 1;
    if (option == 'e') each = 1;
    if (option == 'c') connections = atoi(optarg);
    if (option == 'w') warm_up_s = atof(optarg);
    if (option == 's') length_s = atof(optarg);
    if (option == 'b') listen_at(atoi(optarg));
    if (option == 'p' && clock_getcpuclockid(atoi(optarg), &servers) != 0) fail("no such process");
  }
  if (argc - optind != 2 || connections < 1 || connections > MOST) {
    fputs("usage: asks [-u] [-e] [-c N] [-w S] [-s S] [-b PORT] [-p PID] PORT QUESTION-IN-HEX\n", stderr);
    return 2;
  }
  server_port = atoi(argv[optind]);
  read_question(argv[optind + 1]);
  learn_answer();
  for (int i = 0; i < connections; ++i) connect_and_ask(&peers[i]);
  work_until(seconds_of(CLOCK_MONOTONIC) + warm_up_s);
  const double began = seconds_of(CLOCK_MONOTONIC), cpu_began = seconds_of(servers);
  answers = 0;
  work_until(began + length_s);
  printf("{\"answers\": %lu, \"seconds\": %.6f, \"cpu_s\": %.6f, \"bytes\": %zu}\n", answers,
         seconds_of(CLOCK_MONOTONIC) - began, seconds_of(servers) - cpu_began, answer_size);
  return 0;
}
