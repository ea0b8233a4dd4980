// Counts the primes below each number that a client sends over TLS, a number and an answer per line, on libevent's
// bufferevents of OpenSSL. The certificate is made at the start, and signed by itself.
#include <arpa/inet.h>
#include <event2/buffer.h>
#include <event2/bufferevent.h>
#include <event2/bufferevent_ssl.h>
#include <event2/event.h>
#include <event2/listener.h>
#include <netinet/in.h>
#include <openssl/evp.h>
#include <openssl/ssl.h>
#include <openssl/x509.h>
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
  char* text;
  while ((text = evbuffer_readln(input, NULL, EVBUFFER_EOL_LF)) != NULL) {
    const long found = primes_below(strtol(text, NULL, 10));
    free(text);
    const int size = snprintf(s->line, sizeof s->line, "%ld %ld\n", ++s->answered, found);
    bufferevent_write(stream, s->line, (size_t)size);
  }
}

static void on_end(struct bufferevent* stream, short what, void* arg) {
  struct session* s = arg;
  if (!(what & (BEV_EVENT_EOF | BEV_EVENT_ERROR))) return;
  bufferevent_free(stream);
  free(s);
}

static void on_accept(struct evconnlistener* listener, evutil_socket_t fd, struct sockaddr* from, int size, void* arg) {
  (void)from, (void)size;
  struct session* s = calloc(1, sizeof *s);
  if (s == NULL) return;
  s->stream =
      bufferevent_openssl_socket_new(evconnlistener_get_base(listener), fd, SSL_new(arg), BUFFEREVENT_SSL_ACCEPTING,
                                     BEV_OPT_CLOSE_ON_FREE | BEV_OPT_DEFER_CALLBACKS);
  bufferevent_setcb(s->stream, on_lines, NULL, on_end, s);
  bufferevent_enable(s->stream, EV_READ);
}

static void on_signal(evutil_socket_t signal, short what, void* base) {
  (void)signal, (void)what;
  event_base_loopbreak(base);
}

static SSL_CTX* context_with_certificate(void) {
  SSL_CTX* context = SSL_CTX_new(TLS_server_method());
  EVP_PKEY* key = EVP_EC_gen("P-256");
  X509* certificate = X509_new();
  X509_gmtime_adj(X509_getm_notBefore(certificate), 0);
  X509_gmtime_adj(X509_getm_notAfter(certificate), 86400);
  X509_set_pubkey(certificate, key);
  X509_NAME* name = X509_get_subject_name(certificate);
  X509_NAME_add_entry_by_txt(name, "CN", MBSTRING_ASC, (const unsigned char*)"localhost", -1, -1, 0);
  X509_set_issuer_name(certificate, name);
  X509_sign(certificate, key, EVP_sha256());
  SSL_CTX_use_certificate(context, certificate);
  SSL_CTX_use_PrivateKey(context, key);
  X509_free(certificate);
  EVP_PKEY_free(key);
  return context;
}

int main(void) {
  signal(SIGPIPE, SIG_IGN);
  SSL_CTX* context = context_with_certificate();
  struct event_base* base = event_base_new();
  struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof address;
  struct evconnlistener* listener = evconnlistener_new_bind(base, on_accept, context, LEV_OPT_CLOSE_ON_FREE, -1,
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
  SSL_CTX_free(context);
  return 0;
}
