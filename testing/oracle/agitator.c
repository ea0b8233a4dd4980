/* Makes the handlers of a small libevent program run, often and in random order, without anybody at the other end.
 *
 * The annotated programs of elyze/tests say what their handlers do, not who talks to them: they take descriptor 3 for a
 * connection and wait a second for a timer. Preloaded, this gives them connections (a socket pair behind each low
 * descriptor, with a line to read now and then), clients for what listens, and activates events at random. A loop ends
 * after so many rounds. All of it is what could happen to such a program, in one order of many.
 *
 * Built with REPEATABLE (repeatable.h), a seed stands for one sequence of activations, however fast handlers are and on
 * whichever threads they run. Then several events are activated at a time, between passes of the loop.
 *
 * Environment: AGITATE_SEED, AGITATE_ROUNDS (60).
 */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <event2/event.h>
#include <event2/event_struct.h>
#include <fcntl.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "repeatable.h"

enum { kFirst = 3, kConnections = 32, kPeers = 200, kMostEvents = 4096, kClients = 8, kRounds = 60, kMostAtOnce = 8 };

static unsigned long long state;
static struct event* unpollable[kMostEvents]; /* added, but epoll does not take their descriptor */
static int unpollable_count;
static pthread_mutex_t unpollable_mutex = PTHREAD_MUTEX_INITIALIZER;
static int clients[kClients];

static unsigned below(unsigned limit) {
  state = state * 6364136223846793005ULL + 1442695040888963407ULL;
  return (unsigned)((state >> 33) % limit);
}

static int number(const char* name, int otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : atoi(text);
}

/* A function of libevent itself, past any that stand in front of it: what the agitator does is not the program's. What
 * is to be repeatable is compared under what stands in front. */
static void* of_libevent(const char* name) {
  if (REPEATABLE) return dlsym(RTLD_NEXT, name);
  static void* library;
  if (library == NULL) library = dlopen("libevent-2.1.so.7", RTLD_NOW | RTLD_NOLOAD);
  return library == NULL ? NULL : dlsym(library, name);
}

__attribute__((constructor)) static void start(void) {
  state = (unsigned long long)number("AGITATE_SEED", 1) * 0x9e3779b97f4a7c15ULL + 1;
  int placeholder = open("/dev/null", O_RDONLY);
  for (int i = 0; i < kConnections; i++) {
    int pair[2];
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0, pair) != 0) return;
    int near = fcntl(pair[0], F_DUPFD, 300);
    dup3(pair[1], kPeers + i, O_CLOEXEC);
    if (pair[0] >= kFirst + kConnections) close(pair[0]);
    if (pair[1] >= kFirst + kConnections) close(pair[1]);
    dup2(near, kFirst + i);
    close(near);
  }
  if (placeholder >= kFirst + kConnections) close(placeholder);
}

static void forget(const struct event* ev) {
  pthread_mutex_lock(&unpollable_mutex);
  for (int i = 0; i < unpollable_count; i++)
    if (unpollable[i] == ev) unpollable[i--] = unpollable[--unpollable_count];
  pthread_mutex_unlock(&unpollable_mutex);
}

int event_add(struct event* ev, const struct timeval* timeout) {
  static int (*next)(struct event*, const struct timeval*);
  static const struct timeval never = {1000000, 0};
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "event_add");
  if (REPEATABLE && timeout != NULL) timeout = &never; /* time passes when it is agitated */
  if (next(ev, timeout) == 0) return 0;
  forget(ev);
  if (ev->ev_base == NULL) return -1;
  pthread_mutex_lock(&unpollable_mutex);
  const int fits = unpollable_count < kMostEvents;
  if (fits) unpollable[unpollable_count++] = ev;
  pthread_mutex_unlock(&unpollable_mutex);
  return fits ? 0 : -1;
}

int event_del(struct event* ev) {
  static int (*next)(struct event*);
  if (next == NULL) *(void**)&next = dlsym(RTLD_NEXT, "event_del");
  forget(ev);
  return next(ev);
}

/* Programs that listen must not meet each other. */
int bind(int descriptor, __CONST_SOCKADDR_ARG given, socklen_t length) {
  const struct sockaddr* address = given.__sockaddr__;
  struct sockaddr_in anywhere;
  if (address->sa_family == AF_INET && length >= sizeof anywhere) {
    memcpy(&anywhere, address, sizeof anywhere);
    anywhere.sin_port = 0;
    anywhere.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return (int)syscall(SYS_bind, descriptor, &anywhere, sizeof anywhere);
  }
  return (int)syscall(SYS_bind, descriptor, address, length);
}

static void knock(int listening) {
  struct sockaddr_in address;
  socklen_t length = sizeof address;
  int is_listening = 0;
  socklen_t size = sizeof is_listening;
  if (getsockopt(listening, SOL_SOCKET, SO_ACCEPTCONN, &is_listening, &size) != 0 || !is_listening) return;
  if (getsockname(listening, (struct sockaddr*)&address, &length) != 0 || address.sin_family != AF_INET) return;
  int* client = &clients[below(kClients)];
  if (*client != 0) close(*client);
  int fresh = socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  *client = fcntl(fresh, F_DUPFD_CLOEXEC, kPeers + kConnections);
  close(fresh);
  static const char request[] = "GET / HTTP/1.0\r\n\r\n";
  (void)!connect(*client, (struct sockaddr*)&address, length);
  (void)!send(*client, request, sizeof request - 1, MSG_NOSIGNAL);
}

int next_answer(int connection, char* bytes, int most) {
  return (int)recv(kPeers + connection, bytes, (size_t)most, 0);
}

struct choices {
  struct event* events[kMostEvents];
  unsigned count;
};

static int collect(const struct event_base* base, const struct event* ev, void* arg) {
  (void)base;
  struct choices* choices = arg;
  if (REPEATABLE && (ev->ev_evcallback.evcb_flags & EVLIST_INTERNAL)) return 0;
  if (choices->count < kMostEvents) choices->events[choices->count++] = (struct event*)(size_t)ev;
  return 0;
}

static struct event* choose(struct event_base* base) {
  static int (*each)(struct event_base*, event_base_foreach_event_cb, void*);
  if (each == NULL) *(void**)&each = of_libevent("event_base_foreach_event");
  static struct choices choices;
  choices.count = 0;
  each(base, collect, &choices);
  for (int i = 0; i < unpollable_count; i++)
    if (unpollable[i]->ev_base == base) collect(base, unpollable[i], &choices);
  if (REPEATABLE) put_in_order(choices.events, choices.count);
  struct event* chosen = NULL;
  for (unsigned i = 0; i < choices.count; i++)
    if (below(i + 1) == 0) chosen = choices.events[i];
  return chosen;
}

static void agitate(struct event_base* base) {
  static void (*activate)(struct event*, int, short);
  if (activate == NULL) *(void**)&activate = of_libevent("event_active");
  static const char line[] = "GET / HTTP/1.0\r\n\r\n";
  char rest[512];
  const int number_of_peer = (int)below(kConnections);
  const int peer = kPeers + number_of_peer;
  (void)!send(peer, line, 1 + below(sizeof line - 1), MSG_NOSIGNAL);
  const ssize_t length = recv(peer, rest, sizeof rest, 0);
  if (REPEATABLE && length > 0) note_answer(number_of_peer, rest, (size_t)length);
  struct event* ev = choose(base);
  if (ev == NULL) return;
  if (REPEATABLE) note_choice(ev);
  knock(ev->ev_fd);
  const short what = ev->ev_events & (EV_READ | EV_WRITE | EV_SIGNAL);
  if (!(ev->ev_events & EV_PERSIST)) forget(ev);
  activate(ev, what != 0 ? what : EV_TIMEOUT, 1);
}

int event_base_loop(struct event_base* base, int flags) {
  static int (*next)(struct event_base*, int);
  if (next == NULL) *(void**)&next = of_libevent("event_base_loop");
  if (flags & EVLOOP_NONBLOCK) return next(base, flags);
  const int rounds = flags & EVLOOP_ONCE ? 1 : number("AGITATE_ROUNDS", kRounds);
  struct place around = loop_begins(base);
  for (int i = 0; i < rounds; i++) {
    for (unsigned left = REPEATABLE ? below(kMostAtOnce + 1) : below(4) != 0; left > 0; left--) agitate(base);
    next(base, EVLOOP_NONBLOCK | EVLOOP_ONCE);
    if (event_base_got_exit(base) || event_base_got_break(base)) break;
  }
  loop_ends(around);
  return 0;
}

int event_base_dispatch(struct event_base* base) { return event_base_loop(base, 0); }

int event_loop(int flags) {
  struct event_base** usual = of_libevent("event_global_current_base_");
  return event_base_loop(*usual, flags);
}

int event_dispatch(void) { return event_loop(0); }
