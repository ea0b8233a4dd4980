// Counts the primes below each number that a client sends, a number and an answer per line, on bufferevents.
//
// Each session is a bufferevent and what belongs to it; read and event callback get it as their argument.
#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct session {
  struct bufferevent* stream;
  long answered;
  char line[64];
};

static long primes_below(long limit) {
  long found = 0;
  for (long n = 2; n < limit; n++) {
    long divisor = 2;
    while (divisor * divisor <= n && n % divisor != 0) divisor++;
    found += divisor * divisor > n;
  }
  return found;
}

static void on_lines(struct bufferevent* stream, void* arg) {
  struct session* s = arg;
  struct evbuffer* input = bufferevent_get_input(stream);
  size_t length = evbuffer_get_length(input);
  char text[4096];
  if (length > sizeof text) length = sizeof text;
  evbuffer_copyout(input, text, length);
  char* end = memchr(text, '\n', length);
  while (end != NULL) {
    const size_t bytes = (size_t)(end - text) + 1;
    *end = 0;
    const long found = primes_below(strtol(text, NULL, 10));
    evbuffer_drain(input, bytes);
    const int size = snprintf(s->line, sizeof s->line, "%ld %ld\n", ++s->answered, found);
    bufferevent_write(stream, s->line, (size_t)size);
    length -= bytes;
    memmove(text, text + bytes, length);
    end = memchr(text, '\n', length);
  }
}

static void on_end(struct bufferevent* stream, short what, void* arg) {
  struct session* s = arg;
  if (!(what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))) return;
  bufferevent_free(stream);
  free(s);
}

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* from, int size, void* arg) {
  (void)from, (void)size, (void)arg;
  struct session* s = calloc(1, sizeof *s);
  if (s == NULL) return;
  s->stream = bufferevent_socket_new(evconnlistener_get_base(listener), fd, BEV_OPT_CLOSE_ON_FREE);
  bufferevent_setcb(s->stream, on_lines, NULL, on_end, s);
  bufferevent_enable(s->stream, EV_READ);
}

static void on_signal(evutil_socket_t signal, short what, void* base) {
  (void)signal, (void)what;
  event_base_loopbreak(base);
}

int main(void) {
  struct event_base* base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  struct evconnlistener* listener = evconnlistener_new_bind(base, on_accept, NULL, LEV_OPT_CLOSE_ON_FREE, -1,
                                                            (struct sockaddr*)&address, sizeof address);
  struct event* end = evsignal_new(base, SIGTERM, on_signal, base);
  if (listener == NULL || event_add(end, NULL) != 0) return 1;
  getsockname(evconnlistener_get_fd(listener), (struct sockaddr*)&address, &size);
  printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  event_base_dispatch(base);
  event_free(end);
  evconnlistener_free(listener);
  event_base_free(base);
  return 0;
}
