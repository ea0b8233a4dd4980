// A web server on libevent's evhttp: counts primes, adds up the numbers that a client posts, answers later, tells who
// asked. Requests share nothing but the server.
//
//   pages [FILE]      over TLS, with the certificate and the key that are in the file
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <openssl/ssl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

// An answer that is not sent by the handler that was asked for it.
struct delayed {
  struct evhttp_request* request;
  struct event* timer;
  long limit;
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

static long number_in(struct evhttp_request* request, const char* name) {
  struct evkeyvalq query;
  const char* text = evhttp_uri_get_query(evhttp_request_get_evhttp_uri(request));
  if (text == NULL || evhttp_parse_query_str(text, &query) != 0) return 0;
  const char* found = evhttp_find_header(&query, name);
  const long number = found != NULL ? strtol(found, NULL, 10) : 0;
  evhttp_clear_headers(&query);
  return number;
}

static void answer(struct evhttp_request* request, long number) {
  struct evbuffer* body = evbuffer_new();
  evbuffer_add_printf(body, "%ld\n", number);
  evhttp_add_header(evhttp_request_get_output_headers(request), "Content-Type", "text/plain");
  evhttp_send_reply(request, HTTP_OK, "OK", body);
  evbuffer_free(body);
}

static void on_primes(struct evhttp_request* request, void* arg) {
  (void)arg;
  answer(request, primes_below(number_in(request, "below")));
}

static void on_sum(struct evhttp_request* request, void* arg) {
  (void)arg;
  struct evbuffer* input = evhttp_request_get_input_buffer(request);
  long sum = 0;
  char* line;
  while ((line = evbuffer_readln(input, NULL, EVBUFFER_EOL_LF)) != NULL) {
    sum += strtol(line, NULL, 10);
    free(line);
  }
  answer(request, sum);
}

// In pieces, each on its way before the next is made.
static void on_squares(struct evhttp_request* request, void* arg) {
  (void)arg;
  const long count = number_in(request, "count");
  evhttp_send_reply_start(request, HTTP_OK, "OK");
  struct evbuffer* piece = evbuffer_new();
  for (long n = 1; n <= count; n++) {
    evbuffer_add_printf(piece, "%ld\n", n * n);
    evhttp_send_reply_chunk(request, piece);
  }
  evbuffer_free(piece);
  evhttp_send_reply_end(request);
}

static void on_time(evutil_socket_t fd, short what, void* arg) {
  (void)fd, (void)what;
  struct delayed* later = arg;
  answer(later->request, primes_below(later->limit));
  event_free(later->timer);
  free(later);
}

static void on_later(struct evhttp_request* request, void* arg) {
  const struct timeval soon = {.tv_usec = 2000};
  struct delayed* later = malloc(sizeof *later);
  if (later == NULL) return;
  later->request = request;
  later->limit = number_in(request, "below");
  later->timer = evtimer_new(arg, on_time, later);
  event_add(later->timer, &soon);
}

static void on_other(struct evhttp_request* request, void* arg) {
  (void)arg;
  evhttp_send_error(request, HTTP_NOTFOUND, NULL);
}

static struct bufferevent* on_connection(struct event_base* base, void* context) {
  return bufferevent_openssl_socket_new(base, -1, SSL_new(context), BUFFEREVENT_SSL_ACCEPTING, BEV_OPT_CLOSE_ON_FREE);
}

static void on_signal(evutil_socket_t signal, short what, void* base) {
  (void)signal, (void)what;
  event_base_loopbreak(base);
}

int main(int argc, char** argv) {
  signal(SIGPIPE, SIG_IGN);
  SSL_CTX* context = NULL;
  struct event_base* base = event_base_new();
  struct evhttp* http = evhttp_new(base);
  struct event* end = evsignal_new(base, SIGTERM, on_signal, base);
  struct evhttp_bound_socket* bound = evhttp_bind_socket_with_handle(http, "127.0.0.1", 0);
  if (bound == NULL || event_add(end, NULL) != 0) return 1;
  if (argc > 1) {
    context = SSL_CTX_new(TLS_server_method());
    if (SSL_CTX_use_certificate_file(context, argv[1], SSL_FILETYPE_PEM) != 1) return 1;
    if (SSL_CTX_use_PrivateKey_file(context, argv[1], SSL_FILETYPE_PEM) != 1) return 1;
    evhttp_set_bevcb(http, on_connection, context);
  }
  evhttp_set_cb(http, "/primes", on_primes, NULL);
  evhttp_set_cb(http, "/sum", on_sum, NULL);
  evhttp_set_cb(http, "/squares", on_squares, NULL);
  evhttp_set_cb(http, "/later", on_later, base);
  evhttp_set_gencb(http, on_other, NULL);
  struct sockaddr_in address;
  socklen_t size = sizeof address;
  getsockname(evhttp_bound_socket_get_fd(bound), (struct sockaddr*)&address, &size);
  printf("listening on 127.0.0.1:%d\n", ntohs(address.sin_port));
  fflush(stdout);
  event_base_dispatch(base);
  event_free(end);
  evhttp_free(http);
  event_base_free(base);
  SSL_CTX_free(context);
  return 0;
}
