// Each request is handed to its callback alone, and so is what it came over.
// CONFLICT session: on_page on_page: fetch->pages
// CONFLICT session: on_close on_close: fetch->closed
// SAFE: on_close on_page

#include <event2/event.h>
#include <event2/http.h>
#include <stddef.h>
#include <stdlib.h>

struct fetch {
  long pages, closed;
};

static void on_page(struct evhttp_request* request, void* arg) {
  struct fetch* fetch = arg;
  if (request != NULL) fetch->pages += evhttp_request_get_response_code(request);
}

static void on_close(struct evhttp_connection* connection, void* arg) {
  struct fetch* fetch = arg;
  (void)connection;
  fetch->closed++;
}

int main(void) {
  struct event_base* base = event_base_new();
  for (int i = 0; i < 2; i++) {
    struct fetch* fetch = calloc(1, sizeof *fetch);
    struct evhttp_connection* connection = evhttp_connection_base_new(base, NULL, "127.0.0.1", 8080);
    evhttp_connection_set_closecb(connection, on_close, fetch);
    evhttp_make_request(connection, evhttp_request_new(on_page, fetch), EVHTTP_REQ_GET, "/");
  }
  return event_base_dispatch(base);
}
