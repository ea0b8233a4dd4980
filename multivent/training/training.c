/* What a server does to its loop, for the compiler to see: the release build is optimised by a profile of this program
 * (multivent/training/CMakeLists.txt).
 *
 * One process is the server: lines through a pipe, a ring of pipes that pass a byte on, timers that are set and taken
 * back, bufferevents that send back what comes, HTTP over kept connections and new ones. Another process is all of its
 * clients. Nothing here takes long, as in most servers: it is the loop itself that is to be quick. What each part does
 * was chosen from libevent's interface, not from the programs that benchmarks measure. Usage: training. Exit code 0 if
 * all was answered.
 */
#include <arpa/inet.h>
#include <err.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/listener.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "multivent/multivent.h"

enum { RING = 50, TURNS = 40000, LINES = 40000, PEERS = 24, ROUNDS = 250 };

static struct event_base* base;
static int ring[RING][2];
static struct event* passes[RING];
static int turns;
static size_t line_bytes;
static const struct timeval later = {5, 0};

static void fail(const char* what) { err(1, "training: %s", what); }

/* --- The server --- */

static void on_line(evutil_socket_t fd, short what, void* arg) {
  (void)what, (void)arg;
  char bytes[256];
  const ssize_t count = read(fd, bytes, sizeof bytes);
  if (count > 0) line_bytes += (size_t)count;
}

/* Every other pipe has a timeout, which is set anew each time. */
static void on_pass(evutil_socket_t fd, short what, void* arg) {
  (void)what;
  char byte;
  const int number = (int)(size_t)arg;
  if (read(fd, &byte, 1) != 1) fail("the ring");
  event_add(passes[number], number % 2 == 0 ? &later : NULL);
  if (++turns < TURNS && write(ring[(number + 1) % RING][1], "x", 1) != 1) fail("the ring");
}

static void on_echo(struct bufferevent* bev, void* arg) {
  (void)arg;
  bufferevent_write_buffer(bev, bufferevent_get_input(bev));
}

static void on_end(struct bufferevent* bev, short what, void* arg) {
  (void)arg;
  if (what & (BEV_EVENT_EOF | BEV_EVENT_ERROR)) bufferevent_free(bev);
}

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* from, int length,
                      void* arg) {
  (void)listener, (void)from, (void)length, (void)arg;
  struct bufferevent* bev = bufferevent_socket_new(base, fd, BEV_OPT_CLOSE_ON_FREE);
  bufferevent_setcb(bev, on_echo, NULL, on_end, NULL);
  bufferevent_set_timeouts(bev, &later, NULL);
  bufferevent_enable(bev, EV_READ | EV_WRITE);
}

static void on_request(struct evhttp_request* request, void* arg) {
  (void)arg;
  struct evbuffer* page = evbuffer_new();
  evbuffer_add(page, "0123456789", 10);
  evhttp_send_reply(request, 200, "OK", page);
  evbuffer_free(page);
}

static void on_clients_end(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what, (void)arg;
  event_base_loopbreak(base);
}

/* --- The clients --- */

static int connected(int port) {
  struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((unsigned short)port)};
  to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  const int fd = socket(AF_INET, SOCK_STREAM, 0);
  if (fd < 0 || connect(fd, (struct sockaddr*)&to, sizeof to) != 0) fail("connect");
  return fd;
}

static void ask(int fd, const char* text) {
  if (write(fd, text, strlen(text)) != (ssize_t)strlen(text)) fail("write");
}

/* Until what came ends with `end`. */
static void await(int fd, const char* end) {
  char bytes[4096];
  const size_t wanted = strlen(end);
  for (size_t count = 0;;) {
    const ssize_t more = read(fd, bytes + count, sizeof bytes - count);
    if (more <= 0) fail("no answer");
    count += (size_t)more;
    if (count >= wanted && memcmp(bytes + count - wanted, end, wanted) == 0) return;
  }
}

static void be_clients(int echo_port, int http_port, int lines) {
  static const char kLine[] = "a line that is about as long as those of a log that somebody follows\n";
  static const char kKept[] = "GET /page HTTP/1.1\r\nHost: a\r\n\r\n";
  static const char kClosed[] = "GET /page HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n";
  int peers[PEERS];
  for (int i = 0; i < LINES; i++) ask(lines, kLine);
  for (int i = 0; i < PEERS; i++) peers[i] = connected(i % 2 == 0 ? echo_port : http_port);
  for (int round = 0; round < ROUNDS; round++) {
    for (int i = 0; i < PEERS; i++) ask(peers[i], i % 2 == 0 ? kLine : kKept);
    for (int i = 0; i < PEERS; i++) await(peers[i], i % 2 == 0 ? "\n" : "0123456789");
    const int once = connected(http_port);
    ask(once, kClosed);
    await(once, "0123456789");
    close(once);
  }
}

/* --- Both --- */

static int port_of(evutil_socket_t fd) {
  struct sockaddr_in bound;
  socklen_t length = sizeof bound;
  if (getsockname(fd, (struct sockaddr*)&bound, &length) != 0) fail("getsockname");
  return ntohs(bound.sin_port);
}

/* All may run at once: so what the loop remembers of its handlers is used, too. */
static void promise(void) {
  const multivent_handler all[] = {MULTIVENT_HANDLER(on_line), MULTIVENT_HANDLER(on_pass),
                                   MULTIVENT_HANDLER(on_clients_end)};
  for (size_t a = 0; a < sizeof all / sizeof all[0]; a++)
    for (size_t b = a; b < sizeof all / sizeof all[0]; b++)
      if (multivent_promise(all[a], all[b], a == b ? MULTIVENT_SESSION : MULTIVENT_NEVER) != 0)
        errx(1, "training: %s", multivent_error());
}

int main(void) {
  int lines[2];
  int clients[2];
  if (pipe(lines) != 0 || pipe(clients) != 0) fail("pipe");
  promise();
  base = event_base_new();
  struct sockaddr_in any = {.sin_family = AF_INET};
  any.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct evconnlistener* listener =
      evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_CLOSE_ON_FREE, 64, (struct sockaddr*)&any, sizeof any);
  struct evhttp* http = evhttp_new(base);
  struct evhttp_bound_socket* bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
  if (listener == NULL || bound == NULL) fail("listen");
  evhttp_set_cb(http, "/page", on_request, NULL);
  const int echo_port = port_of(evconnlistener_get_fd(listener));
  const int http_port = port_of(evhttp_bound_socket_get_fd(bound));
  const pid_t child = fork();
  if (child < 0) fail("fork");
  if (child == 0) {
    close(clients[0]);
    be_clients(echo_port, http_port, lines[1]);
    _exit(0);
  }
  close(clients[1]);
  struct event* line = event_new(base, lines[0], EV_READ | EV_PERSIST, on_line, NULL);
  struct event* end = event_new(base, clients[0], EV_READ, on_clients_end, NULL);
  event_add(line, NULL);
  event_add(end, NULL);
  for (size_t i = 0; i < RING; i++) {
    if (pipe(ring[i]) != 0) fail("pipe");
    passes[i] = event_new(base, ring[i][0], EV_READ, on_pass, (void*)i);
    event_add(passes[i], NULL);
  }
  for (int i = 0; i < RING; i += 10)
    if (write(ring[i][1], "x", 1) != 1) fail("write");
  event_base_dispatch(base);
  int status = 1;
  if (waitpid(child, &status, 0) != child || status != 0) errx(1, "training: a client was not answered");
  printf("%d turns, %zu bytes of lines\n", turns, line_bytes);
  for (size_t i = 0; i < RING; i++) event_free(passes[i]);
  event_free(line);
  event_free(end);
  evhttp_free(http);
  evconnlistener_free(listener);
  event_base_free(base);
  return 0;
}
