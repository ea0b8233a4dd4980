// How arguments of libevent's types are made.
#pragma once

#include <event2/buffer.h>
#include <event2/buffer_compat.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_compat.h>
#include <event2/bufferevent_ssl.h>
#include <event2/bufferevent_struct.h>
#include <event2/dns.h>
#include <event2/dns_compat.h>
#include <event2/dns_struct.h>
#include <event2/event.h>
#include <event2/event_compat.h>
#include <event2/event_struct.h>
#include <event2/http.h>
#include <event2/http_compat.h>
#include <event2/http_struct.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <event2/rpc.h>
#include <event2/tag.h>
#include <event2/tag_compat.h>
#include <event2/thread.h>
#include <event2/util.h>
#include <openssl/ssl.h>
#include <sys/queue.h>

#include "testing/specs/calls/arguments.h"

// The base of the process, which the old functions use, too. The library locks bases.
static inline struct event_base* base(void) {
  static struct event_base* made;
  if (made == NULL) made = NEED(event_init());
  return locked(made);
}

static inline void on_nothing(evutil_socket_t descriptor, short what, void* argument) {
  (void)descriptor, (void)what, (void)argument;
}

static inline struct event* event_in(const char* name) {
  struct event* made = zeros(name, sizeof *made);
  if (event_assign(made, base(), some_socket(), EV_READ, on_nothing, NULL) != 0) need(NULL, "event_assign");
  return made;
}
static inline struct event* added(const char* name) {
  struct event* made = event_in(name);
  if (event_add(made, NULL) != 0) need(NULL, "event_add");
  return made;
}
static inline struct event* own_event(const char* name) {
  struct event* made = object(name, NEED(event_new(base(), some_socket(), EV_READ, on_nothing, NULL)));
  event_add(made, NULL);
  return made;
}

static inline struct evbuffer* buffer(const char* name) {
  struct evbuffer* made = NEED(evbuffer_new());
  evbuffer_add(made, "one line of text\r\nand another\r\n", 31);
  return object(name, made);
}

static inline void name_buffers(const char* name, struct bufferevent* made) {
  char inner[24];
  snprintf(inner, sizeof inner, "%s@272", name);
  object(inner, bufferevent_get_input(made));
  snprintf(inner, sizeof inner, "%s@280", name);
  object(inner, bufferevent_get_output(made));
}

static inline struct bufferevent* buffered(const char* name) {
  struct bufferevent* made = NEED(bufferevent_socket_new(base(), some_socket(), 0));
  object(name, made);
  name_buffers(name, made);
  return made;
}
static inline struct bufferevent* reading(const char* name) {
  struct bufferevent* made = buffered(name);
  bufferevent_enable(made, EV_READ | EV_WRITE);
  event_base_loop(base(), EVLOOP_NONBLOCK);
  return made;
}
static inline struct bufferevent* filtered(const char* name) {
  char inner[24];
  struct bufferevent* below = NEED(bufferevent_socket_new(base(), some_socket(), 0));
  struct bufferevent* made = NEED(bufferevent_filter_new(below, NULL, NULL, 0, NULL, NULL));
  object(name, made);
  name_buffers(name, made);
  snprintf(inner, sizeof inner, "%s@5008", name);
  object(inner, below);
  name_buffers(inner, below);
  return made;
}
static inline struct bufferevent* paired(const char* name) {
  struct bufferevent* ends[2];
  if (bufferevent_pair_new(base(), 0, ends) != 0) need(NULL, "bufferevent_pair_new");
  char inner[24];
  snprintf(inner, sizeof inner, "%s@5024", name);
  object(inner, ends[1]);
  return object(name, ends[0]);
}

static inline SSL* connection_of_tls(const char* name) {
  SSL_CTX* context = NEED(SSL_CTX_new(TLS_client_method()));
  SSL* made = NEED(SSL_new(context));
  char inner[24];
  snprintf(inner, sizeof inner, "%s@8", name);
  object(name, made);
  locked(context);
  return made;
}
static inline struct bufferevent* encrypted(const char* name) {
  char inner[24];
  snprintf(inner, sizeof inner, "%s@5016", name);
  SSL* tls = connection_of_tls(inner);
  struct bufferevent* made =
      NEED(bufferevent_openssl_socket_new(base(), some_socket(), tls, BUFFEREVENT_SSL_CONNECTING, 0));
  object(name, made);
  name_buffers(name, made);
  return made;
}

static inline struct evconnlistener* listener(void) {
  struct sockaddr_in here = loopback(0);
  return locked(NEED(evconnlistener_new_bind(base(), NULL, NULL, 0, 8, (struct sockaddr*)&here, (int)sizeof here)));
}

static inline struct evhttp* server(void) { return object("~servers_of_evhttp", NEED(evhttp_new(base()))); }
static inline struct evhttp_bound_socket* bound(struct evhttp* of) {
  return NEED(evhttp_bind_socket_with_handle(of, "127.0.0.1", 0));
}

static struct evhttp_request* arrived;
static inline void on_request(struct evhttp_request* request, void* argument) {
  (void)argument;
  arrived = request;
  event_base_loopbreak(base());
}

// A request that has come in over a connection.
static inline struct evhttp_request* incoming(const char* name) {
  struct evhttp* of = server();
  evhttp_set_gencb(of, on_request, NULL);
  const int client = tcp_socket();
  struct sockaddr_in there = loopback(port_of(evhttp_bound_socket_get_fd(bound(of))));
  NEED_DESCRIPTOR(connect(client, (struct sockaddr*)&there, sizeof there));
  static const char kText[] = "POST http://host/data?x=1 HTTP/1.1\r\nHost: host\r\nContent-Length: 4\r\n\r\nbody";
  NEED_DESCRIPTOR((int)write(client, kText, sizeof kText - 1));
  arrived = NULL;
  for (int i = 0; i < 20 && arrived == NULL; ++i) event_base_loop(base(), EVLOOP_ONCE);
  object(name, NEED(arrived));
  char inner[24];
  snprintf(inner, sizeof inner, "%s@1008", name);
  object(inner, evhttp_request_get_connection(arrived));
  return arrived;
}
static inline struct evhttp_request* started(const char* name) {
  struct evhttp_request* made = incoming(name);
  evhttp_send_reply_start(made, 200, "OK");
  return made;
}

static inline void on_answer(struct evhttp_request* request, void* argument) { (void)request, (void)argument; }
static inline struct evhttp_request* outgoing(const char* name) {
  return object(name, NEED(evhttp_request_new(on_answer, NULL)));
}
static inline struct evhttp_connection* client(const char* name) {
  return object(name,
                NEED(evhttp_connection_base_new(base(), NULL, "127.0.0.1", (unsigned short)port_of(listening()))));
}

static inline struct evkeyvalq* headers(const char* name) {
  struct evkeyvalq* made = zeros(name, sizeof *made);
  TAILQ_INIT(made);
  evhttp_add_header(made, "Name", "value");
  return made;
}

static inline struct evhttp_uri* resource(const char* name) {
  return object(name, NEED(evhttp_uri_parse("http://user@host:80/path?query#fragment")));
}

// Resolvers and their ports: the library locks them.
static inline struct evdns_base* resolver(void) {
  struct evdns_base* made = NEED(evdns_base_new(base(), 0));
  char there[40];
  snprintf(there, sizeof there, "127.0.0.1:%d", port_of(quiet_socket()));
  evdns_base_nameserver_ip_add(made, there);
  return locked(made);
}
static inline void old_resolver(void) {
  base();
  evdns_init();
  char there[40];
  snprintf(there, sizeof there, "127.0.0.1:%d", port_of(quiet_socket()));
  evdns_nameserver_ip_add(there);
  locked(evdns_get_global_base());
}
static inline void on_name(int result, char kind, int count, int ttl, void* addresses, void* argument) {
  (void)result, (void)kind, (void)count, (void)ttl, (void)addresses, (void)argument;
}
static inline struct evdns_request* question(const char* name, struct evdns_base* of) {
  return object(name, NEED(evdns_base_resolve_ipv4(of, "host.example", 0, on_name, NULL)));
}
static inline void on_addresses(int result, struct evutil_addrinfo* all, void* argument) {
  (void)result, (void)all, (void)argument;
}
static inline struct evdns_getaddrinfo_request* address_question(const char* name) {
  return object(name, NEED(evdns_getaddrinfo(resolver(), "host.example", "80", NULL, on_addresses, NULL)));
}
static struct evdns_server_request* asked;
static inline void on_question(struct evdns_server_request* request, void* argument) {
  (void)argument;
  asked = request;
  event_base_loopbreak(base());
}
static inline struct evdns_server_port* name_server(int socket) {
  evutil_make_socket_nonblocking(socket);
  return locked(NEED(evdns_add_server_port_with_base(base(), socket, 0, on_question, NULL)));
}
static inline struct evdns_server_request* asked_question(const char* name) {
  const int socket = quiet_socket();
  struct sockaddr_in there = loopback(port_of(socket));
  name_server(socket);
  static const char kText[] = "\1\2\1\0\0\1\0\0\0\0\0\0\4host\7example\0\0\1\0";
  char packet[sizeof kText];
  memcpy(packet, kText, sizeof kText);
  packet[sizeof kText - 1] = 1;
  NEED_DESCRIPTOR((int)sendto(quiet_socket(), packet, sizeof packet, 0, (struct sockaddr*)&there, sizeof there));
  asked = NULL;
  for (int i = 0; i < 20 && asked == NULL; ++i) event_base_loop(base(), EVLOOP_ONCE);
  return object(name, NEED(asked));
}

static inline struct evutil_monotonic_timer* steady(const char* name) {
  struct evutil_monotonic_timer* made = NEED(evutil_monotonic_timer_new());
  evutil_configure_monotonic_time(made, 0);
  return object(name, made);
}

static inline struct evbuffer* tagged(const char* name, int kind) {
  struct evbuffer* made = NEED(evbuffer_new());
  struct timeval time = {1, 2};
  if (kind == 0) evtag_marshal(made, 7, "data", 4);
  if (kind == 1) evtag_marshal_int(made, 7, 12);
  if (kind == 2) evtag_marshal_timeval(made, 7, &time);
  if (kind == 3) evtag_marshal_string(made, 7, "data");
  return object(name, made);
}

void prepare_library(void) { SSL_library_init(); }
