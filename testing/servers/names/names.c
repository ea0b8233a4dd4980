// Looks names up with libevent's resolver, in a name server of its own, and counts the primes below a number that the
// address holds. A client sends a name per line: "a12.test" is looked up as a question for an address, any other by
// evdns_getaddrinfo(). It has its answer before it sends the next.
#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/dns.h>
#include <event2/dns_struct.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct server {
  struct event_base* base;
  struct evdns_base* resolver;
};

struct session {
  struct server* server;
  struct bufferevent* stream;
  int pending;
  int gone;
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

// --- The name server ---

static void on_question(struct evdns_server_request* request, void* arg) {
  (void)arg;
  for (int i = 0; i < request->nquestions; i++) {
    const struct evdns_server_question* question = request->questions[i];
    const unsigned long number = strtoul(question->name + 1, NULL, 10);
    const unsigned address = htonl(0x0a000000U + (unsigned)number);
    if (question->type == EVDNS_TYPE_A) evdns_server_request_add_a_reply(request, question->name, 1, &address, 60);
  }
  evdns_server_request_respond(request, 0);
}

// --- Clients ---

static void answer(struct session* s, long number) {
  s->pending--;
  if (s->gone) {
    if (s->pending == 0) free(s);
    return;
  }
  char line[64];
  const int size = snprintf(line, sizeof line, "%ld\n", number < 0 ? number : primes_below(number));
  bufferevent_write(s->stream, line, (size_t)size);
}

static void on_answer(int result, char type, int count, int ttl, void* addresses, void* arg) {
  (void)type, (void)ttl;
  unsigned address = 0;
  if (result == DNS_ERR_NONE && count > 0) memcpy(&address, addresses, sizeof address);
  answer(arg, result == DNS_ERR_NONE ? (long)(ntohl(address) & 0xffffff) : -1);
}

static void on_address(int error, struct evutil_addrinfo* found, void* arg) {
  long number = -1;
  if (error == 0 && found != NULL)
    number = ntohl(((const struct sockaddr_in*)found->ai_addr)->sin_addr.s_addr) & 0xffffff;
  if (found != NULL) evutil_freeaddrinfo(found);
  answer(arg, number);
}

static void on_name(struct bufferevent* stream, void* arg) {
  struct session* s = arg;
  char name[64];
  const size_t length = evbuffer_remove(bufferevent_get_input(stream), name, sizeof name - 1);
  name[length] = 0;
  name[strcspn(name, "\n")] = 0;
  s->pending++;
  if (name[0] == 'a') {
    evdns_base_resolve_ipv4(s->server->resolver, name, DNS_QUERY_NO_SEARCH, on_answer, s);
  } else {
    const struct evutil_addrinfo hints = {.ai_family = AF_INET, .ai_socktype = SOCK_STREAM, .ai_protocol = IPPROTO_TCP};
    evdns_getaddrinfo(s->server->resolver, name, "80", &hints, on_address, s);
  }
}

static void on_end(struct bufferevent* stream, short what, void* arg) {
  struct session* s = arg;
  if (!(what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))) return;
  bufferevent_free(stream);
  s->gone = 1;
  if (s->pending == 0) free(s);
}

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* from, int size, void* arg) {
  (void)from, (void)size;
  struct session* s = calloc(1, sizeof *s);
  if (s == NULL) return;
  s->server = arg;
  s->stream = bufferevent_socket_new(evconnlistener_get_base(listener), fd, BEV_OPT_CLOSE_ON_FREE);
  bufferevent_setcb(s->stream, on_name, NULL, on_end, s);
  bufferevent_enable(s->stream, EV_READ);
}

static void on_signal(evutil_socket_t signal, short what, void* base) {
  (void)signal, (void)what;
  event_base_loopbreak(base);
}

int main(void) {
  struct server server = {.base = event_base_new()};
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;

  const int fd = socket(AF_INET, SOCK_DGRAM, 0);
  evutil_make_socket_nonblocking(fd);
  if (bind(fd, (struct sockaddr*)&address, size) != 0) return 1;
  getsockname(fd, (struct sockaddr*)&address, &size);
  struct evdns_server_port* port = evdns_add_server_port_with_base(server.base, fd, 0, on_question, NULL);
  char text[32];
  snprintf(text, sizeof text, "127.0.0.1:%d", ntohs(address.sin_port));
  server.resolver = evdns_base_new(server.base, 0);
  if (port == NULL || evdns_base_nameserver_ip_add(server.resolver, text) != 0) return 1;

  address.sin_port = 0;
  struct evconnlistener* listener = evconnlistener_new_bind(server.base, on_accept, &server, LEV_OPT_CLOSE_ON_FREE, -1,
                                                            (struct sockaddr*)&address, sizeof address);
  struct event* end = evsignal_new(server.base, SIGTERM, on_signal, server.base);
  if (listener == NULL || event_add(end, NULL) != 0) return 1;
  getsockname(evconnlistener_get_fd(listener), (struct sockaddr*)&address, &size);
  printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  event_base_dispatch(server.base);
  event_free(end);
  evconnlistener_free(listener);
  evdns_base_free(server.resolver, 0);
  evdns_close_server_port(port);
  event_base_free(server.base);
  return 0;
}
