/* Handlers that cost what they are told to: to see what a runtime adds, and what it gains. Each session writes to
 * an eventfd of its own, so that its handler is due again as soon as it has run; no client takes part.
 *
 *     rings SESSIONS CALLS none|answer|spin|sleep AMOUNT own|shared
 *
 * Every session's handler is called CALLS times. It does nothing more, computes AMOUNT rounds, or sleeps AMOUNT
 * microseconds. With `answer` two sessions each are the ends of a TCP connection and answer each other's messages: the
 * least that a server does. `own` touches nothing but its session; `shared` counts in a variable of all. Prints
 * seconds. With `rings rounds` prints how many rounds take a millisecond here. */
#include <event2/event.h>
#include <event2/event_struct.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { MOST = 4096 };
enum kind { NONE, ANSWER, SPIN, SLEEP };

struct session {
  struct event read;
  long left;
  enum kind kind;
  long amount;
  uint64_t state;
};

static unsigned long calls; /* that shared handlers made */

static double now_s(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static uint64_t spin(uint64_t state, long rounds) {
  for (long i = 0; i < rounds; i++) state = state * 6364136223846793005u + 1442695040888963407u;
  return state;
}

/* One more call, unless it was the last. */
static void go_on(struct session *s, int fd) {
  uint64_t number;
  const ssize_t got = read(fd, &number, sizeof number);
  if (got != 0 && got != sizeof number) return;
  if (s->kind == SPIN) s->state = spin(s->state, s->amount);
  if (s->kind == SLEEP) {
    const struct timespec pause = {s->amount / 1000000, s->amount % 1000000 * 1000};
    nanosleep(&pause, NULL);
  }
  if (got != 0 && --s->left > 0 && write(fd, &number, sizeof number) == sizeof number) return;
  event_del(&s->read);
  close(fd);
  free(s);
}

static void on_own(evutil_socket_t fd, short what, void *arg) {
  (void)what;
  go_on(arg, fd);
}

static void on_shared(evutil_socket_t fd, short what, void *arg) {
  (void)what;
  calls++;
  go_on(arg, fd);
}

static void measure_rounds(void) {
  double best = 1;
  for (int i = 0; i < 20; i++) {
    double began = now_s();
    calls += spin(calls, 1000000) & 1;
    double took = now_s() - began;
    if (took < best) best = took;
  }
  printf("%.0f\n", 1000000 / best / 1000);
}

/* A socket that listens on loopback, at `here`. */
static int listening(struct sockaddr_in *here) {
  socklen_t size = sizeof *here;
  *here = (struct sockaddr_in){.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(fd, (struct sockaddr *)here, size) != 0 || listen(fd, 1) != 0) perror("rings: no listener");
  if (getsockname(fd, (struct sockaddr *)here, &size) != 0) perror("rings: no address");
  return fd;
}

/* One end of a connection, with a message on its way to the other, which `accept` gives next. */
static int dial(const struct sockaddr_in *there) {
  const uint64_t number = 1;
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(fd, (const struct sockaddr *)there, sizeof *there) != 0) perror("rings: no connection");
  if (write(fd, &number, sizeof number) != sizeof number) perror("rings: no message");
  return fd;
}

static bool start(struct event_base *base, int fd, const struct session *plan, bool shared) {
  struct session *s = calloc(1, sizeof *s);
  if (s == NULL || fd < 0) {
    perror("rings: no more sessions");
    return false;
  }
  *s = *plan;
  event_assign(&s->read, base, fd, EV_READ | EV_PERSIST, shared ? on_shared : on_own, s);
  return event_add(&s->read, NULL) == 0;
}

int main(int argc, char **argv) {
  if (argc == 2 && strcmp(argv[1], "rounds") == 0) {
    measure_rounds();
    return 0;
  }
  long count = argc == 6 ? strtol(argv[1], NULL, 10) : 0;
  if (count < 1 || count > MOST) {
    fputs("usage: rings SESSIONS CALLS none|answer|spin|sleep AMOUNT own|shared, or rings rounds\n", stderr);
    return 2;
  }
  struct event_base *base = event_base_new();
  struct session plan = {.left = strtol(argv[2], NULL, 10), .amount = strtol(argv[4], NULL, 10)};
  plan.kind = argv[3][0] == 'n' ? NONE : argv[3][0] == 'a' ? ANSWER : argv[3][1] == 'p' ? SPIN : SLEEP;
  const bool shared = argv[5][0] == 's';
  struct sockaddr_in here;
  const int listener = listening(&here);
  bool good = true;
  for (long i = 0; good && i < count; i++)
    if (plan.kind != ANSWER)
      good = start(base, eventfd(1, EFD_NONBLOCK), &plan, shared);
    else if (i % 2 == 0)
      good = start(base, dial(&here), &plan, shared);
    else
      good = start(base, accept(listener, NULL, NULL), &plan, shared);
  if (!good) return 2;
  close(listener);
  double began = now_s();
  event_base_dispatch(base);
  printf("%.6f\n", now_s() - began);
  event_base_free(base);
  return 0;
}
