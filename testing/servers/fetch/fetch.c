// A client on libevent's evhttp: fetches pages over several connections at once, a number in each, and counts the
// primes below it.
#include <event2/buffer.h>
#include <event2/event.h>
#include <event2/http.h>
#include <event2/keyvalq_struct.h>
#include <stdio.h>
#include <stdlib.h>

enum { kPages = 20 };

struct fetch {
  int fetched;
  int closed;
  long sum;
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

static void on_close(struct evhttp_connection* connection, void* arg) {
  (void)connection;
  struct fetch* fetch = arg;
  fetch->closed++;
}

static void on_page(struct evhttp_request* request, void* arg) {
  struct fetch* fetch = arg;
  if (request == NULL || evhttp_request_get_response_code(request) != HTTP_OK) return;
  struct evbuffer* body = evhttp_request_get_input_buffer(request);
  char text[32] = "";
  evbuffer_copyout(body, text, sizeof text - 1);
  const long number = strtol(text, NULL, 10);
  fetch->sum += primes_below(number * 20);
  fetch->fetched++;
}

// All pages of a connection, one after the other.
static void ask(struct fetch* fetch, struct event_base* base, unsigned short port, long number) {
  struct evhttp_connection* connection = evhttp_connection_base_new(base, NULL, "127.0.0.1", port);
  evhttp_connection_set_closecb(connection, on_close, fetch);
  evhttp_connection_free_on_completion(connection);
  for (int page = 1; page <= kPages; page++) {
    char path[64];
    snprintf(path, sizeof path, "/primes?below=%ld", number + 10L * page);
    struct evhttp_request* request = evhttp_request_new(on_page, fetch);
    struct evkeyvalq* headers = evhttp_request_get_output_headers(request);
    evhttp_add_header(headers, "Host", "localhost");
    if (page == kPages) evhttp_add_header(headers, "Connection", "close");
    evhttp_make_request(connection, request, EVHTTP_REQ_GET, path);
  }
}

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  const int port = atoi(argv[1]);
  const int count = atoi(argv[2]);
  struct event_base* base = event_base_new();
  struct fetch** fetches = calloc((size_t)count, sizeof *fetches);
  for (int i = 0; i < count; i++) {
    struct fetch* fetch = calloc(1, sizeof *fetch);
    fetches[i] = fetch;
    ask(fetch, base, (unsigned short)port, 3000 + 100L * i);
  }
  event_base_dispatch(base);
  for (int i = 0; i < count; i++) {
    printf("%d pages, %ld, closed %d\n", fetches[i]->fetched, fetches[i]->sum, fetches[i]->closed);
    free(fetches[i]);
  }
  free(fetches);
  event_base_free(base);
  return 0;
}
